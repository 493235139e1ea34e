import pg from 'pg';

/** Returns every row of every table as text, after the name of the table. */
export async function dumpDatabase(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const dump: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      for (const { row } of rows) dump.push(`${name} ${row}`);
    }
    return dump;
  } finally {
    await client.end();
  }
}
