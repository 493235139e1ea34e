import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** An address that receives changes of the accounts of one environment. */
export class OrganizationWebhook extends TenantRecord {
  @Column('text')
  environment!: 'test' | 'prod';

  @Column('text', { array: true })
  filters!: string[];

  @Column('text')
  url!: string;

  /** The credential with the secret that signs deliveries. */
  @Column('text')
  credentialId!: string;
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
  },
});
