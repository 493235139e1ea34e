import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Status and events go with their integration, and an integration that comes and goes fills no disk with events. */
export class UsageBounds1763700033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- In the order in which counts are added, so that neither waits for the other.
      create function onefold_forget_integrations() returns trigger
        language plpgsql security definer set search_path = public, pg_temp
        as $$ begin
          perform from integration_status where integration_id in (select id from gone)
            order by integration_id for update;
          delete from integration_status where integration_id in (select id from gone);
          delete from integration_events where integration_id in (select id from gone);
          return null;
        end $$;
      create trigger forget_usage after delete on integrations referencing old table as gone
        for each statement execute function onefold_forget_integrations();

      -- The status changes all the same.
      create function onefold_limit_events() returns trigger language plpgsql set search_path = public
        as $$ begin
          if (select count(*) from integration_events e where e.integration_id = new.integration_id
              and e.created_at > new.created_at - interval '1 minute') >= 10 then return null; end if;
          return new;
        end $$;
      create trigger limit_events before insert on integration_events
        for each row execute function onefold_limit_events();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger limit_events on integration_events;
      drop function onefold_limit_events();
      drop trigger forget_usage on integrations;
      drop function onefold_forget_integrations();
    `);
  }
}
