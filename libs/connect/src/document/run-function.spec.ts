import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { createDispatcher, EgressPolicy } from '#egress';
import { MappingError } from '@onefold/mapping';
import { type ClientFunctions, compileProviders } from '#provider-document';
import { ProviderHttp, Redactor } from '#provider-http';
import { maxWaitMs } from '#test/harness';
import type { ProviderResult, ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';
import { documentProvider } from './document-provider.js';

let server: Server;
let url: string;
let requests: IncomingMessage[] = [];
const recorded: string[] = [];
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);
const secret = 'a-secret-of-acme';

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.resume());
    const isSlow = request.url === '/slow';
    if (isSlow) return;
    response.writeHead(request.url === '/missing' ? 404 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ seen: request.url, key: request.headers['x-key'] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
  recorded.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

const functions: ClientFunctions = {
  sign: async ({ input, context, credential, send, hide }) => {
    const { secret: key } = credential() as { secret: string };
    const signature = `${String(input)}-${key.length}-signature`;
    hide(signature);
    const { config } = context as { config: { folder: string } };
    const { status, body } = await send({
      path: `/${config.folder}`,
      query: { signature },
      answer: 'json',
    });
    return { status, body };
  },
  fail: async ({ send }) => await send({ path: '/missing' }),
  wander: async ({ send }) => await send({ url: 'http://127.0.0.1:1/elsewhere' }),
  stumble: () => Promise.reject(new TypeError('no such field')),
  hang: () => new Promise(() => undefined),
  slow: async ({ send }) => await send({ path: '/slow' }),
  many: async ({ send }) => {
    for (;;) await send({ path: '/one' });
  },
};

const document = (step: string, record = 'this.steps.made') => `
provider: custom_acme
version: 1.0.0
fullname: Acme
vendor: Acme
credentials:
  credential: { secret: { send: header, name: x-key, value: this.credential.secret } }
http: { base_url: this.config.url }
operations:
  custom_get:
    steps: [{ name: made, ${step} }]
    record: ${record}
`;

async function run(
  step: string,
  signal = AbortSignal.timeout(maxWaitMs),
  record?: string,
): Promise<ProviderResult> {
  const [compiled] = compileProviders(document(step, record), undefined, functions);
  const { operations } = documentProvider(compiled);
  const ids = { organizationId: 'org_1', accountId: 'acc_1' };
  return await (operations.custom_get as NonNullable<typeof operations.custom_get>).run(
    {
      http: new ProviderHttp({
        dispatcher,
        policy,
        clock: systemClock,
        permits: { acquire: () => Promise.resolve(() => undefined) },
        tokens: { get: () => Promise.reject(new Error('no tokens here')) },
      }),
      integration: { ...ids, id: 'int_1', providerConfig: { url, folder: 'files' } },
      credential: () => ({ id: 'crd_1', kind: 'secret', config: { secret } }),
      usage: new CallUsage(new Usage(), { ...ids, integrationId: 'int_1' }),
      onResponse: (shown: () => { url: string; text: string }) => {
        const { url: address, text } = shown();
        recorded.push(`${address} ${text}`);
      },
      signal,
      deadline: Date.now() + maxWaitMs,
      path: {},
      query: {},
      list: { filters: [], orders: [] },
      clock: systemClock,
      pollUntil: Date.now(),
      redactor: new Redactor(),
    } as unknown as ProviderCall,
    {},
  );
}

describe('a step that names a function', () => {
  it('gives its result to later expressions, and its requests go the way of all', async () => {
    expect(await run(`function: sign, body: 'root = "in"'`)).toEqual({
      record: {
        status: 200,
        body: { seen: '/files?signature=in-16-signature', key: secret },
      },
    });
    expect(requests.map((one) => one.headers['x-key'])).toEqual([secret]);
  });

  it('shows neither the credential nor what it hides in what is recorded', async () => {
    await run(`function: sign, body: 'root = "in"'`);
    expect(recorded).toHaveLength(1);
    expect(recorded[0]).toContain('[secret]');
    expect(recorded[0]).not.toContain(secret);
    expect(recorded[0]).not.toContain('in-16-signature');
  });

  it('fails as its request does', async () => {
    await expect(run('function: fail')).rejects.toMatchObject({ status: 404 });
  });

  it('sends the credential to the origins of the document only', async () => {
    await expect(run('function: wander')).rejects.toThrow('http://127.0.0.1:1');
    expect(requests).toEqual([]);
  });

  it('is a 502 that names its place where the function itself fails', async () => {
    await expect(run('function: stumble')).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('operations.custom_get.steps.0'),
    });
  });

  it.each(['hang', 'slow'])('ends with the call: %s', async (name) => {
    const controller = new AbortController();
    const running = run(`function: ${name}`, controller.signal);
    setTimeout(() => controller.abort(new Error('given up')), 50);
    await expect(running).rejects.toThrow();
  });

  it('sends a thousand requests at most', async () => {
    await expect(run('function: many')).rejects.toThrow('more than 1000 requests');
    // The test before may have left one that is slow to arrive.
    expect(requests.filter(({ url }) => url === '/one')).toHaveLength(1_000);
  });

  it('runs for each of some values', async () => {
    const each = `each: '["a", "b"]', function: sign, body: root = this.item`;
    expect(await run(each, undefined, `'{"all": this.steps.made}'`)).toMatchObject({
      record: {
        all: [
          { body: { seen: '/files?signature=a-16-signature' } },
          { body: { seen: '/files?signature=b-16-signature' } },
        ],
      },
    });
  });
});

describe('a document with a function', () => {
  const faultsOf = (step: string, given?: ClientFunctions) => {
    try {
      compileProviders(document(step), undefined, given);
      return [];
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      return error.faults;
    }
  };

  it('of a customer is refused, at the place', () => {
    expect(faultsOf('function: sign')).toEqual([
      {
        message: 'only built-in providers have functions',
        hint: 'Use path, url and expressions.',
        line: 11,
        column: 37,
      },
    ]);
  });

  it('has to name one of client.ts', () => {
    expect(faultsOf('function: sing', functions)).toMatchObject([
      { message: 'client.ts has no function "sing"', hint: expect.stringContaining('sign') },
    ]);
    expect(faultsOf('function: toString', functions)).toHaveLength(1);
  });

  it('has no request beside it', () => {
    expect(faultsOf('function: sign, path: /x', functions)).toMatchObject([
      { message: 'a step must have exactly one of path, url and function' },
    ]);
    expect(faultsOf('function: sign, method: POST', functions)).toMatchObject([
      { message: 'a step with a function has no method' },
    ]);
  });
});
