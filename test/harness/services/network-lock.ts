import pg from 'pg';
import { askForService } from './ask-for-service.js';

const key = 7_103;

/**
 * Keeps the addresses of this machine as they are until it is released (`shared`), or waits for all who keep them (`alone`). Chromium
 * ends its requests with ERR_NETWORK_CHANGED when an interface comes or goes, such as that of a network namespace of another spec.
 * @returns releases it
 */
export async function lockNetwork(how: 'shared' | 'alone'): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: await askForService('postgres') });
  await client.connect();
  const take = how === 'shared' ? 'pg_advisory_lock_shared' : 'pg_advisory_lock';
  await client.query(`select ${take}(${key})`);
  return () => client.end();
}
