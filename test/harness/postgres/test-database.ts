import { randomBytes } from 'node:crypto';
import { askForService } from '../services/ask-for-service.js';
import { createDatabase, type TestDatabase } from './create-database.js';

/** Creates an empty database named `onefold_test_*`; no other database of the server is ever touched. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await createDatabase(await askForService('postgres'), newName());
}

/** Like createTestDatabase, with the tables of this version. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const template = new URL(await askForService('template')).pathname.slice(1);
  return await createDatabase(await askForService('postgres'), newName(), template);
}

function newName(): string {
  return `onefold_test_${process.pid}_${randomBytes(6).toString('hex')}`;
}
