import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Problem } from '#contract';
import { type Onefold, startDistributed } from './onefold.js';
import { type Running, startApp } from './processes.js';

/**
 * Maximum time to a response after the process that took the call has ended. docs/bus.md promises 3 s, and the bus counts 1.5 s of
 * them; the rest is for a busy machine. Without a notice the call would end after its minute.
 */
const maxNoticeMs = 45_000;

let onefold: Onefold;
let provider: Server;
let headers: Record<string, string>;
let url: string;
let connector: Running;
const asked: [IncomingMessage, ServerResponse][] = [];

beforeAll(async () => {
  provider = createServer((...exchange) => void asked.push(exchange)).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  onefold = await startDistributed({}, { worker: false });
  const { api } = onefold;
  const { account } = (await api.call('accounts_create', { body: { name: 'killed' } })).result;
  const made = await api.call('integrations_create', {
    path: { accountId: account.id },
    body: {
      provider_config: {
        type: 'ticketing_github',
        repository: 'octo-org/desk',
        url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        credential: { type: 'token', secret: 'agent-token' },
      } as never,
    },
  });
  url = `${api.url}/v1/ticketing/tickets`;
  headers = {
    authorization: `Bearer ${made.result.token.access.secret}`,
    'content-type': 'application/json',
  };
  if (onefold.processes['connector'] === undefined) throw new Error('there is no connector');
  connector = onefold.processes['connector'];
});
afterAll(async () => {
  await onefold.stop();
  provider.closeAllConnections();
  provider.close();
});

/** Starts another connector, which is stopped with the rest. */
async function startConnector(): Promise<Running> {
  const started = startApp('connector', [], onefold.env);
  onefold.processes[`connector ${Object.keys(onefold.processes).length}`] = started;
  await started.says(/"message":"ready"/);
  return started;
}

async function nextAsked(): Promise<[IncomingMessage, ServerResponse]> {
  await once(provider, 'request');
  const exchange = asked.at(-1);
  if (exchange === undefined) throw new Error('the provider was not asked');
  return exchange;
}

async function create(more: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify({ name: 'Printer', summary: 'Printer', description: 'It smokes' }),
  });
  return { status: response.status, problem: (await response.json()) as Problem, at: Date.now() };
}

/** Kills the connector during a call of the provider, and starts another one. */
async function createAndKill(more: Record<string, string> = {}) {
  const next = nextAsked();
  const created = create(more);
  await next;
  const killedAt = Date.now();
  await connector.stop('SIGKILL');
  const { status, problem, at } = await created;
  expect(at - killedAt).toBeLessThan(maxNoticeMs);
  connector = await startConnector();
  return { status, problem };
}

describe('a connector that is killed', () => {
  it('leaves its read to another one', async () => {
    const first = nextAsked();
    const answer = fetch(`${url}/1`, { headers });
    await first;
    const other = await startConnector();
    const second = nextAsked();
    const killedAt = Date.now();
    await connector.stop('SIGKILL');
    connector = other;
    const [, response] = await second;
    expect(Date.now() - killedAt).toBeLessThan(maxNoticeMs);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
    expect((await answer).status).toBe(404);
  });

  it('ends its write with a 503 that says what to look for', async () => {
    const { status, problem } = await createAndKill();
    expect(status).toBe(503);
    expect(problem.detail).toContain('outcome is unknown');
    expect(problem.remediation).toContain('list or get the record');
  });

  it('does not make a retry with the same Idempotency-Key call the provider again', async () => {
    const key = { 'idempotency-key': 'once-and-for-all' };
    const { status, problem } = await createAndKill(key);
    expect([status, problem.detail]).toEqual([503, expect.stringContaining('outcome is unknown')]);
    const before = asked.length;
    expect((await create(key)).status).toBe(409);
    expect(asked.length).toBe(before);
  });
});

describe('what integrations of a mock have changed', () => {
  it('stays when the connector is killed, and is of the one integration alone', async () => {
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'mocks' } })).result;
    const integrate = async (name: string) => {
      const { result } = await api.call('integrations_create', {
        path: { accountId: account.id },
        body: {
          name,
          provider_config: { type: 'edr_crowdstrike_mock', dataset: 'basic_v0' } as never,
        },
      });
      return { id: result.integration.id, client: api.as(result.token.access.secret) };
    };
    const [mine, other] = [await integrate('mine'), await integrate('other')];
    const laptop = '32cf9d60dcf51c2d2f53449a09320ca4'; // AP-UTR-L0019
    const states = async ({ client }: typeof mine) => {
      const found = await client.call('edr_get_endpoint', { path: { id: laptop } });
      const { result: indicators } = await client.call('edr_query_iocs');
      return {
        network: (found.result.device as { network_status?: string }).network_status,
        patterns: indicators.map((one) => String(one['pattern'])),
      };
    };
    const before = await states(other);
    await mine.client.call('edr_network_quarantine', {
      body: { state: 'Disconnect', endpoint_ids: [laptop] },
    });
    const pattern = "[domain-name:value = 'kept.example']";
    const at = '2026-11-21T12:00:00Z';
    await mine.client.call('edr_create_iocs', {
      body: {
        indicators: [
          {
            type: 'indicator',
            spec_version: '2.1',
            pattern_type: 'stix',
            pattern,
            id: 'indicator--6f4a3d0e-2c1b-4f5e-9a8d-7c6b5a4f3e2d',
            created: at,
            modified: at,
            valid_from: at,
          },
        ],
      } as never,
    });
    await connector.stop('SIGKILL');
    connector = await startConnector();
    const after = await states(mine);
    expect(after.network).toMatch(/^(Pending Isolation|Isolated)$/);
    expect(after.patterns).toContain(pattern);
    expect(await states(other)).toEqual(before);
    expect(before.patterns).not.toContain(pattern);
    const path = { accountId: account.id, integrationId: mine.id };
    await api.call('integrations_delete', { path });
    const again = await integrate('mine');
    expect(await states(again)).toEqual(before);
  });
});

describe('a management service that is killed', () => {
  it('ends the call that waits for it', async () => {
    const { management } = onefold.processes;
    if (management === undefined) throw new Error('there is no management service');
    await onefold.api.call('accounts_list'); // The token is known now, so that the call itself is what waits.
    management.child.kill('SIGSTOP'); // It took the call and does nothing.
    const answer = fetch(`${onefold.api.url}/v1/accounts`, {
      method: 'POST',
      headers: { ...onefold.api.headers, 'content-type': 'application/json' },
      body: '{"name":"never"}',
    }).then((response) => ({ status: response.status, at: Date.now() }));
    await new Promise((settle) => setTimeout(settle, 1_500)); // The gateway has asked it meanwhile.
    const killedAt = Date.now();
    await management.stop('SIGKILL');
    const { status, at } = await answer;
    expect(status).toBe(503);
    expect(at - killedAt).toBeLessThan(maxNoticeMs);
  });
});
