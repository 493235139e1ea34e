import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ResolvedIntegration } from '#bus';
import { type ApiError, loadValidators, operationOf } from '#contract';
import type { Fields } from '#query';
import { Cursors, keyOf } from '#secrets';
import { findChain, mapBody, mapOwn, mapRecord } from './records/mapping-chain.js';
import { readConditions } from './lists/list-query.js';
import type { PageParameters } from './lists/page.js';
import { pageOf } from './lists/whole-list.js';
import { patchRecord } from './writes/patch-record.js';
import type { OperationRun } from './operation-run.js';
import type { ProviderRecord } from './provider-record.js';
import type { ProviderOperation } from './provider.js';

const cursors = new Cursors(keyOf(Buffer.alloc(32, 7)));
const fields: Fields = {
  id: { type: 'string' },
  kind: { type: 'string' },
  at: { type: 'datetime' },
};
type Row = { id: string; kind?: string; at?: string };

function page(rows: readonly Row[], parameters: PageParameters, context = 'int_1 tickets') {
  const { order, filter } = parameters;
  const conditions = readConditions([order ?? []].flat(), filter ?? [], fields);
  return pageOf(
    rows,
    { limit: parameters.limit ?? 100, cursor: parameters.cursor },
    { ...conditions, fields },
    {
      read: (row, field) => row[field as keyof Row],
      cursors,
      context,
    },
  );
}

/** The ids of all pages, one array per page. */
function walk(rows: readonly Row[], parameters: PageParameters): string[][] {
  const pages: string[][] = [];
  let cursor = '';
  do {
    const one = page(rows, { ...parameters, cursor });
    pages.push(one.rows.map(({ id }) => id));
    cursor = one.cursor;
  } while (cursor !== '');
  return pages;
}

function refusal(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('nothing was refused');
}

describe('a page', () => {
  const rows: Row[] = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
    id,
    kind: index < 3 ? 'x' : 'y',
  }));

  it('is followed by the next one until all rows were there once', () => {
    expect(walk(rows, { limit: 2 })).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(walk(rows, { limit: 5 })).toEqual([['a', 'b', 'c', 'd', 'e']]);
    expect(walk([], {})).toEqual([[]]);
  });

  it('has an end even where rows are equal in what they are ordered by', () => {
    expect(walk(rows, { limit: 2, order: ['kind[desc]'] })).toEqual([
      ['e', 'd'],
      ['c', 'b'],
      ['a'],
    ]);
  });

  it('keeps its place when rows before it come and go', () => {
    const parameters = { limit: 2, order: ['id'] };
    const { cursor } = page(rows, parameters);
    const later = [{ id: '0' }, ...rows.filter(({ id }) => id !== 'b')];
    expect(page(later, { ...parameters, cursor }).rows.map(({ id }) => id)).toEqual(['c', 'd']);
  });

  it('keeps its place without an order too, when its last row is gone', () => {
    const { cursor } = page(rows, { limit: 2 });
    const later = rows.filter(({ id }) => id !== 'b');
    expect(page(later, { limit: 2, cursor }).rows.map(({ id }) => id)).toEqual(['c', 'd']);
  });

  it('is ordered by moments and not by letters', () => {
    const times: Row[] = [
      { id: 'half', at: '2026-01-01T00:00:00.500Z' },
      { id: 'east', at: '2026-01-01T01:00:00+02:00' },
      { id: 'full', at: '2026-01-01T00:00:00Z' },
    ];
    const found = page(times, { order: ['at'] });
    expect(found.rows.map(({ id }) => id)).toEqual(['east', 'full', 'half']);
  });

  it('puts rows without the ordered field last, and gives them out once', () => {
    const mixed: Row[] = [{ id: 'n' }, { id: 'm', kind: 'z' }, { id: 'o' }];
    expect(walk(mixed, { limit: 1, order: ['kind'] })).toEqual([['m'], ['n'], ['o']]);
  });

  it('is ordered by the values of an enum in their order, and not by the alphabet', () => {
    const values = ['URGENT', 'HIGH', 'LOW'];
    const kinds: Fields = { id: { type: 'string' }, kind: { type: 'enum', values } };
    const given = ['HIGH', 'other', 'LOW', 'URGENT'].map((kind) => ({ id: kind, kind }));
    const query = { ...readConditions(['kind'], [], kinds), fields: kinds };
    const read = (row: (typeof given)[number], field: string) => row[field as 'id'];
    const options = { read, cursors, context: 'int_1 tickets' };
    const first = pageOf(given, { limit: 2 }, query, options);
    const second = pageOf(given, { limit: 2, cursor: first.cursor }, query, options);
    expect(first.rows.map(({ id }) => id)).toEqual(['URGENT', 'HIGH']);
    expect(second.rows.map(({ id }) => id)).toEqual(['LOW', 'other']);
  });

  it('gives out rows without an id once each', () => {
    const events = [3, 1, 2, 1, 1].map((at, index) => ({ at, index }));
    const query = { ...readConditions(['at'], [], fields), fields };
    const read = (row: (typeof events)[number], field: string) =>
      field === 'at' ? row.at : undefined;
    const seen: number[] = [];
    let cursor = '';
    do {
      const one = pageOf(events, { limit: 2, cursor }, query, { read, cursors, context: 'events' });
      seen.push(...one.rows.map(({ index }) => index));
      cursor = one.cursor;
    } while (cursor !== '');
    expect(seen).toEqual([1, 3, 4, 2, 0]);
  });

  it('of no rows counts without giving any', () => {
    const found = page(rows, { limit: 0 });
    expect(found).toMatchObject({ rows: [], cursor: '' });
    expect(found.matching).toHaveLength(5);
    const { cursor } = page(rows, { limit: 2 });
    expect(page(rows, { limit: 0, cursor }).cursor).toBe(cursor);
  });

  it('counts all rows that pass the filters', () => {
    const found = page(rows, { limit: 1, filter: ['kind[eq]x'] });
    expect(found.matching).toHaveLength(3);
    expect(found.rows).toHaveLength(1);
  });

  it.each([
    ['another filter', { filter: ['kind[eq]x'] }, 'int_1 tickets'],
    ['another order', { order: ['id[desc]'] }, 'int_1 tickets'],
    ['another integration', {}, 'int_2 tickets'],
  ])('does not go on with %s', (_what, other, context) => {
    const { cursor } = page(rows, { limit: 2 });
    const error = refusal(() => page(rows, { ...other, cursor }, context));
    expect(error.status).toBe(400);
    expect(error.message).toContain('query cursor: is not a cursor of this query');
  });

  it('points at the character of a filter that cannot be read', () => {
    const error = refusal(() => page(rows, { filter: ['kind[like-ish]x'] }));
    expect(error.message).toContain('has no operator "like-ish" (character 6)');
  });
});

