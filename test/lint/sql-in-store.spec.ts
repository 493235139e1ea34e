import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';

let sqlInStore: object;
beforeAll(async () => {
  const file = pathToFileURL(join(process.cwd(), 'tools/sql-in-store.mjs')).href;
  ({ sqlInStore } = (await import(file)) as { sqlInStore: object });
});

function messagesFor(code: string): string[] {
  const config = { plugins: { store: sqlInStore }, rules: { 'store/sql-in-store': 'error' } };
  return new Linter().verify(code, config as Linter.Config).map(({ message }) => message);
}

describe('the lint rule sql-in-store', () => {
  it.each([
    "tx.query('select name from roles where organization_id = $1', [id]);",
    "tx.query('SELECT name FROM roles');",
    "tx.query('select onefold_audit($1)');",
    "tx.query('select 1');",
    'const text = `\n  select ${columns}\n  from ${table}`;',
    'tx.query(`insert into ${table} (id) values ($1)`);',
    'tx.query(`update ${table} set name = $1`);',
    "tx.query('update deliveries d set name = $1');",
    "tx.query('delete from roles');",
    "tx.query('with ended as (delete from roles returning 1) select 1');",
    "client.query('set local role onefold_application');",
    "tx.manager.createQueryBuilder('r');",
  ])('refuses %j', (code) => {
    expect(messagesFor(code)).toEqual([expect.stringContaining('libs/store/src/queries')]);
  });

  it.each([
    "fail('Select another group with bridge_selector first.');",
    "fail('select at least one label');",
    "fail('Update the record, and set its name.');",
    "fail('with the name as (optional) text');",
    "fail('Insert into the list what is missing.');",
    "roleQueries.rename(tx, 'a', 'b');",
    "reader.query(['http', 'message'], names);",
  ])('accepts %j', (code) => {
    expect(messagesFor(code)).toEqual([]);
  });
});
