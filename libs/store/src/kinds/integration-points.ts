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
  },
  overlaps: chainOverlaps,
});