const resolved: ResolvedIntegration = {
  id: 'int_1',
  organizationId: 'org_1',
  accountId: 'acc_1',
  category: 'ticketing',
  createdAt: '2026-01-01T00:00:00.000Z',
  providerType: 'ticketing_mock_ticketing',
  providerConfig: {},
  credentials: {},
  chains: [
    {
      operationIds: ['ticketing_get_ticket'],
      mappings: [
        { reference: 'default:0' },
        { reference: 'loud:2', data: document('this.summary + "!"') },
      ],
    },
  ],
  additionalMappings: [],
};

function document(summary: string): string {
  return `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root = this.without("__root__")\n    root.summary = ${summary}\n`;
}

const operation: ProviderOperation = {
  resource: 'tickets',
  action: 'read',
  response: ({ id, title }) => ({ id, summary: title }),
  request: ({ summary }) => ({ title: summary }),
  run: async () => ({ none: true }),
};

const context = { config: {}, path: {} };

describe('a chain of mappings', () => {
  it('is the one that names the operation, else the mapping of the provider', () => {
    expect(findChain(resolved, 'ticketing_get_ticket').map(({ reference }) => reference)).toEqual([
      'default:0',
      'loud:2',
    ]);
    expect(findChain(resolved, 'ticketing_query_tickets')).toEqual([{ reference: 'default:0' }]);
  });

  it('gives the output of each mapping to the next', () => {
    const chain = findChain(resolved, 'ticketing_get_ticket');
    expect(mapRecord({ id: '1', title: 'hot' }, chain, operation, [], context)).toEqual({
      id: '1',
      summary: 'hot!',
    });
  });

  it('runs the own mappings of a write before the request mapping of the provider', () => {
    const chain = findChain(resolved, 'ticketing_get_ticket');
    expect(mapOwn(mapBody({ summary: 'hot' }, chain, context), operation, context)).toEqual({
      title: 'hot!',
    });
  });

  it('drops a record whose root is deleted', () => {
    const drop = [{ reference: 'drop:1', data: document('"x"') + '    root = deleted()\n' }];
    expect(mapRecord({ id: '1' }, drop, operation, [], context)).toBeUndefined();
    expect(refusal(() => mapBody({ id: '1' }, drop, context))).toMatchObject({
      status: 502,
    });
  });

  it('that fails is a 502 which names mapping, template and reason', () => {
    const chain = [{ reference: 'broken:7', data: document('this.id.uppercase()') }];
    const error = refusal(() => mapRecord({ id: 5 }, chain, operation, [], context));
    expect(error.status).toBe(502);
    expect(error.message).toMatch(
      /the mapping broken:7 failed: broken:6:20 in template default, root.summary: expected string, got number 5 \(this.id\)/,
    );
  });

  it('is followed by the additional mappings of the resource and action, which fill custom_fields', () => {
    const add = (source: string, destination: string, dataType: string, more = {}) => ({
      resource: 'tickets',
      actions: ['read'],
      literal: false,
      source,
      destination,
      dataType,
      ...more,
    });
    const additional = [
      add('priv.score', 'custom_fields.score', 'string'),
      add('eu', 'custom_fields.region', 'string', { literal: true }),
      add('title', 'tags', 'array'),
      add('missing', 'custom_fields.missing', 'string'),
      add('serial', 'custom_fields.serial', 'string'),
      add('title', 'custom_fields.number', 'number'),
      add('id', 'summary', 'string', { actions: ['query'] }),
      add('id', '__proto__.polluted', 'string'),
    ];
    const providerRecord = { id: '1', title: 'hot', priv: { score: 9 }, serial: 9007199254740993n };
    const chain = [{ reference: 'default:0' }];
    expect(mapRecord(providerRecord, chain, operation, additional, context)).toEqual({
      id: '1',
      summary: 'hot',
      custom_fields: {
        tags: ['hot'],
        score: '9',
        region: 'eu',
        serial: '9007199254740993',
        number: null,
      },
    });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

beforeAll(() => loadValidators());

describe('a patch of a record', () => {
  const ticket = {
    id: '1',
    name: 'hot',
    summary: 'hot',
    tags: ['a'],
    created_at: '2026-01-01T00:00:00Z',
  };
  const patched = (record: ProviderRecord, ...body: object[]) => {
    const run = {
      call: { body },
      operation: operationOf('ticketing_patch_ticket'),
      offered: { readOnly: ['id', 'created_at'] },
      integration: { chains: [] },
    };
    return patchRecord(run as unknown as OperationRun, record);
  };
  const patch = (...steps: object[]) => patched(ticket, ...steps);

  it('is applied in order, on a copy', () => {
    expect(
      patch({ op: 'test', path: '/id', value: '1' }, { op: 'add', path: '/tags/-', value: 'b' }),
    ).toMatchObject({ tags: ['a', 'b'] });
    expect(ticket.tags).toEqual(['a']);
  });

  it('is not refused for what the record had wrong before', () => {
    const odd = { ...ticket, priority: 'STRANGE' };
    const step = { op: 'replace', path: '/summary', value: 'cold' };
    expect(patched(odd, step)).toMatchObject({ summary: 'cold' });
    const wrong = { op: 'replace', path: '/tags', value: 'none' };
    expect(refusal(() => patched(odd, wrong)).message).toContain('/tags');
  });

  it.each([
    [{ op: 'replace', path: '/id', value: '2' }, '/0/path', '/id is read-only'],
    [
      { op: 'replace', path: '', value: {} },
      '/0/path',
      'the whole record cannot be reached by replace',
    ],
    [{ op: 'remove', path: '/nothing' }, '/0/path', '/nothing cannot be reached by remove'],
    [
      { op: 'test', path: '/summary', value: 'cold' },
      '/0/value',
      '/summary does not have the value that the patch tests for',
    ],
    [
      { op: 'add', path: '/tags/__proto__/x', value: 1 },
      '/0/path',
      '/tags/__proto__/x cannot be reached by add',
    ],
  ])('%j is refused at %s: %s', (step, pointer, problem) => {
    expect(refusal(() => patch(step)).options.faults).toMatchObject([
      { pointer, message: problem },
    ]);
  });

  it('has to make a record that could have been created', () => {
    const error = refusal(() => patch({ op: 'add', path: '/priority', value: 'SOON' }));
    expect(error.message).toContain('body /priority');
  });
});
