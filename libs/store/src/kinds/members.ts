import { Column } from 'typeorm';
import { defineKind } from '../define-kind.js';
import { tenantFields } from '../kind-parts.js';
import { TenantRecord } from '../tenant-record.js';

export class Member extends TenantRecord {
  @Column('text')
  type!: 'personal' | 'service';

  @Column('text')
  state!: string;

  @Column('text', { array: true })
  roleBinding!: string[];

  @Column('text', { nullable: true })
  nickname!: string | null;

  @Column('text', { nullable: true })
  picture!: string | null;

  /** As it was given: `87600h`. */
  @Column('text')
  ttl!: string;

  /** The lifetime of sessions. */
  @Column('text')
  tokenTtl!: string;

  /** The member cannot log on from then on. */
  @Column('timestamptz')
  expires!: Date;

  /** From then on the password only opens a session that can change it; an invitation opens none. */
  @Column('timestamptz')
  pinExpires!: Date;

  /** 1970 until the first logon. */
  @Column('timestamptz')
  lastLogon!: Date;

  /** When a lock after failed logons ends; null for one that an administrator set. */
  @Column('timestamptz', { nullable: true })
  lockedUntil!: Date | null;

  /** The state before such a lock. */
  @Column('text', { nullable: true })
  stateBeforeLock!: string | null;
}

export const members = defineKind({
  entity: Member,
  table: 'members',
  resource: 'member',
  prefix: 'mbr',
  fields: {
    ...tenantFields,
    state: { type: 'enum', values: ['disabled', 'enabled', 'forgotten', 'invited', 'locked'] },
    type: { type: 'enum', values: ['personal', 'service'] },
    nickname: { type: 'string' },
    role_binding: { type: 'list', orders: false },
    last_logon: { type: 'datetime' },
    expires: { type: 'datetime' },
    pin_expires: { type: 'datetime' },
  },
});
