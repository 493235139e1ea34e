import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { Attempts, createDispatcher, EgressPolicy } from '#egress';
import {
  ProviderHttp,
  type ProviderRequest,
  Redactor,
  type SendOptions,
  type Session,
  Sessions,
} from '#provider-http';
import { openStoredTokens, until } from '#test/harness';
import { Circuits, defaultMaxHosts } from '../../../libs/egress/src/circuits.js';
import {
  connectionsPerHost,
  maxCallsPerCredential,
  maxCallsPerHost,
  maxCallsPerTenant,
  maxFilesPerHost,
  maxFilesPerTenant,
} from '../../../libs/provider-http/src/limits/call-slots.js';
import { maxSessions } from '../../../libs/provider-http/src/credentials/sessions.js';

/** How a host ends a request, or its caller. */
type Ending = (call: { response: ServerResponse; leave: () => void }) => void;

const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy, { connections: connectionsPerHost });
let server: Server;
let url: string;
/** Requests that the host has not answered. */
const pending: { request: IncomingMessage; response: ServerResponse }[] = [];
let http: ProviderHttp;

beforeAll(async () => {
  server = createServer((request, response) => void pending.push({ request, response }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  http = new ProviderHttp({
    dispatcher,
    policy,
    clock: systemClock,
    permits: { acquire: () => () => undefined },
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
});
afterEach(() => {
  for (const { response } of pending.splice(0)) response.destroy();
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

/** Sends a request to the host for an organization. */
function send(
  answer: 'json' | 'stream',
  organizationId: string,
  more: Partial<SendOptions> = {},
  key = 'crd',
) {
  const caller = new AbortController();
  const redactor = new Redactor();
  const request: ProviderRequest = {
    method: 'GET',
    url: new URL(`/${organizationId}`, url),
    headers: {},
    secretHeaders: [],
    answer,
    accept: new Set<number>(),
    repeatable: true,
  };
  const names = { provider: 'Host', method: 'GET', address: url, credentialId: 'crd', needs: 'it' };
  const sent = http.send(request, {
    call: { ...names, redactor },
    place: { organizationId, key },
    authentication: undefined,
    redactor,
    signal: caller.signal,
    deadline: Date.now() + 60_000,
    timeoutMs: 60_000,
    maxBytes: 1_000_000,
    limits: {},
    retry: { attempts: 1, statuses: [], resets: [] },
    interpret: () => ({}),
    onResponse: () => undefined,
    ...more,
  });
  sent.catch(() => undefined);
  return { sent, leave: () => caller.abort(new Error('left')) };
}

/** Waits until so many places are held, and the host has the requests of them. */
async function holding({
  calls = 0,
  files = 0,
}: {
  calls?: number;
  files?: number;
}): Promise<void> {
  await until(() => pending.length >= calls + files);
  expect(http.held).toMatchObject({ calls, files });
}

const endings: Record<string, Ending> = {
  'is not answered, and its caller leaves': ({ leave }) => leave(),
  'is answered with half a head, and its caller leaves': ({ response, leave }) => {
    response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 9');
    setImmediate(leave);
  },
  'is answered with half a body, which breaks off': ({ response }) => {
    response.writeHead(200, { 'content-length': 9 });
    response.write('{"a"', () => response.destroy());
  },
  'is answered with something else than HTTP': ({ response }) =>
    void response.socket?.end('\0\0\r\n\r\n'),
  'is answered with a failure': ({ response }) => void response.writeHead(500).end('{}'),
  'is answered with something else than JSON': ({ response }) => void response.end('<p>'),
  'is answered': ({ response }) => void response.end('{}'),
  'loses its connection': ({ response }) => void response.socket?.resetAndDestroy(),
};

describe('a call to a host', () => {
  it.each(Object.entries(endings))('has no place any more when it %s', async (_, end) => {
    const mine = Array.from({ length: maxCallsPerHost }, () => send('json', 'org_1'));
    await holding({ calls: maxCallsPerCredential });
    const ofAnother = Array.from({ length: maxCallsPerHost }, () =>
      send('json', 'org_1', {}, 'another'),
    );
    await holding({ calls: maxCallsPerTenant });
    const others = Array.from({ length: maxCallsPerHost }, () => send('json', 'org_2'));
    await holding({ calls: maxCallsPerHost });
    const waiting = 2 * maxCallsPerHost;
    expect(http.held).toMatchObject({ calls: maxCallsPerHost, waiting });
    const calls = [...mine, ...ofAnother, ...others];
    const ended = Promise.allSettled(calls.map(({ sent }) => sent));
    let isOver = false;
    void ended.then(() => (isOver = true));
    // Those that waited are sent as places are free, and end in the same way.
    await until(() => {
      for (const { response } of pending.splice(0))
        end({ response, leave: () => calls.forEach(({ leave }) => leave()) });
      return isOver;
    });
    expect(http.held).toMatchObject({ calls: 0, waiting: 0 });
  });

  it('has no place any more at its deadline, and waits no longer for one', async () => {
    const late = { deadline: Date.now() + 300, timeoutMs: 300 };
    const calls = Array.from({ length: maxCallsPerTenant }, () => send('json', 'org_1', late));
    await Promise.allSettled(calls.map(({ sent }) => sent));
    expect(http.held).toMatchObject({ calls: 0, waiting: 0 });
  });
});

describe('a file to or from a host', () => {
  const { 'is answered with something else than JSON': _text, ...ways } = endings;
  it.each(Object.entries(ways))('has no place any more when it %s', async (_, end) => {
    const mine = Array.from({ length: maxFilesPerHost }, () => send('stream', 'org_1'));
    await holding({ files: maxFilesPerTenant });
    const others = Array.from({ length: maxFilesPerHost }, () => send('stream', 'org_2'));
    await holding({ files: maxFilesPerHost });
    expect(http.held).toMatchObject({ calls: 0, files: maxFilesPerHost, waiting: maxFilesPerHost });
    const files = [...mine, ...others];
    const reading = files.map(async ({ sent }) => {
      for await (const _chunk of (await sent).stream ?? []);
    });
    let isOver = false;
    void Promise.allSettled(reading).then(() => (isOver = true));
    await until(() => {
      for (const { response } of pending.splice(0))
        end({ response, leave: () => files.forEach(({ leave }) => leave()) });
      return isOver;
    });
    expect(http.held).toMatchObject({ files: 0, waiting: 0 });
  });

  it('has no place any more when its reader leaves amid it', async () => {
    const files = Array.from({ length: maxFilesPerTenant }, () => send('stream', 'org_1'));
    await holding({ files: maxFilesPerTenant });
    for (const { response } of pending) response.write('half');
    for (const { sent } of files) await (await sent).stream?.return?.();
    expect(http.held).toMatchObject({ files: 0 });
  });
});

describe('a session at a provider', () => {
  const { signal } = new AbortController();
  let closed = 0;
  const session = (): Session => ({
    use: { send: 'header', name: 'x', value: 'y' },
    secrets: [],
    lifetimeMs: undefined,
    logOut: () => Promise.resolve((closed += 1)),
  });

  it('is closed for the one beyond the bound, and at the end of the process', async () => {
    const sessions = new Sessions(systemClock);
    closed = 0;
    for (let n = 0; n < maxSessions + 10; n += 1)
      await sessions.get({ key: String(n), logIn: () => Promise.resolve(session()) }, signal);
    expect([sessions.size, closed]).toEqual([maxSessions, 10]);
    await sessions.end();
    expect([sessions.size, closed]).toEqual([0, maxSessions + 10]);
  });

  it.each(['its caller leaves first', 'the login fails', 'the login is late'])(
    'leaves nothing where %s',
    async (way) => {
      const sessions = new Sessions(systemClock);
      const caller = new AbortController();
      let fail: (error: Error) => void = () => undefined;
      const logIn = () => new Promise<Session>((_, reject) => (fail = reject));
      const got = sessions.get({ key: 'one', logIn }, caller.signal);
      expect(sessions.size).toBe(1);
      if (way === 'its caller leaves first') caller.abort(new Error('left'));
      else fail(new Error('failed'));
      await expect(got).rejects.toThrow(/left|failed/);
      fail(new Error('the login takes 30 s at most'));
      await until(() => sessions.size === 0);
    },
  );
});

describe('an access token of a provider', () => {
  it('is fetched by one call at a time, and leaves nothing where it is not given', async () => {
    const stored = await openStoredTokens();
    try {
      const attempts = new Attempts({ clock: systemClock });
      const tokens = stored.make({ dispatcher, policy, attempts }, systemClock);
      const request = (n: number) => ({
        organizationId: 'org_1',
        accountId: 'acc_1',
        isStored: true,
        clientId: 'us',
        credentialId: `crd_${n}`,
        clientSecret: 'hush-hush',
        scope: undefined,
        tokenUrl: `${url}/token`,
        parameters: [],
        client: 'body' as const,
      });
      const { signal } = new AbortController();
      const ways: Ending[] = [
        ({ response }) => void response.writeHead(401).end('{"error":"invalid_client"}'),
        ({ response }) => void response.end('{"access_token":'),
        ({ response }) => void response.end('{}'),
        ({ leave }) => leave(),
      ];
      for (const [n, end] of ways.entries()) {
        const caller = new AbortController();
        const got = tokens.get(request(n), undefined, caller.signal);
        const outcome = got.catch((error: Error) => error);
        await until(() => pending.length === 1);
        expect(tokens.size).toBe(1);
        const response = pending.splice(0)[0]?.response;
        if (response === undefined) throw new Error('nothing was asked for');
        end({ response, leave: () => caller.abort(new Error('left')) });
        expect(await outcome).toBeInstanceOf(Error);
        // The fetch goes on for others who may wait, until it has its answer.
        if (!response.writableEnded) response.writeHead(400).end('{"error":"invalid_request"}');
        await until(() => tokens.size === 0);
      }
      const got = tokens.get(request(9), undefined, signal);
      await until(() => pending.length === 1);
      pending.pop()?.response.end('{"access_token":"t","token_type":"Bearer","expires_in":3600}');
      expect([await got, tokens.size]).toEqual(['t', 1]);
    } finally {
      await stored.close();
    }
  });
});

describe('the circuit of a host', () => {
  it('is forgotten for that of a further host beyond the bound', async () => {
    const circuits = new Circuits();
    const { signal } = new AbortController();
    const call = (n: number) => ({
      origin: `https://${n}.example`,
      organizationId: 'org_1',
      signal,
      run: () => Promise.resolve(n),
      failureOf: () => 'it fails',
    });
    for (let n = 0; n < defaultMaxHosts + 10; n += 1) await circuits.run(call(n));
    expect(circuits.size).toBe(defaultMaxHosts);
  });
});
