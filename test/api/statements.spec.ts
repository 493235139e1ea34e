import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(() => void jest.restoreAllMocks());

/**
 * Statements that are sent whatever calls are made: three times a second gateways and connectors ask for changes, gateways introspect tokens, every two seconds last uses and calls are written, and
 * expired records are removed behind the start of the service.
 */
const inBackground =
  /^select pg_notify\(\$1, \$2\)$|onefold_(?:token_organization|read|note_uses|audit_months|delivery_days|request_days|add_requests|prune|forget)/;

/** The three messages of a read of a table. */
const readOf = (table: string) => [
  expect.stringMatching(/^begin; set local onefold\.organization_id to 'org_\w+'$/),
  expect.stringMatching(new RegExp(`^select .* from "?${table}"? "?[ro]\\b`, 'i')),
  expect.stringMatching(/^select onefold_audit\('org_\w+', .*\)::text as at; commit$/),
];

/**
 * Returns the messages that the service sends to the database during a call; several statements in one text are one
 * message.
 */
async function sentDuring(method: string, path: string, body?: unknown): Promise<string[]> {
  const sent: string[] = [];
  const query = jest.spyOn(pg.Client.prototype, 'query');
  expect((await service.call(method, path, body)).status).toBe(200);
  for (const [config] of query.mock.calls as unknown as [string | { text: string }][])
    sent.push(typeof config === 'string' ? config : config.text);
  query.mockRestore();
  return sent.filter((text) => !inBackground.test(text));
}

/** Whether the service has sent each message during a call while it waited for the answer to the one before. */
async function sentWithoutAnswer(method: string, path: string): Promise<boolean[]> {
  const sent: { text: string; waits: boolean }[] = [];
  let waiting = 0;
  const { query: original } = pg.Client.prototype as unknown as {
    query: (this: unknown, config: unknown, ...rest: unknown[]) => Promise<unknown>;
  };
  const query = jest.spyOn(pg.Client.prototype, 'query') as jest.Mock;
  query.mockImplementation(function (this: unknown, config: unknown, ...rest: unknown[]) {
    const text = typeof config === 'string' ? config : (config as { text: string }).text;
    const answer = original.call(this, config, ...rest);
    if (inBackground.test(text)) return answer;
    sent.push({ text, waits: waiting > 0 });
    waiting += 1;
    return answer.finally(() => (waiting -= 1));
  });
  expect((await service.call(method, path)).status).toBe(200);
  query.mockRestore();
  return sent.map(({ waits }) => waits);
}

describe('a management call sends to the database', () => {
  it('three messages for a read: begin with the organization, the record, the audit record with the commit', async () => {
    await service.call('POST', '/v1/accounts', { name: 'counted' });
    for (const [path, table] of [
      ['/v1/accounts/counted', 'accounts'],
      ['/v1/accounts?limit=5', 'accounts'],
      ['/v1/mappings', 'mappings'],
      ['/v1/roles', 'roles'],
      ['/v1/organization', 'organizations'],
    ] as const)
      expect([path, await sentDuring('GET', path)]).toEqual([path, readOf(table)]);
  });

  it('the record of a read without waiting for the answer to its begin', async () => {
    await service.call('POST', '/v1/accounts', { name: 'waited' });
    expect(await sentWithoutAnswer('GET', '/v1/accounts/waited')).toEqual([false, true, false]);
  });

  it('two messages for a write beside those of its work, of which one asks who is told', async () => {
    const sent = await sentDuring('POST', '/v1/accounts', { name: 'made' });
    const work = sent.filter((text) => / "?(?:accounts|organization_webhooks)\b/i.test(text));
    expect(work.filter((text) => / organization_webhooks/.test(text))).toHaveLength(1);
    expect(sent).toHaveLength(work.length + 2);
  });
});
