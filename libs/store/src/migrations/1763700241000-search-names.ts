import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds names by a part of them with the indexes of `search-indexes.ts`. Behind row-level security PostgreSQL uses no index for `like`, as a
 * function: its owner sees all rows, so it names the organization itself.
 */
export class SearchNames1763700241000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The ids of the organization's rows whose column is like a pattern; null if there are more, or no index finds them.
      create function onefold_search(source text, searched text, pattern text, most integer) returns text[]
        language plpgsql stable security definer set search_path = public, pg_temp
        as $$
        declare found_ids text[];
        begin
          if source not in ('accounts', 'integrations') or searched not in ('name', 'fullname', 'names') then
            raise exception '% of % is not searched', searched, source;
          end if;
          -- Three characters are what the index contains.
          if pattern !~ '[[:alnum:]]{3}' or not exists (
              select from pg_index where indexrelid = to_regclass('public.' || source || '_search') and indisvalid) then
            return null;
          end if;
          execute format('select array_agg(id) from (
              select id from %I where organization_id = $1 and %I ilike $2 limit $3) found', source, searched)
            into found_ids using current_setting('onefold.organization_id', true), pattern, most + 1;
          return case when cardinality(found_ids) > most then null else coalesce(found_ids, '{}') end;
        end $$;
      revoke execute on function onefold_search(text, text, text, integer) from public;
      grant execute on function onefold_search(text, text, text, integer) to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function onefold_search(text, text, text, integer)');
  }
}
