import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { systemClock } from '#config';
import { type ApiError, type Call, loadValidators, type OperationId } from '#contract';
import { Budgets } from '@onefold/mapping';
import type { ProviderHttp } from '#provider-http';
import type { Filter, Order } from '#query';
import { keyOf, Sealer } from '#secrets';
import type { Store } from '#store';
import { Connector } from './connector.js';
import type { OperationResult } from './map-response.js';
import type { ProviderRecord } from './provider-record.js';
import type { ListPages, ProviderOperation } from './provider.js';
import { Usage } from './usage/usage.js';

// "Everything the caller sees, filters, orders and counts is one shape: the final one. Push a filter down only where the chain leaves that
// field alone; otherwise apply it here."

const native: ProviderRecord[] = ['open', 'open', 'pending', 'closed', 'open'].map(
  (state, index) => ({ key: `T-${index + 1}`, state, opened: `2026-01-0${5 - index}T00:00:00Z` }),
);

interface Given {
  query?: Record<string, unknown>;
  meta?: string[];
  /** The templates of customers' mappings, after the provider's own. */
  chain?: string[];
  operation?: OperationId;
  offered?: Partial<ProviderOperation>;
}

const builtIn = { reference: 'default:0' };

function mapping(template: string) {
  const data = `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${template.replace(/^/gm, '    ')}\n`;
  return { reference: 'customer:1', data };
}

/** Lists tickets, and tells what the provider was asked to filter and order. */
async function list({ query = {}, meta = [], chain, operation, offered = {} }: Given) {
  const id = operation ?? 'ticketing_query_tickets';
  let pushed: { filters: readonly Filter[]; orders: readonly Order[] } = {
    filters: [],
    orders: [],
  };
  let read = 0;
  const provided: ProviderOperation = {
    resource: 'tickets',
    action: 'query',
    response: ({ key, state, opened }) => ({ id: key, status: state, created_at: opened }),
    pushes: { filter: ({ field }) => field === 'status', order: ({ field }) => field === 'time' },
    run: ({ list: wanted }) => {
      pushed = wanted;
      const rows = native.filter(({ state }) =>
        wanted.filters.every(({ values }) => values.includes(state as string)),
      );
      const pages: ListPages = {
        size: 2,
        path: {},
        read: (at, limit) => {
          read += 1;
          const from = (at as number | undefined) ?? 0;
          const next = from + limit < rows.length ? from + limit : undefined;
          return Promise.resolve({ rows: rows.slice(from, from + limit), next });
        },
      };
      return Promise.resolve({ pages });
    },
    ...offered,
  };
  const integration = {
    id: 'int_1',
    organizationId: 'org_1',
    accountId: 'acc_1',
    providerType: 'ticketing_acme',
    category: 'ticketing',
    providerConfig: {},
    credentials: {},
    additionalMappings: [],
    chains:
      chain === undefined
        ? []
        : [{ operationIds: [id], mappings: [builtIn, ...chain.map(mapping)] }],
  } as unknown as ResolvedIntegration;
  const connector = new Connector({
    integrations: { find: () => Promise.resolve(integration) },
    providers: {
      find: () =>
        Promise.resolve({
          type: 'ticketing_acme',
          manifest: {} as never,
          operations: { [id]: provided },
        }),
    },
    store: undefined as unknown as Store,
    http: undefined as unknown as ProviderHttp,
    sealer: new Sealer(keyOf(Buffer.alloc(32, 7))),
    usage: new Usage(),
    budgets: new Budgets(),
    clock: systemClock,
  });
  const answer = (await connector.run({
    operation: id,
    path: {},
    query,
    meta,
    requestId: 'req_1',
    caller: { organizationId: 'org_1', accountId: 'acc_1', integrationId: 'int_1' },
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
  } as unknown as Call)) as OperationResult;
  return { ...answer, rows: answer.result as ProviderRecord[], pushed, read };
}

/** A list that never ends. */
const long: ProviderOperation['run'] = () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ key: `T-${index}`, state: 'open' }));
  const read = (at: unknown, limit: number) =>
    Promise.resolve({ rows: rows.slice(0, limit), next: Number(at ?? 0) + 1 });
  return Promise.resolve({ pages: { size: 1_000, path: {}, read } });
};

const statusesOf = (rows: readonly ProviderRecord[]) => rows.map(({ status }) => status);
const idsOf = (rows: readonly ProviderRecord[]) => rows.map(({ id }) => id);
const renames = 'root = this\nroot.status = "renamed_" + this.status';

beforeAll(() => loadValidators());

