import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '#test/harness';
import { migrate } from './data-source.js';
import { loadMigrations } from './migrations.js';
import { breakingChanges, lastReleased, readSchema } from './schema-changes.fixture.js';

/** A migration that says in `contracts` why no process of the last release needs what it takes away is not checked. */
type MigrationClass = (new () => MigrationInterface) & { contracts?: string };

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const numberOf = ({ name }: MigrationClass) => Number(/\d{13}$/.exec(name)?.[0]);

async function run(migrations: readonly MigrationClass[], url = database.url): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
  });
  await source.initialize();
  await source.runMigrations().finally(() => source.destroy());
}

it('migrations after the last release only add, unless they are marked as the step that contracts', async () => {
  const all: MigrationClass[] = await loadMigrations();
  const released = all.filter((one) => numberOf(one) <= lastReleased);
  expect(released.map(numberOf)).toContain(lastReleased);
  await run(released);
  const newer = all
    .filter((one) => numberOf(one) > lastReleased)
    .sort((one, other) => numberOf(one) - numberOf(other));
  const found: Record<string, string[]> = {};
  for (const migration of newer) {
    const before = await readSchema(client);
    await run([migration]);
    const changes = breakingChanges(before, await readSchema(client));
    if (changes.length > 0 && migration.contracts === undefined) found[migration.name] = changes;
  }
  // Add the new beside the old, and take the old away one release later: docs/operations.md, Upgrades.
  expect(found).toEqual({});
});

it('what is stored before states have orders and history has partitions is there afterwards', async () => {
  const filled = await createTestDatabase();
  const owner = new pg.Client({ connectionString: filled.url });
  await owner.connect();
  const all: MigrationClass[] = await loadMigrations();
  await run(
    all.filter((one) => numberOf(one) < 1_763_700_240_000),
    filled.url,
  );
  await owner.query(`
    insert into organizations (id, name, fullname, organization_type, refresh_token_id, created_at, updated_at)
      values ('org_a', 'a', 'A', 'root', 't', now(), now());
    insert into accounts (id, organization_id, name, fullname, environment, labels, created_at, updated_at)
      values ('acc_a', 'org_a', 'a', 'Acme', 'prod', '{}', now(), now());
    insert into integrations (id, organization_id, name, fullname, account_id, category, provider_type, provider_fullname, provider_config,
        refresh_token_id, created_at, updated_at)
      select id, 'org_a', id, 'Desk', 'acc_a', 'ticketing', 't', 'T', '{}', 't', '2026-01-01 00:00:00.123456Z', now()
      from unnest('{called,new}'::text[]) id;
    insert into integration_status (integration_id, organization_id, account_id, status, updated_at, requests)
      values ('called', 'org_a', 'acc_a', 'failing', '2026-01-02 00:00:00.123456Z', 7);
    insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
      select 'org_a', 'acc_a', 'called', n::text, now() - (41 - n) * interval '1 day', 'failing', n from generate_series(1, 40) n;
    insert into usage_hours (organization_id, account_id, integration_id, hour, requests)
      select 'org_a', 'acc_a', 'called', date_trunc('hour', now()) - n * interval '1 day', n from generate_series(1, 90) n;
    insert into operations (id, organization_id, account_id, integration_id, operation, input, status, created_at, updated_at)
      values ('opr_a', 'org_a', 'acc_a', 'called', 'o', '{}', 'COMPLETE', now(), now());
    insert into operation_executions (id, organization_id, account_id, integration_id, operation_id, operation, trigger_type, trigger_source,
        status, started_at, completed_at)
      select 'exe_' || n, 'org_a', 'acc_a', 'called', 'opr_a', 'o', 'API', 'manual', 'COMPLETE', now() - n * interval '1 day', now()
      from generate_series(1, 90) n`);
  const rows = async (statement: string) => (await owner.query(statement)).rows as unknown[];
  const history = `select (select array_agg(e.id order by id) from integration_events e) as events,
    (select sum(requests) from usage_hours) as hours,
    (select array_agg(e.id || e.name order by id) from operation_executions e) as runs`;
  const before = await rows(history);
  await run(all, filled.url);
  expect(await rows(history)).toEqual(before);
  expect(
    await rows(
      `select id, urgency, requests::int, fullname, names, updated_at from integration_statuses order by urgency`,
    ),
  ).toEqual([
    {
      id: 'called',
      urgency: 3,
      requests: 7,
      fullname: 'Desk',
      names: 'Desk Acme',
      updated_at: new Date('2026-01-02T00:00:00.123Z'),
    },
    {
      id: 'new',
      urgency: 7,
      requests: 0,
      fullname: 'Desk',
      names: 'Desk Acme',
      updated_at: new Date('2026-01-01T00:00:00.123Z'),
    },
  ]);
  // An insert as the version before makes it, and what goes with a job.
  await owner.query(
    `insert into integration_events (organization_id, account_id, integration_id, name, created_at, status, request)
     values ('org_a', 'acc_a', 'called', 'now', now(), 'healthy', 1)`,
  );
  expect(await rows(`select max(id)::int as max from integration_events`)).toEqual([{ max: 41 }]);
  await owner.query(`delete from accounts`);
  expect(await rows(history)).toMatchObject([{ events: null, runs: null }]);
  expect(await rows('select * from integration_status')).toEqual([]);
  await owner.end();
  await filled.drop();
});

