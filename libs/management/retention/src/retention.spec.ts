import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { createIds, ManagementSettings } from '#config';
import { connectDatabase, kinds, Store } from '#store';
import { createMigratedDatabase, type TestDatabase } from '#test/harness';
import { Retention } from './index.js';

let database: TestDatabase;
let owner: pg.Client;
let store: Store;
beforeAll(async () => {
  Logger.overrideLogger(false); // The failures of this spec are intended.
  database = await createMigratedDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  store = new Store(await connectDatabase({ url: database.url }));
  // The database is a copy of one that this run made, perhaps on the day before, with the partitions of that day.
  await new Retention(store, new ManagementSettings()).run();
  await owner.query(
    `insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
     values ('org_a', 'a', 'A', 'root', 'tok_default', now(), now())`,
  );
});
afterAll(async () => {
  await store.close();
  await owner.end();
  await database.drop();
});

const months = async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'audit_records'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
};
/** Name of the partition a number of months from now, such as `audit_records_2026_11`. */
const monthName = (ahead: number) => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  return `audit_records_${month.toISOString().slice(0, 7).replace('-', '_')}`;
};
const addMonth = async (ahead: number) => {
  const [from, to] = [monthName(ahead), monthName(ahead + 1)].map((name) =>
    name.slice(-7).replace('_', '-'),
  );
  await owner.query(
    `create table ${monthName(ahead)} partition of audit_records
     for values from ('${from}-01 00:00Z') to ('${to}-01 00:00Z')`,
  );
};
const ids = async (table: string, column: string) =>
  (await owner.query<{ id: string }>(`select ${column} as id from ${table} order by 1`)).rows.map(
    ({ id }) => id,
  );

