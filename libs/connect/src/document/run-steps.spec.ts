import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '#config';
import { ApiError, type OperationId } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { ProviderHttp, Redactor, type ProviderRequest, type SendOptions } from '#provider-http';
import type { ListPages, ProviderResult, ProviderCall } from '../provider.js';
import { readAllRows, scan, type ScanPosition } from '../scan.js';
import { CallUsage, Usage } from '../usage.js';
import { documentProvider } from './document-provider.js';

interface Other {
  client?: typeof ProviderHttp;
  /** More of http. */
  http?: string;
}

type Handler = (url: URL, request: IncomingMessage, response: ServerResponse) => unknown;

let server: Server;
let url: string;
let asked: string[] = [];
let handle: Handler = () => ({});
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);

beforeAll(async () => {
  server = createServer((request, response) => {
    const at = new URL(request.url ?? '', url);
    asked.push(`${at.pathname}${at.search}`);
    void Promise.resolve(handle(at, request, response)).then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

/** Runs `custom_query` of a document with this body of the operation, as a process that was just started. */
async function run(
  operation: string,
  pollUntil = Date.now() + 5_000,
  { client = ProviderHttp, http: settings = '' }: Other = {},
): Promise<ProviderResult> {
  const provider = documentProvider(
    compileProvider(`
provider: custom_runs
version: 1.0.0
fullname: Runs
vendor: Tests
http:
  base_url: this.config.url${settings}
operations:
  custom_query:
${operation.trimEnd().replace(/^/gm, '    ')}
`),
  );
  const http = new client({
    ...{ dispatcher, policy, clock: systemClock },
    permits: { acquire: () => Promise.resolve(() => undefined) },
    tokens: { get: () => Promise.reject(new Error('no tokens here')) },
  });
  const ids = { organizationId: 'org_1', accountId: 'acc_1' };
  const outcome = await provider.operations['custom_query' as OperationId]?.run(
    {
      ...{ http, pollUntil, clock: systemClock, path: {}, query: {} },
      integration: { id: 'int_1', ...ids, providerConfig: { url } },
      credential: () => undefined,
      signal: new AbortController().signal,
      deadline: Date.now() + 5_000,
      usage: new CallUsage(new Usage(), { ...ids, integrationId: 'int_1' }),
      onResponse: () => undefined,
      list: { filters: [], orders: [] },
      redactor: new Redactor(),
    } as unknown as ProviderCall,
    {},
  );
  if (outcome === undefined) throw new Error('the document has no custom_query');
  return outcome;
}

async function pagesOf(operation: string, pollUntil?: number, other?: Other): Promise<ListPages> {
  const outcome = await run(operation, pollUntil, other);
  if (!('pages' in outcome)) throw new Error('the result is not a list in pages');
  return outcome.pages;
}

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id }));
const ids = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id).join('');
const part = (url: URL, from: number) => {
  const size = Number(url.searchParams.get('limit'));
  return { rows: all.slice(from, from + size), from, size, total: all.length };
};

