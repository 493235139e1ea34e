import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The status of an integration has a bounded list of what shows that its vendor has changed its API, or will. */
export class StatusDrift1763700196000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table integration_status add drift jsonb not null default '[]' check (jsonb_array_length(drift) <= 50)`,
    );
    // An entry that is there already gets a newer time. Those that were not seen for a month are dropped, as events are.
    await runner.query(`
      create function onefold_add_drift(findings jsonb) returns void
        language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC'
        as $$
        begin
          perform from integration_status where integration_id in (
              select one.integration_id from jsonb_to_recordset(findings) as one(integration_id text))
            order by integration_id for update;
          update integration_status s set drift = (
            select coalesce(jsonb_agg(entry || jsonb_build_object('first_seen_at', first, 'last_seen_at', last)
                order by last desc, entry::text), '[]')
              from (
                select entry, min(first) as first, max(last) as last from (
                  select kept - 'first_seen_at' - 'last_seen_at' as entry,
                      (kept ->> 'first_seen_at')::timestamptz as first, (kept ->> 'last_seen_at')::timestamptz as last
                    from jsonb_array_elements(s.drift) as kept
                  union all
                  select one.entry, one.at, one.at from jsonb_to_recordset(findings) as one(integration_id text, at timestamptz, entry jsonb)
                    where one.integration_id = s.integration_id) every_one
                group by entry having max(last) >= now() - interval '30 days'
                order by last desc, entry::text limit 50) newest)
            where integration_id in (
              select one.integration_id from jsonb_to_recordset(findings) as one(integration_id text));
        end $$`);
    await runner.query('revoke all on function onefold_add_drift from public');
    await runner.query('grant execute on function onefold_add_drift to onefold_application');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function onefold_add_drift');
    await runner.query('alter table integration_status drop drift');
  }
}
