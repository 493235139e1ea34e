import { Column, PrimaryColumn } from 'typeorm';
import { defineKind } from '../define-kind.js';

/** An event on its way to one receiver. */
export class Delivery {
  @PrimaryColumn('text')
  id!: string;

  /** The id: the key that pages begin after. */
  @Column({ type: 'text', insert: false, update: false })
  name!: string;

  @Column('text')
  organizationId!: string;

  /** The webhook that it is sent to. */
  @Column('text')
  endpointId!: string;

  @Column('text', { nullable: true })
  accountId!: string | null;

  @Column('text', { nullable: true })
  integrationId!: string | null;

  @Column('text')
  event!: string;

  /** The text that is signed and sent, the same at every attempt. */
  @Column('text')
  payload!: string;

  @Column('text')
  status!: 'waiting' | 'delivered' | 'failed';

  /** The reason of the last failure. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('integer')
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  /** No attempt is made later. */
  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

export const deliveries = defineKind({
  entity: Delivery,
  table: 'deliveries',
  resource: 'organization_webhook',
  prefix: 'dlv',
  fields: {
    id: { type: 'string' },
    name: { type: 'string' },
    event: { type: 'string', orders: false },
    status: { type: 'enum', values: ['waiting', 'delivered', 'failed'], orders: false },
    reason: { type: 'string', orders: false },
    account_id: { type: 'string', orders: false },
    integration_id: { type: 'string', orders: false },
    created_at: { type: 'datetime' },
  },
});
