import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** An identity provider through which members sign on. Its secrets are encrypted in `sealed`. */
export class SsoConfiguration extends TenantRecord {
  @Column('text')
  protocol!: 'oidc' | 'saml';

  @Column('jsonb')
  settings!: Record<string, unknown>;

  @Column('text', { nullable: true })
  sealed!: string | null;

  /** Whether everybody may learn id and name. */
  @Column('boolean')
  listed!: boolean;
}

export const ssoConfigurations = defineKind({
  entity: SsoConfiguration,
  table: 'sso_configurations',
  resource: 'single sign-on configuration',
  prefix: 'sso',
  fields: tenantFields,
});
