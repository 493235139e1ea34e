import { QueryFailedError, type QueryRunner } from 'typeorm';

/** The columns that are searched by `onefold_search`, by table. */
const searched = {
  accounts: ['name', 'fullname'],
  integrations: ['name', 'fullname', 'names'],
};
/** Modules of PostgreSQL itself; the first one has indexes of parts of texts, the second one those of other columns beside them. */
const extensions = ['pg_trgm', 'btree_gin'];
/** The module is not installed at the server, or the owner of the tables may not add it to the database. */
const absent = ['0A000', '58P01', '42501'];

/**
 * Creates the missing indexes for searches by a part of a name, without stopping writes. Does nothing where PostgreSQL does not have what they
 * need: searches then read all rows, and the indexes are created when this runs again after it was installed.
 * @returns the names of those created
 */
export async function createSearchIndexes(runner: QueryRunner): Promise<string[]> {
  try {
    for (const name of extensions) await runner.query(`create extension if not exists ${name}`);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  const [{ schema } = { schema: '' }] = (await runner.query(
    "select quote_ident(nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'",
  )) as { schema: string }[];
  const rows = (await runner.query(
    'select indexrelid::regclass::text as name, indisvalid as "isValid" from pg_index where indexrelid::regclass::text = any($1)',
    [Object.keys(searched).map(indexOf)],
  )) as { name: string; isValid: boolean }[];
  const created: string[] = [];
  for (const [table, columns] of Object.entries(searched)) {
    const name = indexOf(table);
    const found = rows.find((row) => row.name === name);
    if (found?.isValid) continue;
    // It was being created when the process or the database stopped.
    if (found) await runner.query(`drop index concurrently ${name}`);
    const parts = columns.map((column) => `${column} ${schema}.gin_trgm_ops`);
    await runner.query(
      `create index concurrently ${name} on ${table} using gin (organization_id, ${parts.join(', ')})`,
    );
    created.push(name);
  }
  return created;
}

function indexOf(table: string): string {
  return `${table}_search`;
}

function isAbsent(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  return absent.includes((error.driverError as { code?: string }).code ?? '');
}
