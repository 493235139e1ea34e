import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** A provider document of a customer. */
export class Custom extends TenantRecord {
  /** The ids in the document, which integrations name in `provider_config.type`. */
  @Column('text', { array: true })
  providers!: string[];

  /** The YAML document. */
  @Column('text')
  data!: string;
}

export const customs = defineKind({
  entity: Custom,
  table: 'customs',
  resource: 'custom provider',
  prefix: 'cus',
  fields: { ...tenantFields, organization_id: { type: 'string' } },
});
