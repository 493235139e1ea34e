import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

export class Mapping extends TenantRecord {
  /** The YAML document. */
  @Column('text')
  data!: string;

  /** Incremented by every change of the document. */
  @Column('integer')
  version!: number;
}

export const mappings = defineKind({
  entity: Mapping,
  table: 'mappings',
  resource: 'mapping',
  fields: tenantFields,
});
