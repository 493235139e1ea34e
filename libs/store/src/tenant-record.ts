import { Column, PrimaryColumn } from 'typeorm';

/** The columns of every record of a tenant. Times are set by the writing code, from the clock. */
export abstract class TenantRecord {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  fullname!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
