import { Column, PrimaryColumn } from 'typeorm';
import { counterColumn } from '../counter-column.js';
import { defineKind } from '../define-kind.js';
import { accountFields, categoryOfIntegration } from '../kind-parts.js';

/** A request to the provider, as it is stored. */
export interface StoredExchange {
  method: string;
  host: string;
  /** Without the query. */
  path: string;
  status?: number;
  /** Microseconds. */
  duration: number;
  bytes?: number;
}

/** A call of the connector API, without bodies. */
export class RequestRecord {
  @PrimaryColumn('text')
  id!: string;

  /** The id: the key that pages begin after. */
  @Column({ type: 'text', insert: false, update: false })
  name!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  @Column('text')
  requestId!: string;

  @Column('text', { nullable: true })
  tokenId!: string | null;

  @Column('text')
  operation!: string;

  @Column('text', { nullable: true })
  provider!: string | null;

  @Column('boolean')
  dryRun!: boolean;

  @Column('integer')
  status!: number;

  /** Microseconds. */
  @Column('bigint', counterColumn)
  duration!: number;

  @Column('bigint', counterColumn)
  inBytes!: number;

  @Column('bigint', counterColumn)
  outBytes!: number;

  @Column('jsonb')
  mappings!: string[];

  @Column('jsonb')
  exchanges!: StoredExchange[];

  @Column('integer')
  omittedExchanges!: number;

  @Column('jsonb', { nullable: true })
  problem!: { type: string; message?: string } | null;

  /** The time of the answer. */
  @Column('timestamptz')
  createdAt!: Date;
}

export const requestRecords = defineKind({
  entity: RequestRecord,
  table: 'request_records',
  resource: 'request',
  prefix: 'req',
  account: 'accountId',
  category: categoryOfIntegration,
  fields: {
    ...accountFields,
    id: { type: 'string' },
    name: { type: 'string' },
    request_id: { type: 'string', orders: false },
    account_id: { type: 'string', orders: false },
    integration_id: { type: 'string', orders: false },
    token_id: { type: 'string', orders: false },
    operation: { type: 'string', orders: false },
    provider: { type: 'string', orders: false },
    status: { type: 'number', orders: false },
    duration: { type: 'number', orders: false },
    created_at: { type: 'datetime' },
  },
});
