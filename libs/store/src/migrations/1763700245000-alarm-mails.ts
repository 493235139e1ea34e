import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTenantTables } from '../tenant-tables.js';

/**
 * Changes of the states of integrations wait until the worker has made mails of them, and mails until the mail server has taken them. Whether
 * there is a mail server is a setting of the worker: it says so here, for those that ask and so that nothing waits where there is none.
 */
export class AlarmMails1763700245000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table mail_sender (
        is_only boolean primary key default true check (is_only),
        address text not null
      );
      alter table mail_sender enable row level security;
      create table alarm_mails (
        id text primary key,
        organization_id text not null references organizations on delete cascade,
        recipient text not null,
        subject text not null,
        body text not null,
        created_at timestamptz not null
      );
      create index on alarm_mails (organization_id, created_at);
      create table alarm_mail_paces (
        organization_id text primary key references organizations on delete cascade,
        -- No changes are gathered before.
        next_at timestamptz not null,
        mailed_at timestamptz,
        -- The least time from that mail to the next one.
        gap_ms integer not null default 0
      );
      alter table integration_events add column for_mail boolean not null default false;
      create index integration_events_for_mail on integration_events (organization_id, id) where for_mail;
    `);
    await protectTenantTables(runner, ['alarm_mails', 'alarm_mail_paces']);
    await runner.query(`
      create function onefold_mail_sender() returns text
        language sql stable security definer set search_path = public, pg_temp
        as $$ select address from mail_sender $$;
      -- Null says that no mail is sent; what waited would be old news by the time that there is a mail server again.
      create function onefold_set_mail_sender(sender text) returns void
        language plpgsql security definer set search_path = public, pg_temp
        as $$ begin
          delete from mail_sender where address is distinct from sender;
          if sender is null then
            update integration_events set for_mail = false where for_mail;
            delete from alarm_mails;
          else
            insert into mail_sender (address) values (sender) on conflict do nothing;
          end if;
        end $$;
      -- The built-in integration points are those of the organization's own account, which is hidden from everybody.
      create function onefold_mark_for_mail() returns trigger
        language plpgsql set search_path = public
        as $$ begin
          new.for_mail := exists (select from mail_sender)
            and exists (select from organizations o join accounts a on a.organization_id = o.id
                where o.id = new.organization_id and a.id = new.account_id and o.options @? '$.alarm_mails.addresses[*]'
                  and (not o.options @? '$.alarm_mails.environments[*]'
                    or o.options -> 'alarm_mails' -> 'environments' ? a.environment))
            and not exists (select from integration_points p join integrations i on i.integration_point_id = p.id
                where i.id = new.integration_id and p.built_in);
          return new;
        end $$;
      create trigger mark_for_mail before insert on integration_events
        for each row execute function onefold_mark_for_mail();
      create function onefold_alarm_mails_due(at timestamptz) returns setof text
        language sql stable security definer set search_path = public, pg_temp
        as $$ select distinct organization_id from integration_events e where for_mail
          and not exists (select from alarm_mail_paces p where p.organization_id = e.organization_id and p.next_at > at) $$;
      create function onefold_alarm_mail_backlog(out waiting bigint, out oldest timestamptz)
        language sql stable security definer set search_path = public, pg_temp
        as $$ select count(*), min(created_at) from alarm_mails $$;
    `);
    for (const call of calls) {
      await runner.query(`revoke execute on function ${call} from public`);
      await runner.query(`grant execute on function ${call} to onefold_application`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger mark_for_mail on integration_events');
    await runner.query('drop function onefold_mark_for_mail()');
    for (const call of calls) await runner.query(`drop function ${call}`);
    await runner.query(`
      drop index integration_events_for_mail;
      alter table integration_events drop column for_mail;
      drop table alarm_mail_paces, alarm_mails, mail_sender;
    `);
  }
}

const calls = [
  'onefold_mail_sender()',
  'onefold_set_mail_sender(text)',
  'onefold_alarm_mails_due(timestamptz)',
  'onefold_alarm_mail_backlog()',
];
