import { Column, PrimaryColumn } from 'typeorm';

/** What every record of a tenant has. Times are set by whoever writes, from the clock. */
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
