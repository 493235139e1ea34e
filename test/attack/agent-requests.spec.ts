import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLog } from '#observe/runtime';
import { RequestLog } from '../../apps/bridge-agent/src/request-log.js';
import { RequestPerformer } from '../../apps/bridge-agent/src/perform-request.js';
import { readRequest } from '../../libs/bridge/src/messages.js';

const secret = 'the-secret-of-the-agent';
const prefix = '/rest/api/';
const methods = ['GET', 'POST'];
const servers: Server[] = [];
const reached: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
const stolen: string[] = [];
let listed = '';
let unlisted = '';
let agent: RequestPerformer;

async function serve(listener: (request: IncomingMessage) => Record<string, string>) {
  const server = createServer((request, response) => {
    response.writeHead(302, listener(request)).end('{"access_token":"a-token-of-the-host"}');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  unlisted = await serve(({ method, url }) => {
    stolen.push(`${method} ${url}`);
    return {};
  });
  listed = await serve((request) => {
    reached.push(request);
    return { location: `${unlisted}/by-redirect` };
  });
  const log = new RequestLog(new JsonLog({ service: 'spec', write: () => undefined }));
  const secrets = [{ name: 'jira', origins: [listed], fields: { secret: { value: secret } } }];
  const allow = [{ origin: listed, methods, paths: [`${prefix}*`] }];
  agent = new RequestPerformer({ allow, secrets }, undefined, log);
});
afterAll(async () => {
  await agent.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** All paths that hosts of any kind may make of one: decoded any number of times, with parameters cut off and other separators. */
function meanings(path: string): string[] {
  const all = [path];
  for (let last = path; ;) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(last);
    } catch {
      break;
    }
    if (decoded === last) break;
    all.push(decoded);
    last = decoded;
  }
  return all.flatMap((one) => {
    const plain = one
      .normalize('NFKC')
      .replaceAll('\\', '/')
      .replaceAll(/[\0\s]/g, '');
    return [plain, plain.replaceAll(/;[^/]*/g, '')].map(withoutDots);
  });
}

function withoutDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

/** Mostly the usual, so that requests pass with something odd in one place. */
const rarely = <T>(common: T, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(common) }, { weight: 1, arbitrary: odd });
const oddSegment = fc.constantFrom(
  'a',
  '2',
  'issue',
  'a.b',
  '',
  '.',
  '..',
  '...',
  '..;',
  '..;a=b',
  ';',
  '%2e%2e',
  '.%2e',
  '%2e',
  '..%2f..',
  '..%5c..',
  '..\\..',
  '%252e%252e',
  '..%252f',
  '%25252e%25252e',
  '..%00',
  '..%20',
  '．．',
  '%ef%bc%8e%ef%bc%8e',
  '‥',
  '%c0%ae%c0%ae',
  '%u002e',
  '%',
  '%zz',
  '..%3b',
  'secure',
  'admin',
  '..%09',
  '..%ef%bc%8f..',
  '{{secret}}',
  '@',
  ':',
  '//',
  '?..',
  '#..',
);
const segment = rarely('a', oddSegment);
const path = fc
  .tuple(
    rarely(prefix, fc.constantFrom('/', '/rest/api', '//rest/api/')),
    fc.array(segment, { maxLength: 6 }),
  )
  .map(([start, segments]) => start + segments.join('/'));
const address = fc.tuple(rarely(0, fc.nat(11)), path).map(([kind, rest]) => {
  const [own, other] = [new URL(listed).host, new URL(unlisted).host];
  const starts = [
    `http://${own}`,
    `http://${own}`,
    `http://${own}`,
    `http://${own}`,
    `HTTP://${own}`,
    `http://${other}`,
    `http://user:pass@${own}`,
    `http://${own}@${other}`,
    `http:\\\\${own}`,
    `https://${own}`,
    `http://${own}.`,
    `http://0x7f.1:${own.split(':')[1]}`,
  ];
  return starts[kind] + rest;
});
const headerName = fc.constantFrom(
  'host',
  'Host',
  'HOST',
  ':authority',
  'x-forwarded-host',
  'connection',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'authorization',
  'x-original-url',
  'a b',
  'x\r\nhost',
  '',
);
const use = fc.oneof(
  fc.record({
    send: fc.constantFrom('header', 'query'),
    secret: fc.constantFrom('jira', 'jira', 'other'),
    name: headerName,
    value: fc.constantFrom(
      '{{secret}}',
      'a',
      '../{{secret}}',
      '{{secret}}\r\nhost: b',
      '{{other}}',
    ),
  }),
  fc.record({
    send: fc.constant('client_credentials'),
    secret: fc.constant('jira'),
    token_url: address,
    scope: fc.constant(''),
    client: fc.constant('body'),
    parameters: fc.constant([['a', '{{secret}}']]),
  }),
  fc.record({
    send: fc.constant('basic'),
    secret: fc.constant('jira'),
    username: fc.constant('{{secret}}'),
    password: fc.constant(''),
  }),
);
const head = fc.record({
  method: rarely('GET', fc.constantFrom('POST', 'DELETE', 'CONNECT', 'get', 'GET /x')),
  url: address,
  headers: rarely(
    {},
    fc.dictionary(headerName, fc.constantFrom('b', '5', 'chunked', 'a\r\nhost: b')),
  ),
  secrets: rarely([], fc.array(use, { maxLength: 2 })),
  has_body: fc.constant(false),
  timeout_ms: fc.constantFrom(5_000, -1, 'x'),
});

it('whatever a server asks of an agent reaches only hosts, methods and paths of its allow-list, however hosts read them', async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(head, async (asked) => {
      reached.length = 0;
      try {
        const request = {
          ...readRequest(asked),
          body: undefined,
          signal: AbortSignal.timeout(60_000),
        };
        const { body } = await agent.perform(request);
        for await (const _piece of body as AsyncIterable<Uint8Array>);
        answered += 1;
      } catch (error) {
        expect((error as Error).name).toBe('BridgeFailure');
      }
      const faults = reached.filter(
        ({ method = '', url = '', headers }) =>
          !methods.includes(method) ||
          headers.host !== new URL(listed).host ||
          meanings(url.split('?')[0] ?? '').some((one) => !`${one}/`.startsWith(prefix)),
      );
      expect(faults.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual([]);
      expect(stolen).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
  expect(answered).toBeGreaterThan(50);
});
