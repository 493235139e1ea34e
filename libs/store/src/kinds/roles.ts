import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

/** A permission set on resources, which members can have. */
export class Role extends TenantRecord {
  @Column('text', { nullable: true })
  description!: string | null;

  /** Null for all of the organization. */
  @Column('jsonb', { nullable: true })
  resources!: Record<string, unknown> | null;

  @Column('text')
  permissionSet!: string;
}

export const roles = defineKind({
  entity: Role,
  table: 'roles',
  resource: 'role',
  prefix: 'rol',
  fields: {
    ...tenantFields,
    description: { type: 'string' },
    permission_set: { type: 'string' },
  },
});