describe('retention', () => {
  it('creates future partitions of the audit trail, and drops those that are completely over', async () => {
    await owner.query(`drop table ${monthName(3)}`);
    for (const ahead of [-2, -3, -4]) await addMonth(ahead);
    const done = await store.keepMonths(75);
    expect(await months()).toEqual([-2, 0, 1, 2, 3].map(monthName));
    expect(done).toEqual([
      `created ${monthName(3)}`,
      `dropped ${monthName(-4)}`,
      `dropped ${monthName(-3)}`,
    ]);
  });

  it('creates the coming partitions of runs, changes of states and usage, and drops those that are over', async () => {
    const partitions = async (table: string) => {
      const { rows } = await owner.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
        [table],
      );
      return rows.map(({ name }) => name);
    };
    const addPart = async (table: string, name: string, from: number, to: number) => {
      const [begin, end] = [from, to].map((days) =>
        new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
      );
      await owner.query(
        `create table ${table}_${name} partition of ${table} for values from ('${begin} 00:00Z') to ('${end} 00:00Z')`,
      );
    };
    const tables = ['operation_executions', 'integration_events', 'usage_hours'];
    // All that is old is in the partition of the time before there were partitions.
    for (const table of tables) {
      expect(await partitions(table)).toContain(`${table}_before`);
      await owner.query(`drop table ${table}_before`);
    }
    const kept = new Map([
      ['operation_executions', 90],
      ['integration_events', 30],
      ['usage_hours', 90],
    ]);
    for (const [table, days] of kept) {
      await addPart(table, 'over', days + 10, days + 2);
      await addPart(table, 'kept', days + 2, days - 5);
    }
    // One run took so long that it ended a moment ago.
    await addPart('operation_executions', 'long', 120, 110);
    await owner.query(
      `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type,
         trigger_source, status, started_at, completed_at)
       values ('exe_long', 'org_a', 'acc_a', 'int_a', 'opr_long', 'o', 'API', 'manual', 'COMPLETE', now() - interval '115 days', now())`,
    );
    const done = await store.keepHistory();
    for (const table of tables) {
      const left = await partitions(table);
      expect(left).toContain(`${table}_kept`);
      expect(left).not.toContain(`${table}_over`);
      expect(done).toContain(`dropped ${table}_over`);
    }
    expect(await partitions('operation_executions')).toContain('operation_executions_long');
    await owner.query('update operation_executions set completed_at = started_at');
    expect(await store.keepHistory()).toEqual(['dropped operation_executions_long']);
    // Rows of now have a partition again.
    await owner.query(
      `insert into usage_hours (organization_id, account_id, integration_id, hour) values ('org_a', 'acc_a', 'int_a', date_trunc('hour', now()))`,
    );
  });

  it('stores what a clock that is ahead says, and moves it to its partition once there is one', async () => {
    const { rows: found } = await owner.query<{ next: string; begins: Date }>(
      `select 'operation_executions_' || to_char(at, 'YYYY_MM_DD') as next, at at time zone 'UTC' as begins
       from (select date_trunc('month', now() at time zone 'UTC') + interval '2 months' as at) month`,
    );
    const { next, begins } = found[0] ?? { next: '', begins: new Date() };
    await owner.query(`drop table ${next}`);
    for (const [id, days] of [
      ['exe_next', 3],
      ['exe_far', 400],
    ] as const)
      await owner.query(
        `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type,
           trigger_source, status, started_at, completed_at)
         values ($1, 'org_a', 'acc_a', 'int_a', 'opr_ahead', 'o', 'API', 'manual', 'COMPLETE', $2, $2)`,
        [id, new Date(begins.getTime() + days * 86_400_000)],
      );
    expect(await store.keepHistory()).toEqual([`created ${next}`]);
    const { rows } = await owner.query<{ id: string; part: string }>(
      `select id, tableoid::regclass::text as part from operation_executions where operation_id = 'opr_ahead' order by id`,
    );
    expect(rows).toEqual([
      { id: 'exe_far', part: 'operation_executions_other' },
      { id: 'exe_next', part: next },
    ]);
    await owner.query(`delete from operation_executions where operation_id = 'opr_ahead'`);
  });

  it('removes jobs that ended 90 days ago, with their runs, and none that goes on', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    await owner.query(
      `insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
       values ('acc_a', 'org_a', 'a', 'A', 'prod', '{}', now(), now())`,
    );
    await owner.query(
      `insert into integrations (id, organization_id, name, fullname, account_id, category, provider_type, provider_fullname,
         provider_config, refresh_token_id, created_at, updated_at)
       values ('int_a', 'org_a', 'a', 'A', 'acc_a', 'ticketing', 't', 'T', '{}', 'tok_a', now(), now())`,
    );
    const jobs = [
      ['old', 'COMPLETE', 91],
      ['cancelled', 'CANCELLED', 91],
      ['running', 'PROCESSING', 91],
      ['new', 'COMPLETE', 89],
    ] as const;
    for (const [index, [name, status, days]] of jobs.entries()) {
      const startedAt = new Date(at(days).getTime() - index * 60_000); // No two runs of an organization start at once.
      await owner.query(
        `insert into operations (id, organization_id, account_id, integration_id, operation, input, status, created_at, updated_at)
         values ($1, 'org_a', 'acc_a', 'int_a', 'ticketing_query_tickets', '{}', $2, $3, $3)`,
        [name, status, at(days)],
      );
      await owner.query(
        `insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type,
           trigger_source, status, started_at, completed_at)
         values ($1, 'org_a', 'acc_a', 'int_a', $1, 'ticketing_query_tickets', 'API', 'manual', 'COMPLETE', $2, $2)`,
        [name, startedAt],
      );
    }
    await store.prune();
    expect(await ids('operations', 'id')).toEqual(['new', 'running']);
    // Runs of jobs that go on go with their month.
    expect(await ids('operation_executions', 'id')).toEqual(['new', 'running']);
    await owner.query(`delete from accounts where id = 'acc_a'`);
  });

  it('creates the coming days of deliveries, drops those of 30 days ago, and ends what waited for too long', async () => {
    const days = async () => {
      const { rows } = await owner.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent in ('deliveries'::regclass, 'delivery_attempts'::regclass) order by 1`,
      );
      return rows.map(({ name }) => name);
    };
    const dayMs = 86_400_000;
    const day = (ago: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs - ago * dayMs);
    const name = (table: string, ago: number) =>
      `${table}_${day(ago).toISOString().slice(0, 10).replaceAll('-', '_')}`;
    const tables = ['deliveries', 'delivery_attempts'];
    const kept = [1, 0, -1, -2, -3, -4, -5, -6, -7]; // yesterday, today, and a week ahead
    for (const table of tables) await owner.query(`drop table ${name(table, -7)}`);
    for (const ago of [31, 29])
      for (const table of tables)
        await owner.query(
          `do $$ begin execute format('create table ${name(table, ago)} partition of ${table} for values from (%L) to (%L)',
             onefold_delivery_bound('${day(ago).toISOString()}'), onefold_delivery_bound('${day(ago - 1).toISOString()}')); end $$`,
        );
    const stored = (ago: number, expires: string) =>
      owner.query<{ id: string }>(
        `insert into deliveries (organization_id, id, endpoint_id, event, payload, status, next_attempt_at, expires_at, created_at, updated_at)
         values ('org_a', $1, 'owh_a', 'account_create', '{}', 'waiting', null, now() + $2::interval, now(), now())`,
        [createIds({ now: () => Date.now() - ago * dayMs }).next(kinds.deliveries), expires],
      );
    await stored(31, '-1 day');
    await stored(29, '-1 hour');
    await stored(0, '1 hour');
    const done = await store.keepDeliveryDays(30);
    expect(await days()).toEqual(
      tables.flatMap((table) => [...kept, 29].map((ago) => name(table, ago))).toSorted(),
    );
    expect(done).toEqual([
      `created ${name('deliveries', -7)}`,
      `dropped ${name('deliveries', 31)}`,
      `created ${name('delivery_attempts', -7)}`,
      `dropped ${name('delivery_attempts', 31)}`,
      'ended 1 deliveries',
    ]);
    const { rows } = await owner.query('select status, reason from deliveries order by id');
    expect(rows).toEqual([
      { status: 'failed', reason: 'expired' },
      { status: 'waiting', reason: null },
    ]);
  });

  it('keeps deliveries for the days of its settings', async () => {
    const partition = (ago: number) => {
      const day = (days: number) =>
        new Date((Math.floor(Date.now() / 86_400_000) - days) * 86_400_000);
      const [from, to] = [day(ago).toISOString(), day(ago - 1).toISOString()];
      const name = `deliveries_${from.slice(0, 10).replaceAll('-', '_')}`;
      return { name, from, to };
    };
    const [kept, over] = [partition(9), partition(11)];
    for (const { name, from, to } of [kept, over])
      await owner.query(
        `do $$ begin execute format('create table ${name} partition of deliveries for values from (%L) to (%L)',
           onefold_delivery_bound('${from}'), onefold_delivery_bound('${to}')); end $$`,
      );
    await new Retention(store, { ...new ManagementSettings(), deliveryDays: 10 }).run();
    const { rows } = await owner.query<{ name: string }>(
      'select relname as name from pg_class where relname = any($1)',
      [[kept.name, over.name]],
    );
    expect(rows.map(({ name }) => name)).toEqual([kept.name]);
  });

  it('keeps calls of the request log for the days of its settings', async () => {
    const partition = (ago: number) => {
      const day = (days: number) =>
        new Date((Math.floor(Date.now() / 86_400_000) - days) * 86_400_000).toISOString();
      const name = `request_records_${day(ago).slice(0, 10).replaceAll('-', '_')}`;
      const bound = (days: number) => `'req_' || substr(onefold_delivery_bound('${day(days)}'), 5)`;
      return { name, from: bound(ago), to: bound(ago - 1) };
    };
    const [kept, over] = [partition(2), partition(4)];
    for (const { name, from, to } of [kept, over])
      await owner.query(
        `do $$ begin execute format('create table ${name} partition of request_records for values from (%L) to (%L)',
           ${from}, ${to}); end $$`,
      );
    await new Retention(store, { ...new ManagementSettings(), requestLogDays: 3 }).run();
    const { rows } = await owner.query<{ name: string }>(
      'select relname as name from pg_class where relname = any($1)',
      [[kept.name, over.name]],
    );
    expect(rows.map(({ name }) => name)).toEqual([kept.name]);
  });

  it('skips a partition that is being read, and drops it later', async () => {
    await addMonth(-5);
    await owner.query(`drop table ${monthName(3)}`);
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select from audit_records');
    expect(await store.keepMonths(75)).toEqual([
      `created ${monthName(3)}`,
      `${monthName(-5)} is in use`,
    ]);
    await reader.query('commit');
    await reader.end();
    expect(await store.keepMonths(75)).toEqual([`dropped ${monthName(-5)}`]);
  });

  it('runs once if every replica tries at the same time', async () => {
    await owner.query(`drop table ${monthName(3)}`);
    const done = await Promise.all(Array.from({ length: 8 }, () => store.keepMonths(365)));
    expect(done.flat()).toEqual([`created ${monthName(3)}`]);
  });

  it('removes abandoned sign-ons, and keeps those in progress', async () => {
    await owner.query(`
      insert into sso_configurations values ('sso_a', 'org_a', 'idp', 'Idp', now(), now(), 'saml', '{}');
      insert into sso_sign_ons (id, organization_id, sso_id, browser_hash, remote_address, identity, created_at, expires_at)
        select id, 'org_a', 'sso_a', '', '', '{"email": "alice@example.test"}', now(), now() + minutes * interval '1 minute'
        from (values ('over', -1), ('open', 1)) t (id, minutes);
    `);
    await store.prune();
    expect(await ids('sso_sign_ons', 'id')).toEqual(['open']);
  });

  it('removes expired keys, tokens and spent secrets, and no others', async () => {
    await owner.query(`
      insert into idempotency_keys select 'org_a', 'tok', 'op', 'key-' || n, 'h', null, now() - make_interval(hours => n)
        from unnest(array[1, 23, 25, 100]) n;
      insert into idempotency_keys select 'org_a', 'tok', 'op', 'old-' || n, 'h', null, now() - interval '2 days'
        from generate_series(1, 12000) n;
      insert into tokens select name, 'org_a', name, name, now(), now(), 'org_a', 'organization', null, null, type, '1h',
          now() - make_interval(days => days), null, '{}', '{}', null, false
        from (values ('tok_live', 'adhoc', -1), ('tok_late', 'adhoc', 10), ('tok_over', 'adhoc', 31),
          ('tok_session', 'logon', 40), ('tok_default', 'default', 400)) t (name, type, days);
      insert into token_secrets (hash, token_id, organization_id, kind, created_at, spent_at) values
        ('live', 'tok_live', 'org_a', 'refresh', now() - interval '300 days', null),
        ('spent', 'tok_live', 'org_a', 'refresh', now() - interval '300 days', now() - interval '29 days'),
        ('long', 'tok_live', 'org_a', 'refresh', now() - interval '300 days', now() - interval '31 days'),
        ('over', 'tok_over', 'org_a', 'access', now() - interval '300 days', null);
    `);
    expect(await store.prune()).toEqual([
      'removed 12002 idempotency_keys',
      'removed 2 tokens',
      'removed 1 token_secrets',
    ]);
    expect(await ids('idempotency_keys', 'key')).toEqual(['key-1', 'key-23']);
    expect(await ids('tokens', 'id')).toEqual(['tok_default', 'tok_late', 'tok_live']);
    // The secret of a removed token stays known as spent.
    expect(await ids('token_secrets where spent_at is null', 'hash')).toEqual(['live']);
    expect(await ids('token_secrets where spent_at is not null', 'hash')).toEqual([
      'over',
      'spent',
    ]);
  });

  it('logs a failure and tries again', async () => {
    const failing = {
      keepMonths: () => Promise.reject(new Error('the database is not available')),
    };
    await expect(
      new Retention(failing as unknown as Store, new ManagementSettings()).run(),
    ).resolves.toBeUndefined();
  });
});
