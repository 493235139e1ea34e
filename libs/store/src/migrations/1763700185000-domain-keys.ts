import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/**
 * Data keys of single domains. They have a table of their own, and a function of their own tells which keys wrap them, because processes
 * of the version before read any row of an owner in `data_keys`, and refuse to start without the keys of all of these.
 */
export class DomainKeys1763700185000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table domain_data_keys (
        owner_id text not null,
        domain text not null,
        organization_id text not null references organizations on delete cascade,
        wrapped text not null,
        created_at timestamptz not null,
        primary key (owner_id, domain)
      );
      create index on domain_data_keys (organization_id);
      create index domain_data_keys_by_key on domain_data_keys (domain, (split_part(wrapped, '.', 1)));
    `);
    await protectTenantTables(runner, ['domain_data_keys']);
    await runner.query(`
      create function onefold_domain_key_ids() returns table (domain text, id text)
        language sql stable security definer set search_path = public
        as $$ select distinct domain, split_part(wrapped, '.', 1) from domain_data_keys $$;
      grant execute on function onefold_domain_key_ids() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function onefold_domain_key_ids(); drop table domain_data_keys');
  }
}