describe('a database that the migrations before the baseline have made', () => {
  /** The migrations behind the baseline have run as they are. */
  const replaced = async (...names: string[]) => {
    await client.query('delete from migrations where timestamp <= 1763700196000');
    for (const name of names)
      await client.query('insert into migrations (timestamp, name) values (1, $1)', [name]);
  };

  it('is at the baseline when all of them ran', async () => {
    await replaced('Foundation1763700000000', 'StatusDrift1763700196000');
    expect(await migrate(database.url)).toEqual([]);
    const { rows } = await client.query('select name from migrations order by name');
    expect(rows.map(({ name }: { name: string }) => name)).toContain('Baseline1763700196000');
    expect(await migrate(database.url)).toEqual([]);
  });

  it('is refused when some did not run, with the way to run them', async () => {
    await replaced('Foundation1763700000000');
    await expect(migrate(database.url)).rejects.toThrow(
      'its migration StatusDrift1763700196000 did not run: run `admin migrate` of the last commit of version 0.1.0 first',
    );
  });
});

describe('a change of a table that an earlier version uses', () => {
  beforeAll(async () => {
    await client.query('create table lint (a text, b int not null default 1, c int)');
  });
  it.each([
    ['alter table lint drop column a', ['lint.a is dropped or renamed']],
    ['alter table lint rename column a to d', ['lint.a is dropped or renamed']],
    ['alter table lint rename to lent', ['lint is dropped or renamed']],
    ['drop table lint', ['lint is dropped or renamed']],
    ['alter table lint alter a set not null', ['lint.a is set not null without a default']],
    ['alter table lint alter c type bigint', ['lint.c changes from integer to bigint']],
    ['alter table lint alter b drop default', ['lint.b loses its default']],
    ['alter table lint add d text not null', ['lint.d is added not null without a default']],
    [
      "do $$ begin execute 'alter table lint drop column c'; end $$",
      ['lint.c is dropped or renamed'],
    ],
    ['alter table lint add d text', []],
    ["alter table lint add d text not null default ''", []],
    ["alter table lint alter a set default '', alter a set not null", []],
    ['alter table lint alter b drop not null', []],
    ['create table lint_more (a text not null)', []],
  ])('%s', async (statement, changes) => {
    await client.query('begin');
    try {
      const before = await readSchema(client);
      await client.query(statement);
      expect(breakingChanges(before, await readSchema(client))).toEqual(changes);
    } finally {
      await client.query('rollback');
    }
  });
});
