import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** A group of agents that run in a customer's network. */
export class Bridge extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { array: true, nullable: true })
  labels!: string[] | null;

  /** Checks the credential that agents show, the last one that was issued; the private half was never stored. */
  @Column('jsonb')
  publicKey!: Record<string, unknown>;
}

export const bridges = defineKind({
  entity: Bridge,
  table: 'bridges',
  resource: 'bridge',
  prefix: 'brg',
  account: 'accountId',
  fields: {
    ...tenantFields,
    description: { type: 'string' },
    labels: { type: 'list', orders: false },
  },
});
