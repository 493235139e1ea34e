import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { maxWaitMs } from '#test/harness';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Exchange } from '../attack/framing.js';
import { sendRaw } from '../attack/send-raw.js';
import { type Onefold, startDistributed, startOnTestDatabase } from './onefold.js';

describe.each([
  ['embedded', () => startOnTestDatabase()],
  ['distributed', () => startDistributed({}, { worker: false })],
] as const)('a client that hangs up, %s', (_form, start) => {
  let onefold: Onefold;
  let silent: Server;
  let token: string;

  beforeAll(async () => {
    silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onefold = await start();
    const { api } = onefold;
    const { account } = (await api.call('accounts_create', { body: { name: 'hang-up' } })).result;
    const made = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        provider_config: {
          type: 'ticketing_github',
          repository: 'octo-org/desk',
          url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
          credential: { type: 'token', secret: 'agent-token' },
        } as never,
      },
    });
    token = made.result.token.access.secret;
  });
  afterAll(async () => {
    await onefold.stop();
    silent.closeAllConnections();
    silent.close();
  });

  it('ends the call of the provider with it', async () => {
    const hangUp = new AbortController();
    const asked = once(silent, 'request') as Promise<[IncomingMessage]>;
    const answer = fetch(`${onefold.api.url}/v1/ticketing/tickets/1`, {
      headers: { authorization: `Bearer ${token}` },
      signal: hangUp.signal,
    });
    const [{ socket }] = await asked;
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(maxWaitMs) });
    hangUp.abort();
    await expect(answer).rejects.toThrow('aborted');
    await closed;
    const log = Object.values(onefold.processes).map((one) => one.output());
    expect(log.join('\n')).not.toContain('"level":"error"');
  });

  it('does not lose a refusal that comes before the end of its request', async () => {
    const target = `/v1/accounts?${'x'.repeat(7_000_000)}`;
    const exchange: Exchange = {
      parts: [`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`],
      pauseMs: 0,
      responses: 1,
      then: 'wait',
      mayClose: false,
    };
    for (let time = 0; time < 10; time += 1) {
      const { responses } = await sendRaw(onefold.api.url, false, exchange);
      expect(responses.map(({ status }) => status)).toEqual([431]);
    }
  });

  it('and has opened a connection ahead does not keep the service from stopping', async () => {
    const { hostname, port } = new URL(onefold.api.url);
    const ahead = connect(Number(port), hostname);
    await once(ahead, 'connect');
    const { code } =
      (await (onefold.processes['gateway'] ?? onefold.processes['standalone'])?.stop()) ?? {};
    expect(code).toBe(0);
    expect(ahead.readyState).toBe('closed');
  });
});
