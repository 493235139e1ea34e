import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentRequest, SecretUse } from '#bridge';
import { JsonLog } from '#observe/runtime';
import type { SecretEntry } from './agent-file.js';
import { RequestPerformer } from './perform-request.js';
import { RequestLog } from './request-log.js';

const accessToken = 'canary+access/token=1';
const entries = (origins: string[]): SecretEntry[] => [
  { name: 'one', origins, fields: { secret: { env: 'ONE' }, username: { value: 'ada' } } },
  {
    name: 'client',
    origins,
    fields: { client_id: { value: 'id' }, client_secret: { value: 'canary-client&secret' } },
  },
  {
    name: 'aws',
    origins,
    fields: {
      access_key_id: { value: 'AKIAEXAMPLE' },
      secret_access_key: { value: 'canary/aws/secret' },
    },
  },
];
const secret = 'canary "one"/+secret';
const oauth = (origin: string): SecretUse => ({
  send: 'client_credentials',
  secret: 'client',
  token_url: `${origin}/token`,
  scope: 'read',
  parameters: [],
  client: 'body',
});

let server: Server;
let origin: string;
let seen: IncomingMessage[] = [];
let tokens = 0;

/** A host that answers with everything that it was sent, in every form that it can think of. */
beforeAll(async () => {
  server = createServer((incoming, response) => {
    seen.push(incoming);
    if (incoming.url === '/token') {
      tokens += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: accessToken, token_type: 'bearer' }));
      return;
    }
    if (incoming.url === '/zipped') response.setHeader('content-encoding', 'gzip');
    if (incoming.url === '/refused') response.statusCode = 401;
    const { authorization = '', 'x-key': key = '' } = incoming.headers as Record<string, string>;
    const basic = /^Basic (.*)/.exec(authorization)?.[1] ?? '';
    const pair = Buffer.from(basic, 'base64').toString();
    const said = [authorization, key, incoming.url ?? '', pair];
    const token = authorization.replace('Bearer ', '');
    const forms = [key, token, pair].flatMap((one) => [
      encodeURIComponent(one),
      JSON.stringify(one),
      Buffer.from(one).toString('base64'),
      Buffer.from(`x${one}y`).toString('base64'),
      Buffer.from(one).toString('hex'),
    ]);
    response.setHeader('x-echo', said.join(' '));
    // Byte by byte, so that every secret is cut everywhere.
    void (async () => {
      for (const byte of Buffer.from([...said, ...forms].join('\n'))) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function agentOf(origins = [origin]): { agent: RequestPerformer; lines: string[] } {
  const lines: string[] = [];
  const log = new JsonLog({ service: 'spec', write: (line) => lines.push(line) });
  const file = { allow: [{ origin, methods: ['GET', 'POST'] }], secrets: entries(origins) };
  seen = [];
  tokens = 0;
  const requests = new RequestLog(log);
  return { agent: new RequestPerformer(file, undefined, requests, { ONE: secret }), lines };
}

function request(path: string, secrets: SecretUse[], changes: Partial<AgentRequest> = {}) {
  return {
    method: 'GET',
    url: `${origin}${path}`,
    headers: {},
    hasBody: false,
    body: undefined,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    secrets,
    ...changes,
  };
}

async function answerOf(agent: RequestPerformer, path: string, secrets: SecretUse[]) {
  const { headers, body } = await agent.perform(request(path, secrets));
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return `${JSON.stringify(headers)} ${Buffer.concat(chunks).toString()}`;
}

/** All forms in which the secret could be read. */
function hidden(text: string): void {
  for (const one of [secret, accessToken, 'canary-client&secret', 'canary/aws/secret'])
    for (const form of [
      one,
      encodeURIComponent(one),
      JSON.stringify(one).slice(1, -1),
      Buffer.from(one).toString('hex'),
      Buffer.from(one).toString('base64').slice(0, 12),
      Buffer.from(`x${one}`).toString('base64').slice(4, 16),
    ])
      expect(text).not.toContain(form);
  expect(text).not.toContain('canary');
  expect(text).toContain('****');
}

describe('the secrets of an agent', () => {
  it('are sent as the request wants it, and masked in what comes back', async () => {
    const { agent, lines } = agentOf();
    const uses: SecretUse[][] = [
      [{ send: 'basic', secret: 'one', username: '{{username}}', password: '{{secret}}' }],
      [{ send: 'header', secret: 'one', name: 'X-Key', value: '{{secret}}' }],
      [{ send: 'query', secret: 'one', name: 'key', value: '{{secret}}' }],
      [oauth(origin)],
    ];
    for (const one of uses) hidden(await answerOf(agent, '/echo', one));
    const sent = seen.filter(({ url }) => url !== '/token');
    const pair = Buffer.from(`ada:${secret}`).toString('base64');
    expect(sent[0]?.headers.authorization).toBe(`Basic ${pair}`);
    expect(sent[1]?.headers['x-key']).toBe(secret);
    expect(new URL(sent[2]?.url ?? '', origin).searchParams.get('key')).toBe(secret);
    expect(sent[3]?.headers.authorization).toBe(`Bearer ${accessToken}`);
    expect(lines.join('')).not.toContain('canary');
  });

  it('sign requests', async () => {
    const { agent } = agentOf();
    const use: SecretUse = { send: 'sigv4', secret: 'aws', service: 'sqs', region: 'eu-west-1' };
    expect(await answerOf(agent, '/echo', [use])).not.toContain('canary');
    expect(seen[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/sqs\/aws4_request/,
    );
  });

  it('are access tokens that are fetched once, and again when a host refuses them', async () => {
    const { agent } = agentOf();
    await answerOf(agent, '/echo', [oauth(origin)]);
    await answerOf(agent, '/echo', [oauth(origin)]);
    expect(tokens).toBe(1);
    await answerOf(agent, '/refused', [oauth(origin)]);
    expect(tokens).toBe(2);
  });

  it('leave for no origin but their own, nor does a token endpoint elsewhere get them', async () => {
    const { agent } = agentOf(['https://jira.internal']);
    const use: SecretUse = { send: 'header', secret: 'one', name: 'x-key', value: '{{secret}}' };
    const refused = { reason: 'secret', isSent: false };
    await expect(agent.perform(request('/echo', [use]))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining(`does not send the secret "one" to ${origin}`) as unknown,
    });
    const { agent: other } = agentOf();
    const elsewhere = oauth('http://127.0.0.2:1');
    await expect(other.perform(request('/echo', [elsewhere]))).rejects.toMatchObject(refused);
    expect(seen).toEqual([]);
  });

  it('that the agent does not have are named, with their fields', async () => {
    const { agent } = agentOf();
    for (const [use, message] of [
      [{ send: 'header', secret: 'none', name: 'a', value: '{{secret}}' }, /has no secret "none"/],
      [{ send: 'header', secret: 'one', name: 'a', value: '{{session}}' }, /has no field session/],
    ] as [SecretUse, RegExp][])
      await expect(agent.perform(request('/echo', [use]))).rejects.toThrow(message);
  });

  it('are made into a hundred texts at most, and what is masked stays so', async () => {
    const { agent } = agentOf();
    const ask = async (username: string): Promise<string> => {
      const use: SecretUse = { send: 'basic', secret: 'one', username, password: '{{secret}}' };
      return await answerOf(agent, '/echo', [use]);
    };
    for (let n = 0; n < 100; n += 1) await ask(`user-${n}`);
    await expect(ask('user-100')).rejects.toThrow('has made 100 texts of its secrets');
    expect(seen).toHaveLength(100);
    expect(await ask('user-0')).not.toContain(Buffer.from(`user-0:${secret}`).toString('base64'));
  });

  it('could hide in a compressed response, which is refused', async () => {
    const { agent } = agentOf();
    await expect(agent.perform(request('/zipped', []))).rejects.toThrow('compressed response');
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('are not too short to be masked, and not missing', () => {
    const log = new RequestLog(new JsonLog({ service: 'spec', write: () => undefined }));
    for (const [value, message] of [
      ['short', /too few to be masked/],
      ['', /is missing: put it into ONE/],
    ] as const)
      expect(
        () =>
          new RequestPerformer({ allow: [], secrets: entries([origin]) }, undefined, log, {
            ONE: value,
          }),
      ).toThrow(message);
  });
});
