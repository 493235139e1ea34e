import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of states of integrations that the organization's sink on `status-events` has not got yet. */
export class ToldStates1763700172000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: there is nothing to send. 'new': it is in no batch yet. Otherwise the id of its batch, which stays when it is sent again.
      alter table integration_events add sink_batch text;
      create index integration_events_to_send on integration_events (organization_id, id) where sink_batch is not null;
      -- Not those of the sink itself: each failure to send would be another event.
      create function onefold_tell_state() returns trigger language plpgsql set search_path = public
        as $$ begin
          if exists (select from integration_points p join integrations i on i.integration_point_id = p.id
              where p.organization_id = new.organization_id and p.built_in and p.name = 'status-events'
                and i.id <> new.integration_id) then
            new.sink_batch := 'new';
          end if;
          return new;
        end $$;
      create trigger tell_state before insert on integration_events
        for each row execute function onefold_tell_state();
      -- The organizations that have some, for the worker.
      create function onefold_status_backlog() returns setof text
        language sql stable security definer set search_path = public, pg_temp
        as $$ select distinct organization_id from integration_events where sink_batch is not null $$;
      revoke execute on function onefold_status_backlog() from public;
      grant execute on function onefold_status_backlog() to onefold_application;
      grant select, update on integration_events to onefold_application;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function onefold_status_backlog();
      drop trigger tell_state on integration_events;
      drop function onefold_tell_state();
      alter table integration_events drop sink_batch;
    `);
  }
}
