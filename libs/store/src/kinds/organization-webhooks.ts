import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { ReceivingRecord } from '../receiving-record.js';

/** An address that receives changes of the accounts of one environment. */
export class OrganizationWebhook extends ReceivingRecord {
  @Column('text')
  environment!: 'test' | 'prod';

  @Column('text', { array: true })
  filters!: string[];

  /** The credential with the secret that signs deliveries. */
  @Column('text')
  credentialId!: string;

  /** Failures since the last success. */
  @Column('integer')
  failures!: number;

  /** No attempt is made before. */
  @Column('timestamptz', { nullable: true })
  restingUntil!: Date | null;
}

export const organizationWebhooks = defineKind({
  entity: OrganizationWebhook,
  table: 'organization_webhooks',
  resource: 'organization_webhook',
  prefix: 'owh',
  fields: {
    ...tenantFields,
    environment: { type: 'enum', values: ['test', 'prod'] },
    filters: { type: 'list', orders: false },
    url: { type: 'string' },
    credential_id: { type: 'string' },
    state: { type: 'enum', values: ['active', 'paused', 'disabled'] },
  },
});