/** The styles of paging there are: what the document says, and how the provider answers. */
const styles: Record<string, [operation: string, answer: Handler]> = {
  'an offset, with a total': [
    `page: { kind: offset, size: 3, count: this.body.rows.length(), total: this.body.total }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.offset = this.page.offset" }]
rows: this.steps.call.rows`,
    (at) => part(at, Number(at.searchParams.get('offset'))),
  ],
  'an offset, until a page is not full': [
    `page: { kind: offset, size: 3, count: this.body.rows.length() }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.offset = this.page.offset" }]
rows: this.steps.call.rows`,
    (at) => part(at, Number(at.searchParams.get('offset'))),
  ],
  'the number of a page, told that there is more': [
    `page: { kind: page, size: 3, count: this.body.rows.length(), more: this.body.more }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.page = this.page.number" }]
rows: this.steps.call.rows`,
    (at) => {
      const size = Number(at.searchParams.get('limit'));
      const from = (Number(at.searchParams.get('page')) - 1) * size;
      return { ...part(at, from), more: from + size < all.length };
    },
  ],
  'a token in a parameter': [
    `page: { kind: token, size: 3, next: this.body.next }
steps: [{ path: /list, query: "root.limit = this.page.limit\\nroot.after = this.page.token | null" }]
rows: this.steps.call.rows`,
    (at) => {
      const page = part(at, Number(at.searchParams.get('after') ?? 0));
      const next = page.from + page.size;
      return { ...page, next: next < all.length ? String(next) : null };
    },
  ],
  'a token that an earlier step has a part of': [
    `page: { kind: token, step: rows, size: 3, next: 'if this.body.next != null { this.steps.place.name + this.body.next }' }
steps:
  - { name: place, path: /place }
  - name: rows
    path: /list
    query: |
      root.limit = this.page.limit
      root.after = (this.page.token | null).not_null().trim_prefix(this.steps.place.name) | null
rows: this.steps.rows.rows`,
    (at) => {
      if (at.pathname.endsWith('/place')) return { name: 'place-' };
      const page = part(at, Number(at.searchParams.get('after') ?? 0));
      const next = page.from + page.size;
      return { ...page, next: next < all.length ? String(next) : null };
    },
  ],
  'a cursor in the body, both ways': [
    `page: { kind: token, size: 3, next: this.body.page.cursor, more: this.body.page.more }
steps:
  - path: /list
    method: POST
    repeatable: true
    body: "root.limit = this.page.limit\\nroot.cursor = this.page.token | null"
rows: this.steps.call.rows`,
    async (_at, request) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { limit, cursor } = JSON.parse(Buffer.concat(chunks).toString()) as {
        limit: number;
        cursor: string | null;
      };
      const from = Number(cursor?.slice('row '.length) ?? 0);
      // A cursor comes with the last page too.
      const page = { cursor: `row ${from + limit}`, more: from + limit < all.length };
      return { rows: all.slice(from, from + limit), page };
    },
  ],
  'the header Link': [
    `page: { kind: link, size: 3 }
steps: [{ path: /list, query: root.limit = this.page.limit }]
rows: this.steps.call.rows`,
    (at, _request, response) => {
      const page = part(at, Number(at.searchParams.get('from')));
      const next = page.from + page.size;
      if (next < all.length)
        response.setHeader(
          'link',
          `<${url}/first>; rel="first", </list?limit=${page.size}&from=${next}>; rel="next"`,
        );
      return page;
    },
  ],
  'an address in the body': [
    `page: { kind: link, size: 3, next: this.body."@odata.nextLink" }
steps: [{ path: /list, query: root.limit = this.page.limit }]
rows: this.steps.call.rows`,
    (at) => {
      const page = part(at, Number(at.searchParams.get('from')));
      const next = page.from + page.size;
      const link = `${url}/list?limit=${page.size}&from=${next}`;
      return { ...page, ...(next < all.length ? { '@odata.nextLink': link } : {}) };
    },
  ],
};

describe.each(Object.entries(styles))('a list paged by %s', (_name, [operation, answer]) => {
  beforeEach(() => {
    handle = answer;
  });

  it('is read whole, every row once', async () => {
    expect(ids(await readAllRows(await pagesOf(operation), ''))).toBe('abcdefg');
    expect(asked.filter((at) => !at.endsWith('/place'))).toHaveLength(3);
  });

  it.each([1, 2, 3, 5, 7])('goes on after a restart, %i rows at a time', async (limit) => {
    const given: string[] = [];
    let from: ScanPosition | undefined;
    do {
      const { rows, next } = await scan(await pagesOf(operation), (row) => row, {
        ...{ limit, from, pageSize: limit },
        isOver: () => false,
      });
      expect(rows.length).toBeLessThanOrEqual(limit);
      given.push(ids(rows));
      from = next && (JSON.parse(JSON.stringify(next)) as ScanPosition); // all that a cursor holds
    } while (from !== undefined);
    expect(given.join('')).toBe('abcdefg');
  });
});

describe('a list that does not end', () => {
  it.each([
    ['token', 'next: this.body.next', { rows: [], next: 'again' }],
    ['link', 'next: this.body.next', { rows: [], next: '/list?again' }],
  ])('by its %s is a 502, and not read until the deadline', async (kind, next, body) => {
    handle = () => body;
    const pages = await pagesOf(
      `page: { kind: ${kind}, size: 3, ${next} }\nsteps: [{ path: /list }]\nrows: this.steps.call.rows`,
    );
    await expect(readAllRows(pages, '')).rejects.toThrow('returned the same page as the next page');
    expect(asked).toHaveLength(2);
  });

  it('may not lead to another host with our credential', async () => {
    handle = () => ({ rows: [], next: 'http://169.254.169.254/list' });
    const pages = await pagesOf(
      `page: { kind: link, size: 3, next: this.body.next }\nsteps: [{ path: /list }]\nrows: this.steps.call.rows`,
    );
    await expect(readAllRows(pages, '')).rejects.toThrow(
      'the next page is at http://169.254.169.254',
    );
  });
});

const perRow = `steps:
  - { name: list, path: /list }
  - name: details
    path: /details/{this.item}
    each: this.steps.list.map_each(row -> row.id)
    concurrency: 3
    checks:
      - that: this.body.owner != "nobody"
        status: 409
        message: '"%s has no owner".format(this.item)'
rows: this.steps.details`;

