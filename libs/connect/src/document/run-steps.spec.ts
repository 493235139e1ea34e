import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { ProviderHttp, type ProviderRequest, type SendOptions } from '#provider-http';
import { scan, type ScanPosition } from '../lists/stream-list.js';
import { readAllRows } from '../lists/whole-list.js';
import { all, ids, pagesOf, run, served, serveDuringTests } from './run-document.fixture.js';

serveDuringTests();

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
    served.handle = answer;
    const pages = await pagesOf('steps: [{ path: /list }]\nrows: this.steps.call.items');
    await expect(readAllRows(pages, '')).rejects.toMatchObject({
      status: 502,
      message: `the provider document failed at operations.custom_query.rows (line 11): this.steps.call.items ${message}`,
    });
  });

  it('can be replaced by an empty list in the expression', async () => {
    served.handle = () => ({});
    const pages = await pagesOf('steps: [{ path: /list }]\nrows: this.steps.call.items.or([])');
    expect(await readAllRows(pages, '')).toEqual([]);
  });
});

describe('calls for each row', () => {
  let running = 0;
  let highest = 0;
  beforeEach(() => {
    running = highest = 0;
    served.handle = async (at) => {
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
    expect(served.asked).toHaveLength(1 + all.length);
  });

  it('are not any number', async () => {
    const many = Array.from({ length: 1_001 }, (_, id) => ({ id: String(id) }));
    served.handle = () => many;
    await expect(readAllRows(await pagesOf(perRow), '')).rejects.toThrow('the list has 1001 items');
    expect(served.asked).toEqual(['/list']);
  });

  it('end with the first that fails, or that does not pass its check', async () => {
    served.handle = (at) => (at.pathname === '/list' ? all : { owner: 'nobody' });
    await expect(readAllRows(await pagesOf(perRow), '')).rejects.toThrow('a has no owner');
    expect(served.asked.length).toBeLessThan(1 + all.length);
  });
});

it('a step is left out when it is not wanted, and is null then', async () => {
  served.handle = (at) =>
    at.pathname === '/which' ? { old: at.search === '?old' } : [{ id: at.pathname }];
  const branches = (search: string) => `steps:
  - { name: which, path: /which${search} }
  - { name: old, path: /v1, when: this.steps.which.old }
  - { name: new, path: /v2, when: '!this.steps.which.old' }
rows: this.steps.old | this.steps.new`;
  expect(ids(await readAllRows(await pagesOf(branches('')), ''))).toBe('/v2');
  expect(served.asked).toEqual(['/which', '/v2']);
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
    served.handle = (at) => {
      if (at.pathname === '/jobs') return { id: 'j1' };
      if (at.pathname.endsWith('/rows')) return all;
      left -= 1;
      return { state: left > 0 ? 'running' : left === 0 ? 'done' : 'failed' };
    };
  });

  it('is asked for again and again until it is done', async () => {
    left = 2;
    expect(ids(await readAllRows(await pagesOf(job), ''))).toBe('abcdefg');
    expect(served.asked).toEqual(['/jobs', '/jobs/j1', '/jobs/j1', '/jobs/j1/rows']);
  });

  it('goes on where it was in another process, and is begun once', async () => {
    left = 2;
    const until = Date.now() - 1;
    const first = await (await pagesOf(job, until)).read(undefined, 10);
    expect(first).toMatchObject({ rows: [], waits: true });
    const position = JSON.parse(JSON.stringify(first.next)) as unknown;
    expect(ids((await (await pagesOf(job, until)).read(position, 10)).rows)).toBe('abcdefg');
    expect(served.asked.filter((path) => path === '/jobs')).toHaveLength(1);
  });

  it('is begun once for all of the pages, and a page is read again without it', async () => {
    served.handle = (at) => {
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
    expect(served.asked.filter((path) => path === '/jobs')).toHaveLength(1);
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
    served.handle = () => [];
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
      limits: { concurrency: 3, budgets: [{ requests: 50, periodMs: 10_000 }] },
      retry: { attempts: 5, statuses: [429, 500], resets: [{ header: 'x-reset', unit: 'epoch' }] },
      place: { organizationId: 'org_1', key: 'int_1' },
    });
    expect(await wired('')).toMatchObject({
      timeoutMs: 30_000,
      maxBytes: 33_554_432,
      limits: { concurrency: undefined, budgets: [] },
      retry: { attempts: 3, statuses: expect.arrayContaining([429, 500, 503, 529]), resets: [] },
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
    expect(served.asked).toEqual([]);
  });

  it('cannot name the response of a step', async () => {
    const wrong = operation.replace('this.query.limit == null', 'this.steps.call == null');
    await expect(run(wrong)).rejects.toThrow('this.steps.call');
  });
});

it('a status that is accepted has the body of its answer', async () => {
  served.handle = (at, _request, response) => {
    if (at.pathname === '/jobs') response.statusCode = 409;
    return at.pathname === '/jobs' ? { active: 'j-1' } : { rows: [] };
  };
  const pages = await pagesOf(`steps:
  - { name: job, path: /jobs, accept: [409] }
  - { name: done, path: '/jobs/{this.steps.job.active}' }
rows: this.steps.done.rows`);
  await pages.read(undefined, 3);
  expect(served.asked).toEqual(['/jobs', '/jobs/j-1']);
});

/** "Headers and status of a step's answer are visible to expressions." */
describe('status and headers of the answers', () => {
  beforeEach(() => {
    served.handle = (at, _request, response) => {
      response.statusCode = at.pathname === '/list' ? 203 : 200;
      response.setHeader('X-Part', at.pathname);
      return at.pathname === '/list' ? all.slice(0, 2) : {};
    };
  });
  const steps = `steps:
  - { name: list, path: /list }
  - { name: never, path: /never, when: 'false' }
  - { name: parts, path: '/parts/{this.item.id}', each: this.steps.list }
  - { name: last, path: /last, headers: 'root."x-seen" = this.answers.list.headers."x-part"' }`;

  it('are there for the steps and expressions behind them', async () => {
    let seen: unknown;
    const { handle } = served;
    served.handle = (at, request, response) => {
      if (at.pathname === '/last') seen = request.headers['x-seen'];
      return handle(at, request, response);
    };
    const pages = await pagesOf(`${steps}
rows: |-
  [this.answers.list.status, this.answers.never, this.answers.parts.map_each(one -> one.headers."x-part")].map_each(one -> {"seen": one}).filter(one -> one.seen != null)`);
    expect(await readAllRows(pages, '')).toEqual([
      { seen: 203 },
      { seen: ['/parts/a', '/parts/b'] },
    ]);
    expect(seen).toBe('/list');
  });

  it('are kept while a list waits for its provider', async () => {
    let isReady = false;
    const { handle } = served;
    served.handle = (at, request, response) => {
      const body = handle(at, request, response);
      return at.pathname === '/poll' ? { done: isReady } : body;
    };
    const pages = await pagesOf(
      `steps:
  - { name: list, path: /list }
  - { name: poll, path: /poll, poll: { until: this.body.done } }
rows: '[{"status": this.answers.list.status}]'`,
      Date.now(),
    );
    const first = await pages.read(undefined, 10);
    expect(first).toMatchObject({ rows: [], waits: true });
    isReady = true;
    const stored = JSON.parse(JSON.stringify(first.next)) as unknown;
    expect(await pages.read(stored, 10)).toMatchObject({ rows: [{ status: 203 }] });
    expect(served.asked).toEqual(['/list', '/poll', '/poll']);
  });
});
