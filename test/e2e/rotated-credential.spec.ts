import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from './client.js';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';

const callers = 6;
const rotations = 10;
/** Calls between two rotations. */
const callsBetween = 30;

const ticket = { title: 'A lift is stuck', created: '2026-01-01T00:00:00Z' };

const document = `provider: ticketing_rotating
version: 1.0.0
fullname: Rotating Desk
vendor: Rotating
configuration:
  properties:
    url: { type: string, format: uri }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - { path: '/tickets/{this.path.ticketId}' }
    record: this.steps.call
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id
        root.name = this.title
        root.summary = this.title
        root.created_at = this.created
        root.updated_at = this.created
`;

/** A provider that notes for each call how many rotations were answered when it began, and whose secret it has. */
class NotingProvider {
  readonly uses: { begunAfter: number; secret: number }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(({ url = '', headers }, response) => {
      const id = url.split('/').at(-1) ?? '';
      const secret = Number(String(headers['x-key']).split('-').at(-1));
      this.uses.push({ begunAfter: Number(id.split('-')[0]), secret });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id, ...ticket }));
    });
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function startSeveral(): Promise<Onefold> {
  const onefold = await startDistributed({}, { worker: false });
  const second = onefold.startAnother?.('connector');
  await second?.says(/"message":"ready"/);
  const { stop } = onefold;
  return {
    ...onefold,
    stop: async () => {
      await second?.stop();
      await stop();
    },
  };
}

describe.each([
  ['one process', () => startOnTestDatabase()],
  ['two connectors', startSeveral],
])('a replaced secret, with %s', (_form, start) => {
  let onefold: Onefold;
  const provider = new NotingProvider();
  let url: string;
  beforeAll(async () => {
    [onefold, url] = await Promise.all([start(), provider.start()]);
  });
  afterAll(async () => {
    await onefold.stop();
    provider.stop();
  });

  it('is the only one that calls use which begin after the answer to the change', async () => {
    const { api } = onefold;
    const { tickets, path } = await connect(api, url);
    let answered = 0;
    let calls = 0;
    let isOver = false;
    const caller = async () => {
      for (; !isOver; calls += 1)
        await tickets.call('ticketing_get_ticket', { path: { ticketId: `${answered}-${calls}` } });
    };
    const running = Promise.all(Array.from({ length: callers }, caller));
    for (let next = 1; next <= rotations; next += 1) {
      const from = calls;
      // A call that fails ends the test, and not its timeout.
      while (calls < from + callsBetween) await Promise.race([running, sleep(5)]);
      const value = { type: 'token', secret: `secret-${next}` };
      await api.call('credentials_patch', {
        path,
        body: [{ op: 'replace', path: '/config', value }],
      });
      answered = next;
    }
    isOver = true;
    await running;
    expect(provider.uses.length).toBeGreaterThan(rotations * callsBetween);
    expect(provider.uses.filter(({ begunAfter, secret }) => secret < begunAfter)).toEqual([]);
  });
});

async function connect(
  api: Client,
  url: string,
): Promise<{ tickets: Client; path: { ownerId: string; credentialId: string } }> {
  await api.call('customs_create', { body: { data: document } });
  const { account } = (await api.call('accounts_create', { body: { name: 'rotating' } })).result;
  const config = { type: 'token', secret: 'secret-0' } as const;
  const credential = await api.call('credentials_create', {
    path: { ownerId: account.id },
    body: { name: 'rotating', config },
  });
  const { token } = (
    await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        name: 'rotating',
        provider_config: {
          type: 'ticketing_rotating',
          url,
          credential: { type: 'token_id', value: credential.result.id },
        } as never,
      },
    })
  ).result;
  return {
    tickets: api.as(token.access.secret),
    path: { ownerId: account.id, credentialId: credential.result.id },
  };
}