/** "`rows` must be what it says: null or another type is a 502 that names expression and line." */
describe('rows that are not a list', () => {
  it.each([
    ['null', () => ({ items: null }), 'is null, not a list'],
    ['absent', () => ({}), 'is null, not a list'],
    ['an object', () => ({ items: { a: 1 } }), 'is an object, not a list'],
  ])('such as %s are a 502 that names expression and line', async (_name, answer, message) => {
    handle = answer;
    const pages = await pagesOf('steps: [{ path: /list }]\nrows: this.steps.call.items');
    await expect(readAllRows(pages, '')).rejects.toMatchObject({
      status: 502,
      message: `the provider document failed at operations.custom_query.rows (line 11): this.steps.call.items ${message}`,
    });
  });

  it('can be replaced by an empty list in the expression', async () => {
    handle = () => ({});
    const pages = await pagesOf('steps: [{ path: /list }]\nrows: this.steps.call.items.or([])');
    expect(await readAllRows(pages, '')).toEqual([]);
  });
});

describe('calls for each row', () => {
  let running = 0;
  let highest = 0;
  beforeEach(() => {
    running = highest = 0;
    handle = async (at) => {
      if (at.pathname === '/list') return all;
      running += 1;
      highest = Math.max(highest, running);
      // The first ones take longest.
      await new Promise((done) => setTimeout(done, at.pathname.endsWith('a') ? 60 : 15));
      running -= 1;
      return { owner: `owner of ${at.pathname.slice(-1)}` };
    };
  });

  it('are so many at the same time, and their answers in the order of the rows', async () => {
    const rows = await readAllRows(await pagesOf(perRow), '');
    expect(rows.map(({ owner }) => owner)).toEqual(all.map(({ id }) => `owner of ${id}`));
    expect(highest).toBe(3);
    expect(asked).toHaveLength(1 + all.length);
  });

  it('are not any number', async () => {
    const many = Array.from({ length: 1_001 }, (_, id) => ({ id: String(id) }));
    handle = () => many;
    await expect(readAllRows(await pagesOf(perRow), '')).rejects.toThrow('the list has 1001 items');
    expect(asked).toEqual(['/list']);
  });

  it('end with the first that fails, or that does not pass its check', async () => {
    handle = (at) => (at.pathname === '/list' ? all : { owner: 'nobody' });
    await expect(readAllRows(await pagesOf(perRow), '')).rejects.toThrow('a has no owner');
    expect(asked.length).toBeLessThan(1 + all.length);
  });
});

it('a step is left out when it is not wanted, and is null then', async () => {
  handle = (at) =>
    at.pathname === '/which' ? { old: at.search === '?old' } : [{ id: at.pathname }];
  const branches = (search: string) => `steps:
  - { name: which, path: /which${search} }
  - { name: old, path: /v1, when: this.steps.which.old }
  - { name: new, path: /v2, when: '!this.steps.which.old' }
rows: this.steps.old | this.steps.new`;
  expect(ids(await readAllRows(await pagesOf(branches('')), ''))).toBe('/v2');
  expect(asked).toEqual(['/which', '/v2']);
});

describe('work that the provider takes its time for', () => {
  const job = `steps:
  - { name: job, method: POST, path: /jobs }
  - name: state
    path: /jobs/{this.steps.job.id}
    poll: { until: this.body.state == "done", failed: this.body.state == "failed", every: 1 }
  - { name: rows, path: '/jobs/{this.steps.job.id}/rows' }
rows: this.steps.rows`;
  let left = 0;
  beforeEach(() => {
    handle = (at) => {
      if (at.pathname === '/jobs') return { id: 'j1' };
      if (at.pathname.endsWith('/rows')) return all;
      left -= 1;
      return { state: left > 0 ? 'running' : left === 0 ? 'done' : 'failed' };
    };
  });

  it('is asked for again and again until it is done', async () => {
    left = 2;
    expect(ids(await readAllRows(await pagesOf(job), ''))).toBe('abcdefg');
    expect(asked).toEqual(['/jobs', '/jobs/j1', '/jobs/j1', '/jobs/j1/rows']);
  });

  it('goes on where it was in another process, and is begun once', async () => {
    left = 2;
    const until = Date.now() - 1;
    const first = await (await pagesOf(job, until)).read(undefined, 10);
    expect(first).toMatchObject({ rows: [], waits: true });
    const position = JSON.parse(JSON.stringify(first.next)) as unknown;
    expect(ids((await (await pagesOf(job, until)).read(position, 10)).rows)).toBe('abcdefg');
    expect(asked.filter((path) => path === '/jobs')).toHaveLength(1);
  });

  it('is begun once for all of the pages, and a page is read again without it', async () => {
    handle = (at) => {
      const [, , , number = ''] = at.pathname.split('/');
      if (at.pathname === '/jobs') return { id: 'j1' };
      return number === ''
        ? { id: 'j1', chunks: 2 }
        : all.slice(Number(number) * 4 - 4, Number(number) * 4);
    };
    const pages = await pagesOf(`page:
  kind: token
  size: 2
  step: state
  next: 'if (this.page.token | "1").has_suffix("1") { "2" }'
  again: this.body.id.slice(1) + "." + (this.page.token | "1")
steps:
  - { name: job, method: POST, path: /jobs, when: this.page.token == null }
  - { name: state, path: /jobs/j1, poll: { until: this.body.chunks > 0 } }
  - { name: rows, path: '/jobs/j1/{(this.page.token | "1").split(".").index(-1)}' }
rows: this.steps.rows`);
    const seen: unknown[] = [];
    let from: ScanPosition | undefined;
    do {
      const options = { limit: 3, from, pageSize: 3, isOver: () => false };
      const { rows, next } = await scan(pages, (row) => row, options);
      seen.push(...rows);
      from = next && (JSON.parse(JSON.stringify(next)) as ScanPosition);
    } while (from !== undefined && seen.length < 20);
    expect(ids(seen as { id: string }[])).toBe('abcdefg');
    expect(asked.filter((path) => path === '/jobs')).toHaveLength(1);
  });

  it('that fails is a 502 with what the provider said', async () => {
    left = 0;
    const failure = await readAllRows(await pagesOf(job), '').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as ApiError).status).toBe(502);
    expect((failure as ApiError).options.context?.raw_error).toContain('failed');
  });
});

