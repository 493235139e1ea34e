import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { labelled } from '../limits.js';
import { TenantRecord } from '../tenant-record.js';

export class Account extends TenantRecord {
  @Column('text')
  environment!: 'test' | 'prod';

  @Column('text', { array: true })
  labels!: string[];
}

export const accounts = defineKind({
  entity: Account,
  table: 'accounts',
  resource: 'account',
  prefix: 'acc',
  account: 'id',
  fields: {
    ...tenantFields,
    environment: { type: 'enum', values: ['test', 'prod'] },
    labels: { type: 'list', orders: false },
    organization_id: { type: 'string' },
  },
  search: { table: 'accounts', fields: ['name', 'fullname'] },
  overlaps: { labels: (labels) => labelled('r.id', labels) },
});
