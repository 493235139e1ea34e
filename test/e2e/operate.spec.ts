import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Problem } from '#contract';
import { eventually, until } from '#test/harness';
import { newFolder, type Onefold, startDistributed } from './onefold.js';
import { createMockIntegration } from './records.js';
import { ended, type Running, startApp } from './processes.js';

// An operator's bad day: each process says whether it serves, a call that cannot be served fails soon and says why, and its id finds why.

interface Ready {
  ready: boolean;
  checks: Record<string, string>;
}

/** A call that cannot be served fails within a second; the rest is for a busy machine, and far less than the ten seconds of a look-up. */
const maxFailMs = 6_000;

let onefold: Onefold;
let url: string;
let headers: Record<string, string>;
let ids: { accountId: string; integrationId: string };
let provider: Server;
const held: ServerResponse[] = [];

beforeAll(async () => {
  provider = createServer((_request, response) => void held.push(response));
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  onefold = await startDistributed({}, { worker: false });
  const mock = await createMockIntegration(onefold.api, 'operate');
  ids = mock;
  headers = { authorization: `Bearer ${mock.token}` };
  url = `${onefold.api.url}/v1/ticketing/tickets?limit=1`;
  expect((await call('first')).status).toBe(200);
});
afterAll(async () => {
  for (const { child } of Object.values(onefold.processes)) child.kill('SIGCONT');
  await onefold.stop();
  provider.closeAllConnections();
  provider.close();
});

function processOf(name: string): Running {
  const running = onefold.processes[name];
  if (running === undefined) throw new Error(`there is no ${name}`);
  return running;
}

async function observeOf(running: Running): Promise<string> {
  const [, observe = ''] = await running.says(/"observe":"([^"]+)"/);
  return observe;
}

async function readinessOf(running: Running): Promise<Ready> {
  const response = await fetch(`${await observeOf(running)}/health/ready`);
  const readiness = (await response.json()) as Ready;
  expect(response.status).toBe(readiness.ready ? 200 : 503);
  return readiness;
}

async function call(requestId: string, path = url) {
  const begun = performance.now();
  const response = await fetch(path, { headers: { ...headers, 'x-request-id': requestId } });
  const body = (await response.json()) as Problem;
  const { status } = response;
  return {
    status,
    body,
    after: response.headers.get('retry-after'),
    ms: performance.now() - begun,
  };
}

/** Returns the line of a process that names a request. */
async function lineOf(running: Running, requestId: string): Promise<Record<string, unknown>> {
  const [line] = await running.says(new RegExp(`^.*"request_id":"${requestId}".*$`, 'm'));
  return JSON.parse(line) as Record<string, unknown>;
}

describe('readiness', () => {
  it('is said at the port of the API too, without what is missing', async () => {
    const response = await fetch(`${onefold.api.url}/health/ready`);
    expect([response.status, await response.json()]).toEqual([200, { ready: true }]);
    expect((await fetch(`${onefold.api.url}/metrics`)).status).toBe(404);
  });

  it('of gateway and connector names a management service that hangs, and that it is back', async () => {
    const { child } = processOf('management');
    child.kill('SIGSTOP');
    for (const name of ['gateway', 'connector'])
      await eventually(async () =>
        expect(await readinessOf(processOf(name))).toMatchObject({
          ready: false,
          checks: { bus: 'ok', management: expect.stringContaining('the management service') },
        }),
      );
    expect((await fetch(`${onefold.api.url}/health/ready`)).status).toBe(503);
    child.kill('SIGCONT');
    for (const name of ['gateway', 'connector'])
      await eventually(async () => expect((await readinessOf(processOf(name))).ready).toBe(true));
  });

  it('of a process with another key names it', async () => {
    const keyFile = join(newFolder(), 'key');
    writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
    const env = { ...onefold.env, KEY_FILE: keyFile, PORT: '0' };
    const wrong = startApp('gateway', [], env);
    onefold.processes['wrong gateway'] = wrong;
    await eventually(async () =>
      expect(await readinessOf(wrong)).toMatchObject({
        ready: false,
        checks: {
          bus: expect.stringContaining('Give every process the same key file.'),
          management: expect.stringContaining('the management service'),
        },
      }),
    );
    await wrong.stop();
  });

  it('is refused on tables of an older version, and is gone where a column goes', async () => {
    const client = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
    await client.connect();
    try {
      await client.query('alter table accounts rename column fullname to former_name');
      await eventually(async () =>
        expect((await readinessOf(processOf('management'))).checks['database']).toContain(
          'there is no accounts.fullname',
        ),
      );
      const late = startApp('management', [], onefold.env);
      expect(await ended(late)).toMatchObject({
        code: 1,
        text: expect.stringContaining('there is no accounts.fullname'),
      });
    } finally {
      await client.query('alter table accounts rename column former_name to fullname');
      await client.end();
    }
    await eventually(async () =>
      expect((await readinessOf(processOf('management'))).ready).toBe(true),
    );
  });
});

