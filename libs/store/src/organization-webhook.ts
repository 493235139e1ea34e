import { Column, Entity } from 'typeorm';
import { TenantRecord } from './tenant-record.js';

/** Where an organization wants to be told of changes to accounts of one environment. */
@Entity('organization_webhooks')
export class OrganizationWebhook extends TenantRecord {
  @Column('text')
  environment!: 'test' | 'prod';

  @Column('text', { array: true })
  filters!: string[];

  @Column('text')
  url!: string;

  /** The credential with the secret under which deliveries are signed. */
  @Column('text')
  credentialId!: string;
}
