import { Column, PrimaryColumn } from 'typeorm';
import { counterColumn } from '../counter-column.js';
import { defineKind } from '../define-kind.js';
import { accountFields, categoryOfIntegration } from '../kind-parts.js';

/** Counters and state of an integration; a view that has every integration, also before its first call. */
export class IntegrationStatus {
  @PrimaryColumn('text')
  id!: string;

  /** `account id,integration id`: the key that pages begin after. */
  @Column('text')
  name!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('bigint', counterColumn)
  requests!: number;

  /** How many of them jobs made. */
  @Column('bigint', counterColumn)
  jobRequests!: number;

  @Column('bigint', counterColumn)
  failed!: number;

  /** Microseconds. */
  @Column('bigint', counterColumn)
  cpuTime!: number;

  @Column('bigint', counterColumn)
  dbOps!: number;

  @Column('bigint', counterColumn)
  apiOps!: number;

  @Column('bigint', counterColumn)
  inBytes!: number;

  @Column('bigint', counterColumn)
  outBytes!: number;

  /** That of the integration, as are domain and provider. */
  @Column('text')
  fullname!: string;

  @Column('text')
  category!: string;

  @Column('text')
  providerType!: string;

  /** Rank of the status: 1 is the most urgent one. */
  @Column('integer')
  urgency!: number;

  /** The minute of `updatedAt`, and ranks of numbers: they change more rarely, so that they have indexes. */
  @Column('integer')
  updatedMinute!: number;

  @Column('integer')
  requestsRank!: number;

  @Column('integer')
  failedRank!: number;

  /** Full names of the integration and its account, to search in; not read with the others, which spares PostgreSQL the join. */
  @Column('text', { select: false })
  names!: string;
}

/** A change of an integration's state. */
export class IntegrationEvent {
  @PrimaryColumn('bigint')
  id!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  /** `createdAt` as responses write it: the key that pages begin after. */
  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  status!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  /** The request that showed the state. */
  @Column('text', { nullable: true })
  requestId!: string | null;

  /** The number of requests counted until then. */
  @Column('bigint', counterColumn)
  request!: number;
}

export const integrationStatuses = defineKind({
  entity: IntegrationStatus,
  table: 'integration_statuses',
  resource: 'integration',
  account: 'accountId',
  category: categoryOfIntegration,
  fields: {
    ...accountFields,
    account_id: { type: 'string' },
    integration_id: { type: 'string' },
    status: { type: 'string' },
    created_at: { type: 'datetime' },
    updated_at: { type: 'datetime' },
    requests: { type: 'number' },
    job_requests: { type: 'number' },
    failed: { type: 'number' },
    cpu_time: { type: 'number' },
    db_ops: { type: 'number' },
    api_ops: { type: 'number' },
    in_bytes: { type: 'number' },
    out_bytes: { type: 'number' },
    fullname: { type: 'string' },
    category: { type: 'string' },
    provider_type: { type: 'string' },
    urgency: { type: 'number' },
    names: { type: 'string', orders: false },
  },
  search: { table: 'integrations', fields: ['fullname', 'names'] },
  coarse: {
    updated_at: 'updated_minute',
    requests: 'requests_rank',
    failed: 'failed_rank',
  },
});

export const integrationEvents = defineKind({
  entity: IntegrationEvent,
  table: 'integration_events',
  resource: 'integration',
  account: 'accountId',
  category: categoryOfIntegration,
  fields: {
    created_at: { type: 'datetime' },
    status: { type: 'string', orders: false },
    error: { type: 'string', orders: false },
    request_id: { type: 'string', orders: false },
    request: { type: 'number', orders: false },
  },
});