describe('a call', () => {
  it('is counted by the connector while it waits for its provider', async () => {
    const { api } = onefold;
    const port = (provider.address() as AddressInfo).port;
    const made = await api.call('integrations_create', {
      path: { accountId: ids.accountId },
      body: {
        provider_config: {
          type: 'ticketing_github',
          repository: 'octo-org/desk',
          url: `http://127.0.0.1:${port}`,
          credential: { type: 'token', secret: 'agent-token' },
        } as never,
      },
    });
    const authorization = `Bearer ${made.result.token.access.secret}`;
    const waiting = fetch(`${api.url}/v1/ticketing/tickets/1`, { headers: { authorization } });
    await until(() => held.length > 0);
    const observe = await observeOf(processOf('connector'));
    const metrics = await (await fetch(`${observe}/metrics`)).text();
    expect(metrics).toMatch(/^onefold_requests_in_flight\{service="connector"\} 1$/m);
    held[0]?.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}');
    expect((await waiting).status).toBe(404);
    await eventually(async () =>
      expect(await (await fetch(`${observe}/metrics`)).text()).toMatch(
        /^onefold_requests_in_flight\{service="connector"\} 0$/m,
      ),
    );
  });

  it('that its provider fails is a warning with its ids and its provider, and without a stack', async () => {
    const { api } = onefold;
    const made = await api.call('integrations_create', {
      path: { accountId: ids.accountId },
      body: {
        provider_config: {
          type: 'ticketing_github',
          repository: 'octo-org/desk',
          url: 'http://127.0.0.1:1',
          credential: { type: 'token', secret: 'agent-token' },
        } as never,
      },
    });
    const response = await fetch(`${api.url}/v1/ticketing/tickets/1`, {
      headers: {
        authorization: `Bearer ${made.result.token.access.secret}`,
        'x-request-id': 'unreachable',
      },
    });
    expect(response.status).toBe(502);
    const whose = { account_id: ids.accountId, integration_id: made.result.integration.id };
    const atGateway = await lineOf(processOf('gateway'), 'unreachable');
    expect(atGateway).toMatchObject({ level: 'warn', status: 502, ...whose });
    const atConnector = await lineOf(processOf('connector'), 'unreachable');
    expect(atConnector).toMatchObject({
      level: 'warn',
      message: 'call failed',
      provider: 'ticketing_github',
      organization_id: expect.stringMatching(/^org_/),
      process: expect.any(String),
      ...whose,
    });
    expect(atConnector['error']).not.toMatch(/\n {4}at /);
  });

  it('without a connector of its domain fails at once and names it', async () => {
    await processOf('connector').stop();
    const { status, body, after, ms } = await call('nobody');
    expect([status, body.message, after]).toEqual([
      503,
      'the connector service of ticketing is not running',
      '1',
    ]);
    expect(ms).toBeLessThan(maxFailMs);
    const line = await lineOf(processOf('gateway'), 'nobody');
    expect(line).toMatchObject({
      level: 'warn',
      status: 503,
      error: 'the connector service of ticketing is not running',
      integration_id: ids.integrationId,
    });
    const connector = startApp('connector', [], onefold.env);
    onefold.processes['connector'] = connector;
    await connector.says(/"message":"ready"/);
    await eventually(async () => expect((await call('again')).status).toBe(200));
  });

  it('without a bus fails at once, and every log says that it went and came back', async () => {
    await onefold.nats?.stop();
    await processOf('gateway').says(/"message":"the connection to NATS was lost"/);
    const { status, body, after, ms } = await call('no-bus');
    expect([status, body.message, after]).toEqual([
      503,
      'this process is not connected to the other services',
      '1',
    ]);
    expect(ms).toBeLessThan(maxFailMs);
    const late = startApp('management', [], { ...onefold.env });
    await late.says(/NATS connection failed/);
    expect(await late.stop()).toEqual({ code: 0, signal: null });
    await onefold.nats?.start();
    for (const name of ['gateway', 'management', 'connector'])
      await processOf(name).says(/"message":"connected to NATS again".*"away_ms":\d+/);
    await eventually(async () => expect((await call('back')).status).toBe(200));
  });
});
