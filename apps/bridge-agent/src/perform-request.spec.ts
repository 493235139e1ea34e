import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { AgentRequest } from '#bridge';
import { JsonLog } from '#observe/runtime';
import { RequestPerformer } from './perform-request.js';
import { RequestLog } from './request-log.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function performer(origin: string, limits = {}) {
  const lines: string[] = [];
  const log = new JsonLog({ service: 'spec', write: (line) => lines.push(line) });
  const requests = new RequestLog(log);
  const methods = ['GET', 'POST'];
  const made = new RequestPerformer({ allow: [{ origin, methods }], limits }, undefined, requests);
  return { performer: made, lines, stats: requests.stats };
}

function request(url: string, changes: Partial<AgentRequest> = {}): AgentRequest {
  return {
    method: 'GET',
    url,
    headers: { authorization: 'Bearer canary' },
    hasBody: false,
    body: undefined,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

async function read(body: unknown): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('an agent', () => {
  it('executes a request, and logs neither query, headers nor bodies', async () => {
    const url = await serve((incoming, response) => {
      incoming.on('data', (chunk: Buffer) => {
        response.setHeader('x-auth', incoming.headers.authorization ?? '');
        response.end(`got ${chunk.toString()}`);
      });
    });
    const { performer: agent, lines, stats } = performer(url);
    async function* body() {
      yield await Promise.resolve(Buffer.from('the canary'));
    }
    const response = await agent.perform(
      request(`${url}/a?token=canary`, { method: 'POST', hasBody: true, body: body() }),
    );
    expect(response).toMatchObject({ status: 200, headers: { 'x-auth': 'Bearer canary' } });
    expect(await read(response.body)).toBe('got the canary');
    expect(lines.join('')).not.toContain('canary');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      message: 'request',
      method: 'POST',
      origin: url,
      path: '/a',
      status: 200,
      in_bytes: 14,
      out_bytes: 10,
    });
    expect(stats).toEqual({ requests: 1, failures: 0, in_bytes: 14, out_bytes: 10 });
  });

  it('follows no redirect', async () => {
    const reached: string[] = [];
    const elsewhere = await serve((_incoming, response) => response.end(reached.push('elsewhere')));
    const url = await serve((_incoming, response) =>
      response.writeHead(302, { location: elsewhere }).end(),
    );
    const response = await performer(url).performer.perform(request(url));
    expect([response.status, response.headers['location'], reached]).toEqual([302, elsewhere, []]);
    await read(response.body);
  });

  it('refuses what is not listed, and counts it', async () => {
    const { performer: agent, lines, stats } = performer('https://jira.internal');
    const refused = agent.perform(request('http://127.0.0.1:1/x'));
    await expect(refused).rejects.toMatchObject({ reason: 'refused' });
    expect(lines[0]).toContain('"message":"request refused"');
    expect(stats).toMatchObject({ requests: 1, failures: 1 });
  });

  it('ends a body that is larger than its file allows', async () => {
    const url = await serve((_incoming, response) => response.end('x'.repeat(1_000)));
    const { performer: agent } = performer(url, { response_bytes: 999 });
    const { body } = await agent.perform(request(url));
    await expect(read(body)).rejects.toThrow('bodies of 999 bytes');
  });

  it('waits no longer than its file or the request allows, and says that it was late', async () => {
    const url = await serve(() => undefined);
    const late = performer(url).performer.perform(request(url, { timeoutMs: 50 }));
    await expect(late).rejects.toMatchObject({ reason: 'late', isSent: true });
  });

  it('says that a host cannot be reached, and that it got nothing', async () => {
    const { performer: agent } = performer('http://127.0.0.1:1');
    const failed = agent.perform(request('http://127.0.0.1:1/'));
    const failure = { reason: 'unreachable', isSent: false, code: 'ECONNREFUSED' };
    await expect(failed).rejects.toMatchObject(failure);
  });

  it('does not fail at headers that cannot be written', async () => {
    const url = await serve((_incoming, response) => response.end());
    const bad = performer(url).performer.perform(request(url, { headers: { 'x-a': 'a\r\nb: c' } }));
    await expect(bad).rejects.toMatchObject({ name: 'BridgeFailure' });
  });

  it('has as many connections after a hundred of these as before', async () => {
    const url = await serve((_incoming, response) => response.end());
    const { performer: agent } = performer(url);
    for (let count = 0; count < 100; count += 1)
      await expect(agent.perform(request(url, { headers: { 'a b': 'c' } }))).rejects.toMatchObject({
        reason: 'invalid',
      });
    const { status, body } = await agent.perform(request(url));
    expect([status, await read(body)]).toEqual([200, '']);
  });
});
