import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId, operationOf } from '#contract';
import type { FakeDocument } from '#fakes';
import { idOf } from '../harness/list-checks.js';
import { mockOverFake, mockSources } from '../harness/mock-over-fake.js';
import type { OverFake } from '../harness/over-fake.js';

type Page = NonNullable<NonNullable<FakeDocument['routes'][number]['list']>['page']>;
type Unseen = NonNullable<Page['unseen']>;

/** Lists whose vendor documents that a page has as many rows as were asked for, so that a shorter one is the last. */
const neverCapped = new Set(['siem_query_events', 'siem_query_alerts']);
/** A chunk of an export is a file, whose size the request for the export says. */
const isExport = (route: string) => route.includes('/chunks/');

/** Maximum number of rows of a page, fewer than any document asks for. */
const cap = 7;

/** Changes the pages of all routes of a fake. */
const alterPages = (alter: (page: Page) => Partial<Page>) => (document: FakeDocument) => ({
  ...document,
  routes: document.routes.map((route) => {
    const page = route.list?.page;
    if (route.list === undefined || page === undefined || isExport(route.key)) return route;
    return { ...route, list: { ...route.list, page: { ...page, ...alter(page) } } };
  }),
});

const capped = alterPages(({ maxSize }) => ({ maxSize: Math.min(maxSize, cap) }));

/** Hides some records behind the cut of a page, as a check of permissions does. */
const isUnseen = (row: unknown) =>
  [...JSON.stringify(row)].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 0) % 5 === 0;
const unseen: Unseen = {
  holds: ({ input }: { input: { row?: unknown } }) => isUnseen(input.row),
} as unknown as Unseen;
const thinned = alterPages(({ kind }) =>
  kind === 'offset' || kind === 'number' ? { unseen } : {},
);

beforeAll(() => loadValidators());

describe.each(mockSources().map((one) => [one.type, one] as const))('%s', (_type, source) => {
  const open = async (alter?: (document: FakeDocument) => FakeDocument): Promise<OverFake> => {
    const { folder, mock: type } = source;
    const over = await mockOverFake({ folder, type, ...(alter && { alter }) });
    over.fake.limits.override = { requests: 1e6, seconds: 60 };
    return over;
  };
  const listsOf = ({ provider }: OverFake) =>
    (Object.keys(provider.operations) as OperationId[]).filter((id) => {
      const { method, path, response, query } = operationOf(id);
      const isList = method === 'GET' && response.cursor && response.kind !== 'binary';
      return isList && query['limit'] !== undefined && !path.includes('{') && !neverCapped.has(id);
    });

  it('has each row once where the vendor caps pages, and where it leaves out rows', async () => {
    const [whole, short, thin, thinAndShort] = [
      await open(),
      await open(capped),
      await open(thinned),
      await open((document) => capped(thinned(document))),
    ];
    const faults: string[] = [];
    for (const id of listsOf(whole)) {
      const read = async (over: OverFake) => (await over.all(id)).map(idOf).sort();
      const [all, some] = [await read(whole), await read(thin)];
      if ((await read(short)).join() !== all.join()) faults.push(`${id}, capped`);
      if ((await read(thinAndShort)).join() !== some.join()) faults.push(`${id}, thinned`);
    }
    expect(faults).toEqual([]);
  });
});
