import { type OperationId, operationOf } from '#contract';
import type { FakeDocument } from '#fakes';
import { identityOf } from '../record-identity.js';
import { type FakeSetup, isChecked, openFake } from './fake-setup.js';
import type { OverFake } from './over-fake.js';
import { isList } from './own-lists.js';

type Page = NonNullable<NonNullable<FakeDocument['routes'][number]['list']>['page']>;
type Unseen = NonNullable<Page['unseen']>;

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

const capPages = alterPages(({ maxSize }) => ({ maxSize: Math.min(maxSize, cap) }));

/** Hides some records behind the cut of a page, as a check of permissions does. */
const isUnseen = (row: unknown) =>
  [...JSON.stringify(row)].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 0) % 5 === 0;
const unseen: Unseen = {
  holds: ({ input }: { input: { row?: unknown } }) => isUnseen(input.row),
} as unknown as Unseen;
const thinPages = alterPages(({ kind }) =>
  kind === 'offset' || kind === 'number' ? { unseen } : {},
);

/** Reads each list without a parameter where the vendor caps its pages, and where it leaves out rows: each row has to come once all the same. */
export async function cappedPageFaults(setup: FakeSetup): Promise<string[]> {
  const whole = openFake(setup);
  const others = [
    { name: 'capped', sound: whole, over: openFake(setup, { alter: capPages }) },
    {
      name: 'thinned and capped',
      sound: openFake(setup, { alter: thinPages }),
      over: openFake(setup, { alter: (document) => capPages(thinPages(document)) }),
    },
  ];
  const ids = (Object.keys(whole.provider.operations) as OperationId[]).filter(
    (id) =>
      isChecked(setup, id) &&
      isList(id) &&
      !operationOf(id).path.includes('{') &&
      setup.excuses.whole_pages?.[id] === undefined,
  );
  const faults: string[] = [];
  for (const id of ids)
    for (const { name, sound, over } of others)
      if ((await identitiesOf(over, id)).join() !== (await identitiesOf(sound, id)).join())
        faults.push(`${id}: it has other rows where pages are ${name}`);
  return faults;
}

async function identitiesOf(over: OverFake, id: OperationId): Promise<string[]> {
  return (await over.all(id, {}, {}, { checked: false })).map(identityOf).sort();
}
