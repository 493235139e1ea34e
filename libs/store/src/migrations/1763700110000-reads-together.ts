import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads that were asked for at the same moment in one message, each under its own organization, behind the same policies as before. */
export class ReadsTogether1763700110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_read(text, text, jsonb);
      create function onefold_read(reads jsonb) returns table (read integer, "row" jsonb)
        language plpgsql set search_path = public
        as $$ declare one jsonb; at integer := 0; begin
          for one in select value from jsonb_array_elements(reads) loop
            perform set_config('onefold.organization_id', one ->> 0, true);
            return query execute 'select $2, to_jsonb(r) from (' || (one ->> 1) || ') r' using one -> 2, at;
            at := at + 1;
          end loop;
        end $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_read(jsonb);
      create function onefold_read(organization text, statement text, parameters jsonb) returns setof jsonb
        language plpgsql set search_path = public
        as $$ begin
          perform set_config('onefold.organization_id', organization, true);
          return query execute 'select to_jsonb(r) from (' || statement || ') r' using parameters;
        end $$;
    `);
  }
}
