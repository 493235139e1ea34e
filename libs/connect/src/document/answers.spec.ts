import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '#config';
import { ApiError } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ProviderHttp, Redactor } from '#provider-http';
import { maxWaitMs } from '#test/harness';
import type { ProviderCall } from '../provider.js';
import { CallUsage, Usage } from '../usage/usage.js';
import { documentProvider } from './document-provider.js';

const document = `
provider: custom_files
version: 1.0.0
fullname: Files
vendor: Tests
credentials:
  credential:
    token: { send: header, name: authorization, value: this.credential.secret }
http:
  base_url: this.config.url
  origins: ['https://files.example.com']
  message: this.body.error
errors:
  - { when: this.body.error == "no such thing", status: 404 }
  - { when: this.body.error == "not yours", status: 403 }
  - { when: this.body.error != null, status: 400 }
operations:
  ticketing_get_ticket:
    steps:
      - { name: thing, path: '/things/{this.path.ticketId}' }
    record: this.steps.thing
  ticketing_download_attachment:
    steps:
      - { name: file, url: this.path.attachmentId, answer: text }
    record: '{"text": this.steps.file}'
  edr_delete_iocs:
    steps:
      - { name: gone, path: /gone }
    result: this.steps.gone.ids.sort()
  edr_create_iocs:
    steps:
      - { name: made, method: POST, path: /made, body: root = this.body }
    rows: this.steps.made.indicators
  ticketing_create_attachment:
    steps:
      - { name: file, url: this.path.ticketId, method: PUT, anonymous: true, answer: none, body: 'root = "x"' }
    record: '{"done": true}'
  ticketing_list_comments:
    steps:
      - { name: extra, when: this.config.extra == true, path: /extra }
    rows: '[{"extra": this.steps.extra != null, "url": this.config.url}]'
`;

let answer: (request: IncomingMessage, response: ServerResponse) => void;

describe('what an answer of a provider means', () => {
  const provider = documentProvider(compileProvider(document));
  const policy = new EgressPolicy(['127.0.0.1']);
  const http = new ProviderHttp({
    dispatcher: createDispatcher(policy),
    policy,
    permits: { acquire: () => Promise.resolve(() => undefined) },
    clock: systemClock,
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
  const usage = new Usage();
  let server: Server;
  let url: string;
  let seen: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen = request.headers.authorization;
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    seen = undefined;
    answer = (_request, response) => response.end('{"id":"1"}');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const run = async (id: keyof typeof provider.operations, path: Record<string, string>) => {
    const ids = { organizationId: 'o', accountId: 'a', integrationId: 'i' };
    const call = {
      http,
      integration: { ...ids, id: 'i', providerConfig: { url } },
      credential: () => ({ id: 'crd_1', kind: 'token', config: { secret: 'the-secret' } }),
      signal: AbortSignal.timeout(maxWaitMs),
      deadline: Date.now() + maxWaitMs,
      usage: new CallUsage(usage, ids),
      onResponse: () => undefined,
      path,
      query: {},
      list: { filters: [], orders: [] },
      clock: systemClock,
      pollUntil: 0,
      redactor: new Redactor(),
    } as unknown as ProviderCall;
    return await provider.operations[id]?.run(call, { body: {} });
  };
  const failure = async (...args: Parameters<typeof run>): Promise<ApiError> => {
    const outcome = await run(...args).catch((error: unknown) => error);
    if (outcome instanceof ApiError) return outcome;
    throw new Error(`no failure but ${JSON.stringify(outcome)}`);
  };

  it.each([
    ['no such thing', 404, /no such record: no such thing/],
    ['not yours', 502, /does not permit this with the credential crd_1/],
    ['odd', 400, /refuses the request: odd/],
  ])('is a failure with status 200 when the document says so: %s', async (error, status, text) => {
    answer = (_request, response) => response.end(JSON.stringify({ error }));
    const problem = await failure('ticketing_get_ticket', { ticketId: '1' });
    expect([problem.status, problem.message]).toEqual([status, expect.stringMatching(text)]);
  });

  it('is a success when nothing in the document is against it', async () => {
    expect(await run('ticketing_get_ticket', { ticketId: '1' })).toEqual({ record: { id: '1' } });
  });

  it('may be a result that is not a record', async () => {
    answer = (_request, response) => response.end('{"ids":["b","a"]}');
    expect(await run('edr_delete_iocs', {})).toEqual({ value: ['a', 'b'] });
  });

  it('may be several records of a create', async () => {
    answer = (_request, response) => response.end('{"indicators":[{"id":"1"},{"id":"2"}]}');
    expect(await run('edr_create_iocs', {})).toEqual({ records: [{ id: '1' }, { id: '2' }] });
  });

  // "`record` must be what it says: null or another type is a 502 that names expression and line."
  it.each([
    ['null', 'is null, not an object'],
    ['["1"]', 'is an array, not an object'],
    ['"1"', 'is a string, not an object'],
  ])(
    'without a record, such as %s, is a 502 that names expression and line',
    async (body, text) => {
      answer = (_request, response) => response.end(body);
      const problem = await failure('ticketing_get_ticket', { ticketId: '1' });
      expect([problem.status, problem.message]).toEqual([
        502,
        expect.stringMatching(
          new RegExp(`operations.ticketing_get_ticket.record \\(line \\d+\\): this\\S* ${text}`),
        ),
      ]);
    },
  );

  it('tells in which state the integration was found by what an answer means, not by its status', async () => {
    answer = (_request, response) => response.end('{"error":"not yours"}');
    await failure('ticketing_get_ticket', { ticketId: '1' });
    const { states } = usage.take();
    expect(states.map(({ status }) => status)).toContain('permission_missing');
  });

  it('may name an address to go on at, which gets the credential at the provider only', async () => {
    const file = { ticketId: '1', attachmentId: `${url}/files/7?x=1` };
    expect(await run('ticketing_download_attachment', file)).toEqual({
      record: { text: '{"id":"1"}' },
    });
    expect(seen).toBe('the-secret');
    const elsewhere = { ...file, attachmentId: 'http://127.0.0.1:9/steal' };
    const problem = await failure('ticketing_download_attachment', elsewhere);
    expect(problem.message).toBe(
      'refusing to send the credential to http://127.0.0.1:9: not a configured origin of Files',
    );
    const none = await failure('ticketing_download_attachment', {
      ...file,
      attachmentId: 'nowhere',
    });
    expect(none.message).toContain(
      'ticketing_download_attachment.steps.0.url: the value is not a URL',
    );
    const metadata = { ...file, attachmentId: 'https://169.254.169.254/latest' };
    expect((await failure('ticketing_download_attachment', metadata)).status).toBe(502);
  });

  it('may name an address that is signed, which gets no credential', async () => {
    await run('ticketing_create_attachment', { ticketId: `${url}/signed` });
    expect(seen).toBeUndefined();
    const problem = await failure('ticketing_create_attachment', {
      ticketId: 'http://169.254.169.254/latest',
    });
    expect(problem.message).toContain('169.254.169.254');
  });

  it('is asked for, and read, by what the configuration says', async () => {
    const outcome = await run('ticketing_list_comments', { ticketId: '1' });
    if (outcome === undefined || !('pages' in outcome)) throw new Error('no list');
    expect((await outcome.pages.read(undefined, 10)).rows).toEqual([{ extra: false, url }]);
  });

  it('is asked for at a path or at an address, not both', () => {
    const both = document.replace("path: '/things", "url: this.x, path: '/things");
    expect(() => compileProvider(both)).toThrow(/one of path, url and function/);
  });
});
