import { readdirSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { DatabaseUnusable } from './database-unusable.js';

const folder = new URL('./migrations/', import.meta.url);

/** When each migration of this version was made, in epoch milliseconds, with the name of its file. Programs without a database have none. */
let known: [at: string, file: string][] | undefined;

function migrations(): [at: string, file: string][] {
  known ??= readdirSync(folder).flatMap((file) => {
    const [, at] = /^(\d{13})-[a-z0-9-]+\.js$/.exec(file) ?? [];
    return at === undefined ? [] : [[at, file.slice(0, -'.js'.length)]];
  });
  return known;
}

/**
 * Throws unless the tables are those of this version or of a later one, which only adds to them (docs/operations.md, Upgrades): every migration
 * has run, and every column that the kinds name is there.
 */
export async function checkTables(database: DataSource): Promise<void> {
  const ran = await database.query<{ at: string }[]>(
    'select "timestamp"::text as at from migrations',
  );
  const times = new Set(ran.map(({ at }) => at));
  const pending = migrations()
    .filter(([at]) => !times.has(at))
    .map(([, file]) => file);
  if (pending.length > 0) throw olderTables(`the migration ${pending.join(', ')} did not run`);
  const wanted = database.entityMetadatas.flatMap(({ tableName, columns }) =>
    columns.map(({ databaseName }) => `${tableName}.${databaseName}`),
  );
  const found = await database.query<{ name: string }[]>(
    `select relname || '.' || attname as name from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = current_schema::regnamespace and attnum > 0 and not attisdropped and relname = any($1)`,
    [database.entityMetadatas.map(({ tableName }) => tableName)],
  );
  const names = new Set(found.map(({ name }) => name));
  const missing = wanted.filter((name) => !names.has(name));
  if (missing.length > 0) throw olderTables(`there is no ${missing.slice(0, 5).join(', ')}`);
}

function olderTables(what: string): DatabaseUnusable {
  return new DatabaseUnusable(
    'the database',
    `its tables are not those of this version: ${what}`,
    'Run npm run -s admin -- migrate with the DATABASE_URL of the owner.',
    undefined,
  );
}