describe('a list', () => {
  it('filters what the chain has written, and not what was there before it', async () => {
    const found = await list({ chain: [renames], query: { filter: ['status[eq]renamed_open'] } });
    expect(statusesOf(found.rows)).toEqual(['renamed_open', 'renamed_open', 'renamed_open']);
    expect(found.pushed.filters).toEqual([]);
    const before = await list({ chain: [renames], query: { filter: ['status[eq]open'] } });
    expect(before.rows).toEqual([]);
  });

  it('counts the rows of its chain, and names their values', async () => {
    const drops = `${renames}\nroot = if this.status == "closed" { deleted() }`;
    const { rows, meta } = await list({
      chain: [drops],
      meta: ['stats/count', 'stats/count([status])'],
    });
    expect(rows).toHaveLength(4);
    expect(meta).toEqual({
      stats: { count: { '*': 4, 'status:renamed_open': 3, 'status:renamed_pending': 1 } },
    });
  });

  it('orders by what the chain has written', async () => {
    const reverses = 'root = this\nroot.name = match this.status { "open" => "z", _ => "a" }';
    const { rows } = await list({ chain: [reverses], query: { order: ['name', 'id[desc]'] } });
    expect(idsOf(rows)).toEqual(['T-4', 'T-3', 'T-5', 'T-2', 'T-1']);
  });

  it.each([
    ['no chain', undefined, true],
    ['a chain that writes another field', ['root = this\nroot.summary = "x"'], true],
    ['a chain that copies the field', ['root.id = this.id\nroot.status = this.status'], true],
    ['a chain that drops records', ['root = this\nroot = if this.id == "T-1" { deleted() }'], true],
    ['two chains that keep it', ['root = this', 'root = this\nroot.name = "n"'], true],
    ['a chain that writes the field', ['root = this\nroot.status = this.status'], true],
    ['a chain that changes the field', [renames], false],
    [
      'a chain that changes it for some',
      ['root = this\nif this.id == "T-1" { root.status = "x" }'],
      false,
    ],
    ['a chain that replaces the record', ['root = this.merge({"status": "x"})'], false],
    ['a chain that builds a record of its own', ['root.id = this.id'], false],
    ['a chain whose second mapping changes it', ['root = this', renames], false],
  ])(
    'has the provider filter after %s: only if it leaves the field alone',
    async (_what, chain, is) => {
      const { pushed } = await list({
        ...(chain === undefined ? {} : { chain }),
        query: { filter: ['status[eq]open'] },
      });
      expect(pushed.filters).toHaveLength(is ? 1 : 0);
    },
  );

  it('is ordered by the provider, unless the chain writes the field of an order that was asked for', async () => {
    const shifts = ['root = this\nroot.created_at = "2026-01-01T00:00:00Z"'];
    const orders = async (given: Given) => (await list(given)).pushed.orders;
    expect(await orders({ query: { order: ['time'] } })).toHaveLength(1);
    expect(await orders({ chain: shifts, query: { order: ['time'] } })).toEqual([]);
    expect(await orders({ chain: shifts, offered: { order: 'time' } })).toHaveLength(1);
  });

  // A row whose chain writes the field is not where its new value would put it: `order=created_at` of the caller is.
  it('keeps its default order at the provider, so that a long list can be read with every chain', async () => {
    const shifts = ['root = this\nroot.created_at = "2026-01-01T00:00:00Z"'];
    const offered: Partial<ProviderOperation> = { order: 'time', run: long };
    expect((await list({ chain: shifts, offered, query: { limit: 3 } })).rows).toHaveLength(3);
    await expect(list({ chain: shifts, offered, query: { order: ['time'] } })).rejects.toThrow(
      /more than 10000 rows/,
    );
  });

  it('reads the pages that it needs, and no more, with a chain too', async () => {
    expect((await list({ chain: ['root = this'], query: { limit: 2 } })).read).toBe(1);
  });
});

// "`limit` (integer or null, default 100)", and the maximum that the contract has for an operation.
describe('the limit of a list', () => {
  it.each([
    ['the default of the contract', 'ticketing_query_tickets', {}, 100],
    ['the default of another operation', 'edr_query_alerts', {}, 50],
    ['what is asked for', 'ticketing_query_tickets', { limit: 700 }, 700],
    ['1,000 where the contract has no maximum', 'ticketing_query_tickets', { limit: 4_000 }, 1_000],
    ['its maximum, which may be larger', 'appsec_query_findings', { limit: 5_000 }, 5_000],
    [
      'its maximum, which may be smaller',
      'networksecurity_query_traffic_events',
      { limit: 900 },
      200,
    ],
  ] as const)('is %s', async (_what, operation, query, rows) => {
    const found = await list({ operation, query, offered: { run: long, response: (one) => one } });
    expect(found.rows).toHaveLength(rows);
    expect(found.cursor).not.toBe('');
  });

  it('does not cut a list without pages, not even with a filter', async () => {
    const all = Array.from({ length: 1_500 }, (_, index) => ({ id: `c-${index}`, content: 'x' }));
    const found = await list({
      operation: 'ticketing_list_comments', // by the domain `custom`, whose lists have filters
      query: { filter: ['content[eq]x'] },
      offered: { response: (one) => one, run: () => Promise.resolve({ all }) },
    });
    expect(found.rows).toHaveLength(1_500);
  });
});

