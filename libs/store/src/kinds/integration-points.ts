import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { chainFields, chainOverlaps, tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

export class IntegrationPoint extends TenantRecord {
  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  connector!: string;

  @Column('jsonb')
  environments!: { test?: string[] | null; prod?: string[] | null };

  @Column('jsonb', { nullable: true })
  mappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  additionalMappings!: unknown[] | null;

  @Column('jsonb', { nullable: true })
  scheduledOperations!: unknown[] | null;

  /** True for those of the organization's own account. */
  @Column('boolean')
  builtIn!: boolean;
}

/** SQL for the points whose customers in an environment may connect one of some providers: by its id, or as all of the domain. */
const allowing = (environment: 'test' | 'prod') => (providers: string) =>
  `exists (select 1 from unnest(${providers}::text[]) provider
     where r.environments -> '${environment}' ? provider
       or (r.environments -> '${environment}' ? '*' and split_part(provider, '_', 1) = r.connector))`;

export const integrationPoints = defineKind({
  entity: IntegrationPoint,
  table: 'integration_points',
  resource: 'integration_point',
  prefix: 'ipt',
  builtIn: true,
  fields: {
    ...tenantFields,
    ...chainFields,
    connector: { type: 'string' },
    description: { type: 'string' },
    'environments.test': { type: 'list', orders: false },
    'environments.prod': { type: 'list', orders: false },
  },
  overlaps: {
    ...chainOverlaps,
    'environments.test': allowing('test'),
    'environments.prod': allowing('prod'),
  },
});
