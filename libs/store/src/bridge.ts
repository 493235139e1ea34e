import { Column, Entity } from 'typeorm';
import { TenantRecord } from './tenant-record.js';

/** A group of agents that run in a customer's network. */
@Entity('bridges')
export class Bridge extends TenantRecord {
  @Column('text')
  accountId!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { array: true, nullable: true })
  labels!: string[] | null;

  /** Checks the credential that agents show; the private half was never stored. */
  @Column('jsonb')
  publicKey!: Record<string, unknown>;
}
