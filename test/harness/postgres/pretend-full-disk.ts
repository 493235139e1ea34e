import pg from 'pg';

/**
 * Makes PostgreSQL refuse a new account, and every statement that needs a new file, as on a full disk. A disk that is full also refuses other rows,
 * where no page has room for them. @param url of the owner of the tables @returns gives it room again
 */
export async function pretendFullDisk(url: string): Promise<() => Promise<void>> {
  const refuse = `begin raise exception 'No space left on device' using errcode = '53100'; end`;
  await runStatements(url, [
    `create function is_full() returns trigger language plpgsql as $$ ${refuse} $$`,
    `create trigger is_full before insert on accounts execute function is_full()`,
    `create function no_room() returns event_trigger language plpgsql as $$ ${refuse} $$`,
    `create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_room()`,
  ]);
  return () =>
    runStatements(url, ['drop event trigger no_room', 'drop function no_room, is_full cascade']);
}

/** Runs statements, each in a transaction of its own. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