// A caller who counts on the first page alone goes on without counts, and the other way around.
describe('a cursor', () => {
  const counts = ['stats/count'];
  it.each([
    ['with counts', counts, []],
    ['without counts', [], counts],
    ['with counts both times', counts, counts],
  ])('of a page %s goes on', async (_what, first, later) => {
    const query = { limit: 2 };
    const page = await list({ query, meta: first });
    const next = await list({ query: { ...query, cursor: page.cursor }, meta: later });
    const last = await list({ query: { ...query, cursor: next.cursor }, meta: later });
    expect([page, next, last].map(({ rows }) => idsOf(rows))).toEqual([
      ['T-1', 'T-2'],
      ['T-3', 'T-4'],
      ['T-5'],
    ]);
    expect(last.cursor).toBe('');
    const counted = { stats: { count: { '*': 5 } } };
    expect([page.meta, last.meta]).toEqual(
      [first, later].map((meta) => (meta.length > 0 ? counted : undefined)),
    );
  });

  it('goes on after counts with a filter that is applied here, and with a chain that drops records', async () => {
    const chain = [`${renames}\nroot = if this.id == "T-2" { deleted() }`];
    const query = { limit: 1, filter: ['status[eq]renamed_open'] };
    const first = await list({ chain, query, meta: counts });
    const second = await list({ chain, query: { ...query, cursor: first.cursor } });
    expect([first, second].map(({ rows }) => idsOf(rows))).toEqual([['T-1'], ['T-5']]);
    expect(first.meta).toEqual({ stats: { count: { '*': 2 } } });
  });

  it('costs no page of the provider twice', async () => {
    expect((await list({ query: { limit: 2 }, meta: counts })).read).toBe(3);
    expect((await list({ query: { limit: 0 }, meta: counts })).read).toBe(3);
  });
});

// "Fields follow from the contract by default; a field outside the contract, `custom_fields.*`, `unmapped.*` and what the chain writes is a
// 400, and so is an unknown operator."
describe('the fields of a list', () => {
  it('are those of the contract where the provider declares none', async () => {
    const { rows } = await list({
      query: { filter: ['status[in]closed,pending'], order: ['id[desc]'] },
    });
    expect(idsOf(rows)).toEqual(['T-4', 'T-3']);
  });

  it.each([
    ['a field outside the contract', { filter: ['state[eq]open'] }],
    ['what the chain writes beside it', { filter: ['level[eq]9'] }],
    ['custom fields', { filter: ['custom_fields.site[eq]x'] }],
    ['unmapped fields', { filter: ['unmapped.x[eq]1'] }],
    ['an unknown operator', { filter: ['status[is]open'] }],
    ['an order of an unknown field', { order: ['state'] }],
    ['a value that an enum does not have', { filter: ['priority[eq]HUGE'] }],
    ['an order of a list', { order: ['tags'] }],
  ])('refuse %s', async (_what, query) => {
    const refused = await list({ query, chain: ['root = this\nroot.level = 9'] }).catch(
      (error: unknown) => error as ApiError,
    );
    expect(refused).toMatchObject({ status: 400 });
  });

  it('include nested ones, through lists too', async () => {
    const devices = [
      { device: { hostname: 'b', os: { name: 'Linux' }, groups: [{ name: 'x' }, { name: 'y' }] } },
      { device: { hostname: 'a', os: { name: 'macOS' }, groups: [{ name: 'z' }] } },
      { device: { hostname: 'c', os: { name: 'Linux' } } },
    ];
    const find = async (query: Record<string, unknown>) => {
      const { rows } = await list({
        query,
        operation: 'assets_query_devices',
        offered: { response: (one) => one, run: () => Promise.resolve({ all: devices }) },
      });
      return rows.map(({ device }) => (device as ProviderRecord)['hostname']);
    };
    expect(await find({ filter: ['device.os.name[eq]Linux'], order: ['device.hostname'] })).toEqual(
      ['b', 'c'],
    );
    expect(await find({ filter: ['device.groups.name[eq]y'] })).toEqual(['b']);
    await expect(find({ order: ['device.groups.name'] })).rejects.toMatchObject({ status: 400 });
  });
});

// "`order` and `time`: a plain list is 400 when there is no `time`; `order: id[desc]` is ignored; enums sort by the alphabet and not by
// `values`."
describe('the order of a list', () => {
  it('is the order of the provider where it has no time', async () => {
    const fields = { id: { type: 'string' } } as const;
    expect(idsOf((await list({ offered: { fields } })).rows)).toEqual([
      'T-1',
      'T-2',
      'T-3',
      'T-4',
      'T-5',
    ]);
  });

  it('is that of the document, unless the caller asks for another', async () => {
    const offered = { order: 'id[desc]' };
    expect(idsOf((await list({ offered })).rows)[0]).toBe('T-5');
    expect(idsOf((await list({ offered, query: { order: ['id'] } })).rows)[0]).toBe('T-1');
  });

  it('of an enum is that of its values', async () => {
    const offered: Partial<ProviderOperation> = {
      response: ({ key }) => ({ id: key, priority: key === 'T-2' ? 'URGENT' : 'HIGH' }),
    };
    const { rows } = await list({ offered, query: { order: ['priority'] } });
    expect(idsOf(rows)).toEqual(['T-2', 'T-1', 'T-3', 'T-4', 'T-5']);
  });
});
