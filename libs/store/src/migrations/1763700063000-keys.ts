import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which key-encryption keys are in use: asked before any organization is known, by every process that starts. */
export class Keys1763700063000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index data_keys_by_key on data_keys ((split_part(wrapped, '.', 1)));
      create function onefold_key_ids() returns setof text
        language sql stable security definer set search_path = public
        as $$ select distinct split_part(wrapped, '.', 1) from data_keys $$;
      grant execute on function onefold_key_ids() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function onefold_key_ids(); drop index data_keys_by_key');
  }
}