describe('a document', () => {
  const wired = async (http: string): Promise<SendOptions> => {
    let options: SendOptions | undefined;
    class Watched extends ProviderHttp {
      override send(request: ProviderRequest, given: SendOptions) {
        options = given;
        return super.send(request, given);
      }
    }
    handle = () => [];
    const pages = await pagesOf('steps: [{ path: /list }]\nrows: this.steps.call', undefined, {
      client: Watched,
      http,
    });
    await pages.read(undefined, 10);
    if (options === undefined) throw new Error('nothing was called');
    return options;
  };

  it('says how its provider is called: how often, how long, how much', async () => {
    const said = await wired(`
  timeout: 7
  limits: { concurrency: 3, requests: 50, period: 10, response_bytes: 1000 }
  retry: { attempts: 5, statuses: [429, 500], resets: [{ header: x-reset, unit: epoch }] }`);
    expect(said).toMatchObject({
      timeoutMs: 7_000,
      maxBytes: 1_000,
      limits: { concurrency: 3, requests: 50, periodMs: 10_000 },
      retry: { attempts: 5, statuses: [429, 500], resets: [{ header: 'x-reset', unit: 'epoch' }] },
      place: { organizationId: 'org_1', key: 'int_1' },
    });
    expect(await wired('')).toMatchObject({
      ...{ timeoutMs: 30_000, maxBytes: 33_554_432 },
      limits: { concurrency: undefined, requests: undefined, periodMs: 60_000 },
      retry: { attempts: 3, statuses: [429, 502, 503, 504], resets: [] },
    });
  });

  it.each([
    [
      'steps: [{ path: /a, each: this.list, poll: { until: this.body.done } }]\nrows: this.steps.call',
      'a step with each cannot wait',
    ],
    [
      'page: { kind: link, size: 3 }\nsteps: [{ path: /a, each: this.list }]\nrows: this.steps.call',
      'a step with each cannot be paged',
    ],
  ])('says what calls for each row cannot do: %j', async (operation, fault) => {
    await expect(run(operation)).rejects.toThrow(fault);
  });
});

describe('what has to be true of a request', () => {
  const operation = `checks:
  - { that: this.query.limit == null, status: 400, message: '"not with the limit %v".format(this.query.limit)' }
  - { that: this.filters.length() > 0, status: 501, message: '"a filter is missing"' }
steps: [{ path: /list }]
rows: this.steps.call.rows`;

  it('is checked before the provider is called', async () => {
    const pages = await pagesOf(operation);
    await expect(pages.read(undefined, 3)).rejects.toMatchObject({
      status: 501,
      message: 'a filter is missing',
    });
    expect(asked).toEqual([]);
  });

  it('cannot name the response of a step', async () => {
    const wrong = operation.replace('this.query.limit == null', 'this.steps.call == null');
    await expect(run(wrong)).rejects.toThrow('this.steps.call');
  });
});

it('a status that is accepted has the body of its answer', async () => {
  handle = (at, _request, response) => {
    if (at.pathname === '/jobs') response.statusCode = 409;
    return at.pathname === '/jobs' ? { active: 'j-1' } : { rows: [] };
  };
  const pages = await pagesOf(`steps:
  - { name: job, path: /jobs, accept: [409] }
  - { name: done, path: '/jobs/{this.steps.job.active}' }
rows: this.steps.done.rows`);
  await pages.read(undefined, 3);
  expect(asked).toEqual(['/jobs', '/jobs/j-1']);
});
