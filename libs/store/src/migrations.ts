import { readdirSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const folder = new URL('./migrations/', import.meta.url);

/** All migrations, which are the files of their folder: `<milliseconds>-<what it brings>.ts` exports one class. The first is the baseline. */
export async function loadMigrations(): Promise<(new () => MigrationInterface)[]> {
  const files = readdirSync(folder).filter((file) => /^\d{13}-[a-z0-9-]+\.js$/.test(file));
  const loaded = await Promise.all(
    files.map(async (file) => {
      const exported = Object.values((await import(new URL(file, folder).href)) as object);
      if (exported.length !== 1) throw new Error(`${file} has to export one migration`);
      return exported[0] as new () => MigrationInterface;
    }),
  );
  return loaded;
}

const baseline = { timestamp: 1_763_700_196_000, name: 'Baseline1763700196000' };
/** The first and the last of the migrations in whose place the baseline is. */
const [firstReplaced, lastReplaced] = ['Foundation1763700000000', 'StatusDrift1763700196000'];

/**
 * Marks the baseline as run in a database that the migrations before it have made: it has the same tables.
 * @throws Error if some of those did not run
 */
export async function adoptBaseline(runner: QueryRunner): Promise<void> {
  if (!(await runner.hasTable('migrations'))) return;
  const rows = (await runner.query('select name from migrations')) as { name: string }[];
  const names = rows.map(({ name }) => name);
  if (!names.includes(firstReplaced) || names.includes(baseline.name)) return;
  if (!names.includes(lastReplaced))
    throw new Error(
      `the database is from before the first release, and its migration ${lastReplaced} did not run: run \`admin migrate\` of the last commit of version 0.1.0 first, or use an empty database`,
    );
  await runner.query('insert into migrations (timestamp, name) values ($1, $2)', [
    baseline.timestamp,
    baseline.name,
  ]);
}
