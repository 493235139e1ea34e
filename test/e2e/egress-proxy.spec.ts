import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Problem } from '#contract';
import { eventually } from '#test/harness';
import { diagnose } from '../../apps/admin/src/doctor.js';
import { type Onefold, startOnTestDatabase } from './onefold.js';
import { createMockIntegration } from './records.js';

// All that goes out of an installation goes through the proxy of its company.

let onefold: Onefold;
let proxy: Server;
let provider: Server;
let proxyUrl: string;
let status = 200;
const asked: string[] = [];
const sockets = new Set<Duplex>();

beforeAll(async () => {
  provider = createServer((_request, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}'),
  );
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  proxy = createServer().on('connect', tunnel);
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  proxyUrl = `http://company:hunter2@127.0.0.1:${portOf(proxy)}`;
  onefold = await startOnTestDatabase({
    EGRESS_PROXY: proxyUrl,
    HTTPS_PROXY: 'http://other:1',
    LOG_LEVEL: 'info',
  });
});
afterAll(async () => {
  await onefold.stop();
  for (const socket of sockets) socket.destroy();
  for (const server of [proxy, provider]) {
    server.closeAllConnections();
    server.close();
  }
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Leads to the provider, whatever name is asked for. */
function tunnel(head: IncomingMessage, socket: Duplex): void {
  asked.push(head.url ?? '');
  sockets.add(socket);
  if (status !== 200) {
    socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    return;
  }
  const target = connect(portOf(provider), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(target).pipe(socket);
  });
  sockets.add(target);
  target.on('error', () => socket.destroy());
  socket.on('error', () => target.destroy());
}

async function call(url: string): Promise<{ status: number; message: string }> {
  const { accountId } = await createMockIntegration(onefold.api, `proxy-${asked.length}-${status}`);
  const made = await onefold.api.call('integrations_create', {
    path: { accountId },
    body: {
      provider_config: {
        type: 'ticketing_github',
        repository: 'octo-org/desk',
        url,
        credential: { type: 'token', secret: 'agent-token' },
      } as never,
    },
  });
  const response = await fetch(`${onefold.api.url}/v1/ticketing/tickets/1`, {
    headers: { authorization: `Bearer ${made.result.token.access.secret}` },
  });
  const { message } = (await response.json()) as Problem;
  return { status: response.status, message };
}

it('reaches a provider whose name is resolved by the proxy alone', async () => {
  expect((await call('http://github.example.com')).status).toBe(404);
  expect(asked).toContain('github.example.com:80');
});

it('says with 502 which target the proxy refuses, and with 503 that it lets nothing through', async () => {
  status = 403;
  const refused = await call('http://refused.example.com');
  expect(refused).toEqual({
    status: 502,
    message: expect.stringMatching(
      /the egress proxy http:\/\/127\.0\.0\.1:\d+ does not connect to refused\.example\.com:80 \(403\)/,
    ),
  });
  status = 407;
  const unknown = await call('http://unknown.example.com');
  expect(unknown).toEqual({
    status: 503,
    message: expect.stringMatching(/refuses the user or the password of EGRESS_PROXY \(407\)/),
  });
  status = 200;
});

it('finds out that the proxy is gone: in answers, readiness and doctor, without its password', async () => {
  const variables = { EGRESS_PROXY: proxyUrl, KEY_FILE: onefold.keyFile };
  const egressOf = async () =>
    (await diagnose({ as: 'connector' }, { variables })).find(({ check }) => check === 'egress');
  expect(await egressOf()).toMatchObject({ ok: true, says: expect.stringContaining('is reached') });
  const port = portOf(proxy);
  proxy.closeAllConnections();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  const says = `the egress proxy http://127.0.0.1:${port} is not reached (ECONNREFUSED)`;
  expect(await call('http://gone.example.com')).toEqual({
    status: 503,
    message: expect.stringContaining(says),
  });
  expect(await egressOf()).toMatchObject({ ok: false, says });
  await eventually(async () => {
    const text = await onefold.admin('status', '--json').catch((error: Error) => error.message);
    expect(text).toContain(`egress proxy: ${says}`);
  });
  const log = onefold.processes['standalone']?.output() ?? '';
  expect(log).not.toContain('hunter2');
});

it('warns of a proxy that is ignored', async () => {
  const one = await startOnTestDatabase({ HTTPS_PROXY: 'http://other:1' });
  await one.processes['standalone']?.says(/HTTPS_PROXY is ignored.*Set EGRESS_PROXY/);
  expect(onefold.processes['standalone']?.output()).not.toContain('is ignored');
  await one.stop();
});
