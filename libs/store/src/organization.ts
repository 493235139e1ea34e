import { Column, Entity, PrimaryColumn } from 'typeorm';
import { defineIdPrefix } from '#config';

export const organizationIds = defineIdPrefix('org');

@Entity('organizations')
export class Organization {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  fullname!: string;

  /** The parent of a sub organization. */
  @Column('text', { nullable: true })
  parentId!: string | null;

  @Column('text')
  organizationType!: 'root' | 'standard';

  @Column('text')
  refreshTokenId!: string;

  @Column('text', { nullable: true })
  contact!: string | null;

  @Column('text', { nullable: true })
  replyTo!: string | null;

  @Column('text', { nullable: true })
  picture!: string | null;

  @Column('jsonb', { nullable: true })
  options!: Record<string, unknown> | null;

  /** Null if the organization is enabled. */
  @Column('text', { nullable: true })
  state!: 'disabled' | 'pov' | 'plg' | null;

  @Column('date', { nullable: true })
  endDate!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

/** Says that the organization was deleted while its token was still remembered. */
export const organizationGone = 'the organization of the token is gone';
