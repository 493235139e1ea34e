import { Column, Entity } from 'typeorm';
import { TenantRecord } from './tenant-record.js';

/** What members may do, and where: a permission set on resources. */
@Entity('roles')
export class Role extends TenantRecord {
  @Column('text', { nullable: true })
  description!: string | null;

  /** Null: all of the organization. */
  @Column('jsonb', { nullable: true })
  resources!: Record<string, unknown> | null;

  @Column('text')
  permissionSet!: string;
}
