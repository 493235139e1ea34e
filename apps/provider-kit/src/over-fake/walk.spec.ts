import { describe, expect, it } from '@jest/globals';
import { checked, type Step, type WalkCaller, Walker } from './walk.js';

const rows = [
  { id: '1', kind: 'row', name: 'One', created_at: '2026-01-01T00:00:00Z' },
  { id: '2', kind: 'row', name: 'Two', created_at: '2026-01-02T00:00:00Z' },
];

/** Gives the same page to every call. */
function walker(result: unknown = rows, cursor = ''): Walker {
  const meta = { stats: { count: { '*': 2 } } };
  const client = { call: () => Promise.resolve({ result, cursor, meta }) } as unknown as WalkCaller;
  const values = { closed: 'Done' };
  return new Walker(client, { values, offers: () => true, hasProvider: true });
}

const run = (step: Omit<Step, 'call'>, result?: unknown) =>
  walker(result).run({ name: 'x', steps: [{ call: 'ticketing_query_tickets', ...step }] });

describe('an expectation of a walk', () => {
  const list = { limit: 5, more_than: 1, ordered_by: 'created_at' };
  it.each<[string, Omit<Step, 'call'>, Omit<Step, 'call'>]>([
    ['equals', { equals: rows }, { equals: [] }],
    ['count', { count: 2 }, { count: 1 }],
    ['more_than', { more_than: 1 }, { more_than: 2 }],
    ['ids', { ids: ['1', '2'] }, { ids: ['2', '1'] }],
    ['each', { each: { kind: 'row' } }, { each: { name: 'One' } }],
    ['includes', { includes: [{ name: 'Two' }] }, { includes: [{ id: '1', name: 'Two' }] }],
    ['all_pages', { all_pages: list }, { all_pages: { ...list, more_than: 2 } }],
    ['the page size', { all_pages: list }, { all_pages: { ...list, limit: 1 } }],
  ])('%s holds and fails', async (_name, good, bad) => {
    await run(good);
    await expect(run(bad)).rejects.toThrow();
  });

  it.each([
    ['the provider works', { result: null, status: 'PENDING', cursor: 'more' }],
    ['its time was over', { result: [rows[0]], status: 'COMPLETE', cursor: 'more' }],
  ])('about a list goes on with its cursor where %s', async (_why, first) => {
    const pages: object[] = [first, { result: rows.slice(first.result?.length ?? 0), cursor: '' }];
    const asked: unknown[] = [];
    const call = (_id: string, { query }: { query: object }) => {
      asked.push(query);
      return Promise.resolve(pages.shift());
    };
    const client = { call } as unknown as WalkCaller;
    const over = new Walker(client, { values: {}, offers: () => true, hasProvider: true });
    const query = { limit: 5, filter: ['name[like]*e*'] };
    await over.run({ name: 'x', steps: [{ call: 'ticketing_query_tickets', query, count: 2 }] });
    expect(asked).toEqual([query, { ...query, cursor: 'more' }]);
  });

  it('about a list without a search fails where a page is short and not the last', async () => {
    const step: Step = { call: 'ticketing_query_tickets', query: { limit: 5 }, count: 2 };
    const over = walker([rows[0]], 'more');
    await expect(over.run({ name: 'x', steps: [step] })).rejects.toThrow('expected {"count":2}');
  });

  it('about a record holds and fails', async () => {
    await run({ matches: { name: 'One' }, empty: ['description'] }, rows[0]);
    await expect(run({ matches: { name: '$closed' } }, rows[0])).rejects.toThrow('Done');
    await expect(run({ empty: ['name'] }, rows[0])).rejects.toThrow();
  });

  it('about pages fails for a row that comes twice, and for another order', async () => {
    const step = { all_pages: list };
    await expect(run(step, [rows[0], rows[0]])).rejects.toThrow();
    await expect(run(step, [rows[1], rows[0]])).rejects.toThrow();
  });

  it('about the order of times reads numbers of the epoch, and fails for what is not a time', async () => {
    const timed = (...times: unknown[]) => times.map((time, id) => ({ id, time }));
    const step = { all_pages: { ...list, ordered_by: 'time' } };
    await run(step, timed(1_795_311_000_000, 1_795_311_000_001));
    await expect(run(step, timed(1_795_311_000_001, 1_795_311_000_000))).rejects.toThrow();
    await expect(run(step, timed('never', 'ever'))).rejects.toThrow('NaN');
  });

  it('is refused when its key is misspelt, or when it uses an unknown name', async () => {
    const steps = [{ call: 'ticketing_query_tickets', macthes: {} } as Step];
    expect(() => checked([{ name: 'x', steps }])).toThrow('unknown key "macthes" of a step of "x"');
    await expect(run({ equals: '$made.id' })).rejects.toThrow('the walk uses $made.id');
  });
});
