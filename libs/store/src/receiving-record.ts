import { Column } from 'typeorm';
import { TenantRecord } from './tenant-record.js';

/** An address that receives messages from us, with what is known of its health. */
export abstract class ReceivingRecord extends TenantRecord {
  @Column('text')
  url!: string;

  @Column('text')
  state!: 'active' | 'paused' | 'disabled';

  /** When the state changed; null if it never did. */
  @Column('timestamptz', { nullable: true })
  stateSince!: Date | null;

  @Column('text', { nullable: true })
  stateReason!: string | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;
}
