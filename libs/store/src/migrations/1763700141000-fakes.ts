import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes that were made to the fakes of integrations with a mock. The records themselves follow from the world; an entry is a
 * record that differs from it. Deleting an integration deletes its changes.
 */
export class Fakes1763700141000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table fake_states (
        integration_id text primary key references integrations on delete cascade,
        organization_id text not null references organizations on delete cascade,
        -- Counts the requests that changed something: a process reads the entries after the version it has.
        version bigint not null default 0,
        newest bigint not null
      );
      create index on fake_states (organization_id);
      create table fake_entries (
        integration_id text not null references fake_states on delete cascade,
        organization_id text not null,
        collection text not null,
        id text not null,
        version bigint not null,
        entry jsonb not null,
        primary key (integration_id, collection, id)
      );
      create index on fake_entries (integration_id, version);
    `);
    for (const table of ['fake_states', 'fake_entries'])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table fake_entries, fake_states');
  }
}
