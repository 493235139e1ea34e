import { Column, Entity } from 'typeorm';
import { TenantRecord } from './tenant-record.js';

/** A provider document of a customer. */
@Entity('customs')
export class Custom extends TenantRecord {
  /** The id in the document, which integrations name in `provider_config.type`. */
  @Column('text')
  provider!: string;

  /** The YAML document. */
  @Column('text')
  data!: string;
}
