import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { accountFields, chainFields, chainOverlaps, tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** Until when the bodies of an integration's calls are recorded, and who wants that. Times are ISO 8601. */
export interface Recording {
  since: string;
  until: string;
  member_id: string;
  token_id: string;
}

export class Integration extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text')
  category!: string;

  @Column('text')
  providerType!: string;

  @Column('text')
  providerFullname!: string;

  @Column('jsonb')
  providerConfig!: Record<string, unknown>;

  @Column('text', { nullable: true })
  integrationPointId!: string | null;

  @Column('text')
  refreshTokenId!: string;

  @Column('jsonb', { nullable: true })
  bridgeSelector!: unknown;

  @Column('jsonb', { nullable: true })
  webhookConfig!: unknown;

  @Column('jsonb', { nullable: true })
  mappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  additionalMappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  scheduledOperations!: unknown[] | null;

  /** Dangerous operations need the token of their dry run. */
  @Column('boolean')
  confirmDangerousActions!: boolean;

  /** The last recording of bodies that was not ended early; it may be over. */
  @Column('jsonb', { nullable: true })
  recording!: Recording | null;
}

export const integrations = defineKind({
  entity: Integration,
  table: 'integrations',
  resource: 'integration',
  prefix: 'int',
  account: 'accountId',
  category: 'r.category',
  sharesNames: true,
  fields: {
    ...tenantFields,
    ...accountFields,
    account_id: { type: 'string' },
    category: { type: 'string' },
    provider_type: { type: 'string' },
    provider_fullname: { type: 'string' },
    integration_point_id: { type: 'string' },
    ...chainFields,
    credentials: { type: 'list', orders: false },
  },
  search: { table: 'integrations', fields: ['name', 'fullname'] },
  overlaps: {
    ...chainOverlaps,
    // As `listUsers` of the credentials: the place in the configuration is up to the provider.
    credentials: (ids) =>
      `exists (select 1 from unnest(${ids}::text[]) id where position('"' || id || '"' in r.provider_config::text) > 0)`,
  },
});
