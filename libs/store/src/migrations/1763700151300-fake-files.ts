import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Files that were put into the fakes of integrations, in parts, so that neither rows nor processes have to hold one as a whole. A file without a
 * record is dropped after a while: its upload has failed, or it was replaced and may still be read.
 */
export class FakeFiles1763700151300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table fake_files (
        integration_id text not null references integrations on delete cascade,
        organization_id text not null references organizations on delete cascade,
        id text not null,
        bytes bigint not null default 0,
        -- Null while a record refers to it.
        expires_at timestamptz,
        primary key (integration_id, id)
      );
      create index on fake_files (organization_id);
      create table fake_file_parts (
        integration_id text not null,
        organization_id text not null,
        file_id text not null,
        part integer not null,
        content bytea not null,
        primary key (integration_id, file_id, part),
        foreign key (integration_id, file_id) references fake_files on delete cascade
      );
    `);
    for (const table of ['fake_files', 'fake_file_parts'])
      await runner.query(`
        alter table ${table} enable row level security;
        create policy tenant on ${table} to onefold_application
          using (organization_id = current_setting('onefold.organization_id', true))
          with check (organization_id = current_setting('onefold.organization_id', true));
        grant select, insert, update, delete on ${table} to onefold_application;
      `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table fake_file_parts, fake_files');
  }
}
