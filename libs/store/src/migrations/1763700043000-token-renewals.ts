import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of the MCP endpoint, last uses; what a refresh gave out is forgotten once nobody can ask for it again. */
export class TokenRenewals1763700043000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tokens add column mcp_scope jsonb;
      create index on tokens (id) where renewal is not null;
      -- Waits for nobody: who is changing a token uses it too.
      create function onefold_note_uses(ids text[], at timestamptz) returns void
        language sql security definer set search_path = public, pg_temp
        as $$
          update tokens set last_used_at = at where id in (
            select id from tokens
            where id = any(ids) and (last_used_at is null or last_used_at <= at - interval '1 minute')
            order by id for no key update skip locked);
        $$;
      revoke execute on function onefold_note_uses(text[], timestamptz) from public;
      grant execute on function onefold_note_uses(text[], timestamptz) to onefold_application;
      create function onefold_forget_renewals() returns bigint
        language sql security definer set search_path = public, pg_temp
        as $$
          with forgotten as (
            update tokens set renewal = null
            where renewal is not null and (renewal ->> 'until')::timestamptz < now()
            returning 1
          ) select count(*) from forgotten;
        $$;
      revoke execute on function onefold_forget_renewals() from public;
      grant execute on function onefold_forget_renewals() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_note_uses(text[], timestamptz);
      drop function onefold_forget_renewals();
      drop index tokens_id_idx;
      alter table tokens drop column mcp_scope;
    `);
  }
}
