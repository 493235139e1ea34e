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

async function run(migrations: readonly MigrationClass[]): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url: database.url,
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
