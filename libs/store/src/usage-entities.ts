import { Column, Entity, PrimaryColumn } from 'typeorm';
import { counted } from './counted.js';

/** Counters and state of an integration; a view that has every integration, also before its first call. */
@Entity('integration_statuses')
export class IntegrationStatus {
  @PrimaryColumn('text')
  id!: string;

  /** `account id,integration id`: what pages begin after. */
  @Column('text')
  name!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  @Column('text')
  status!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('bigint', counted)
  requests!: number;

  @Column('bigint', counted)
  failed!: number;

  /** Microseconds. */
  @Column('bigint', counted)
  cpuTime!: number;

  @Column('bigint', counted)
  dbOps!: number;

  @Column('bigint', counted)
  apiOps!: number;

  @Column('bigint', counted)
  inBytes!: number;

  @Column('bigint', counted)
  outBytes!: number;
}

/** A change of an integration's state. */
@Entity('integration_events')
export class IntegrationEvent {
  @PrimaryColumn('bigint')
  id!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  integrationId!: string;

  /** `createdAt` as answers write it: what pages begin after. */
  @Column('text')
  name!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  status!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  /** How many requests were counted when it was noted. */
  @Column('bigint', counted)
  request!: number;
}
