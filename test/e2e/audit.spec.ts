import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Onefold, startDistributed } from './onefold.js';
import { startApp } from './processes.js';

let onefold: Onefold;
let database: pg.Client;
beforeAll(async () => {
  onefold = await startDistributed({}, { worker: false });
  database = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await onefold.stop();
});

/** Lists or creates accounts; undefined for a call without a response. */
async function statusOf(lists: boolean, name: string, agent: Agent): Promise<number | undefined> {
  const sent = request(`${onefold.api.url}/v1/accounts`, {
    agent,
    method: lists ? 'GET' : 'POST',
    headers: { ...onefold.api.headers, 'x-request-id': name, 'content-type': 'application/json' },
  });
  return await new Promise((settle) => {
    sent.once('error', () => settle(undefined));
    sent.once('response', (response) => {
      response.resume().once('error', () => settle(undefined));
      response.once('end', () => settle(response.statusCode));
    });
    sent.end(lists ? undefined : JSON.stringify({ name }));
  });
}

describe('the audit trail of a management service that is killed under load', () => {
  it('has every call that was answered, and every change its record', async () => {
    const { api, processes, env = {} } = onefold;
    const answered = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const agent = new Agent({ keepAlive: true });
      const before = answered.size;
      let ended = false;
      const caller = async (index: number) => {
        for (let count = 0; !ended; count += 1) {
          const name = `kill-${round}-${index}-${count}`;
          if ((await statusOf(count % 3 === 0, name, agent)) === 200) answered.add(name);
        }
      };
      const callers = Promise.all(Array.from({ length: 16 }, (_, index) => caller(index)));
      while (answered.size < before + 100) await sleep(5);
      await processes['management']?.stop('SIGKILL');
      await sleep(100); // Responses that are still being sent count.
      ended = true;
      agent.destroy();
      await callers;
      const again = startApp('management', [], env);
      processes['management'] = again;
      await again.says(/"message":"ready"/);
      await eventually(() => api.call('accounts_list', { query: { limit: 1 } }));
    }
    const rows = await database.query<{ request_id: string }>(
      `select request_id from audit_records where request_id like 'kill-%' and code = '200'`,
    );
    const recorded = new Set(rows.rows.map(({ request_id }) => request_id));
    expect(answered.size).toBeGreaterThanOrEqual(300); // 100 of each round, and those of its last moment
    expect([...answered].filter((id) => !recorded.has(id))).toEqual([]);
    const unrecorded = await database.query(
      `select name from accounts a where not exists (
         select from audit_records r where r.request_id = a.name and r.account_id = a.id)`,
    );
    expect(unrecorded.rows).toEqual([]);
  });
});
