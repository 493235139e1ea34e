import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { askForService } from './ask-for-service.js';

export interface TestDatabase {
  /** Connects to the new database as its owner or a superuser. */
  url: string;
  name: string;
  /** Drops the database, even if there are open connections. */
  drop: () => Promise<void>;
}

/** Creates an empty database named `onefold_test_*`; no other database of the server is ever touched. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await askForService('postgres');
  const name = `onefold_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    drop: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
