import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { accountFields, tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** Encrypted at rest; responses show only `configType`. */
export class Credential extends TenantRecord {
  @Column('text')
  ownerType!: 'account' | 'integration' | 'integration_point' | 'organization_webhook';

  @Column('text')
  ownerId!: string;

  /** The account of the owner; null for integration points and organization webhooks. */
  @Column('text', { nullable: true })
  accountId!: string | null;

  @Column('text')
  configType!: string;

  @Column('text')
  sealed!: string;

  @Column('timestamptz', { nullable: true })
  expires!: Date | null;

  /** True if Onefold created it from an inline secret. */
  @Column('boolean')
  managed!: boolean;
}

export const credentials = defineKind({
  entity: Credential,
  table: 'credentials',
  resource: 'credential',
  prefix: 'crd',
  account: 'accountId',
  sharesNames: true,
  category: '(select i.category from integrations i where i.id = r.owner_id)',
  fields: {
    ...tenantFields,
    ...accountFields,
    owner_type: { type: 'string' },
    expires: { type: 'datetime' },
    account_id: { type: 'string' },
  },
});
