import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of the states of integrations wait until the worker has made deliveries to webhooks of them. */
export class StatusWebhooks1763700224000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table integration_events add column for_webhooks boolean not null default false;
      create index integration_events_for_webhooks on integration_events (organization_id, id) where for_webhooks;
      -- Only where somebody wants them: others would have the worker look for nothing. The organization's own account is hidden from
      -- everybody, so nobody is told of its integrations.
      create function onefold_mark_for_webhooks() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          new.for_webhooks := not exists (select from integration_points p join integrations i on i.integration_point_id = p.id
                where i.id = new.integration_id and p.built_in)
            and exists (select from organization_webhooks w join accounts a on a.environment = w.environment
                where w.organization_id = new.organization_id and a.id = new.account_id and w.state <> 'disabled'
                  and w.filters && array['all', 'integration_status']);
          return new;
        end $$;
      create trigger mark_for_webhooks before insert on integration_events
        for each row execute function onefold_mark_for_webhooks();
      create function onefold_status_webhooks_backlog() returns setof text
        language sql stable security definer set search_path = public, pg_temp
        as $$ select distinct organization_id from integration_events where for_webhooks $$;
      revoke execute on function onefold_status_webhooks_backlog() from public;
      grant execute on function onefold_status_webhooks_backlog() to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_status_webhooks_backlog();
      drop trigger mark_for_webhooks on integration_events;
      drop function onefold_mark_for_webhooks();
      drop index integration_events_for_webhooks;
      alter table integration_events drop column for_webhooks;
    `);
  }
}
