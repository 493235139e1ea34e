import { Column, PrimaryColumn } from 'typeorm';
import type { WebhookEvent } from '#contract';
import { counterColumn } from '../counter-column.js';
import { defineKind } from '../define-kind.js';
import { accountFields, categoryOfIntegration } from '../kind-parts.js';

/** A schedule of a job, as `OperationSchedule` of the API. */
export interface JobSchedule {
  operation?: string | null;
  enabled?: boolean | null;
  frequency: { type: 'periodic'; value: string } | { type: 'event'; value: WebhookEvent };
  filters?: string[] | null;
  backfill_from_time?: string | null;
  incremental_config?: {
    mode: 'incremental' | 'full_snapshot';
    time_filter_field?: string | null;
  } | null;
  sink_integration_id?: string | null;
  /** Ends of each run, at most those of the installation. */
  run_limits?: {
    max_duration?: string | null;
    max_pages?: number | null;
    max_bytes?: number | null;
  } | null;
}

/** An asynchronous operation of an integration. */
export class AsyncOperation {
  @PrimaryColumn('text')
  id!: string;

  /** The id, which the database repeats: the key that pages begin after. */
  @Column({ type: 'text', insert: false, update: false })
  name!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  @Column('text')
  operation!: string;

  @Column('jsonb')
  input!: {
    filters?: string[] | null;
    limit?: number | null;
    sink_integration_id?: string | null;
  };

  @Column('text')
  status!: string;

  @Column('jsonb', { nullable: true })
  errors!: { message: string }[] | null;

  /** Microseconds. */
  @Column('bigint', counterColumn)
  cpuTime!: number;

  @Column('bigint', counterColumn)
  inBytes!: number;

  @Column('text', { nullable: true })
  outputIntegrationId!: string | null;

  /** How often it runs, as it was requested; null for one that runs once. */
  @Column('jsonb', { nullable: true })
  schedule!: JobSchedule | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

/** One run of an asynchronous operation. */
export class OperationExecution {
  @PrimaryColumn('text')
  id!: string;

  /** `startedAt` as responses write it, which no two runs of an organization share: the key that pages begin after. */
  @Column('text')
  name!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  operationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  @Column('text', { nullable: true })
  integrationPointId!: string | null;

  @Column('text')
  operation!: string;

  @Column('text')
  triggerType!: 'API' | 'SCHEDULED';

  @Column('text')
  triggerSource!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz')
  startedAt!: Date;

  @Column('timestamptz')
  completedAt!: Date;

  @Column('bigint', counterColumn)
  recordsProcessed!: number;

  /** Microseconds, as `duration` is. */
  @Column('bigint', counterColumn)
  cpuTime!: number;

  @Column('bigint', counterColumn)
  inBytes!: number;

  @Column('bigint', counterColumn)
  duration!: number;

  @Column('text', { nullable: true })
  initialCursor!: string | null;

  @Column('text', { nullable: true })
  finalCursor!: string | null;

  @Column('text', { nullable: true })
  error!: string | null;
}

export const operations = defineKind({
  entity: AsyncOperation,
  table: 'operations',
  resource: 'operation',
  prefix: 'opr',
  account: 'accountId',
  category: categoryOfIntegration,
  fields: {
    ...accountFields,
    id: { type: 'string' },
    name: { type: 'string' },
    account_id: { type: 'string' },
    integration_id: { type: 'string' },
    operation: { type: 'string' },
    status: { type: 'string' },
    created_at: { type: 'datetime' },
    updated_at: { type: 'datetime' },
  },
});

export const operationExecutions = defineKind({
  entity: OperationExecution,
  table: 'operation_executions',
  resource: 'operation',
  account: 'accountId',
  category: categoryOfIntegration,
  fields: {
    ...accountFields,
    id: { type: 'string', orders: false },
    execution_id: { type: 'string', orders: false },
    operation_id: { type: 'string', orders: false },
    account_id: { type: 'string', orders: false },
    integration_id: { type: 'string', orders: false },
    started_at: { type: 'datetime' },
  },
});
