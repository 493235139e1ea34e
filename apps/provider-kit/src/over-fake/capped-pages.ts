import { type OperationId, operationOf } from '#contract';
import { alterPages, capPages, type FakeDocument } from '#fakes';
import { identityOf } from '../record-identity.js';
import { type FakeSetup, isChecked, openSmallFake } from './fake-setup.js';
import type { OverFake } from './over-fake.js';
import { isList } from './own-lists.js';

type Page = NonNullable<NonNullable<FakeDocument['routes'][number]['list']>['page']>;
type Unseen = NonNullable<Page['unseen']>;

/** Maximum number of rows of a page, fewer than any document asks for. */
const cap = 7;

/** Hides some records behind the cut of a page, as a check of permissions does. */
const isUnseen = (row: unknown) =>
  [...JSON.stringify(row)].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 0) % 5 === 0;
const unseen: Unseen = {
  holds: ({ input }: { input: { row?: unknown } }) => isUnseen(input.row),
} as unknown as Unseen;
const thinPages = (document: FakeDocument) =>
  alterPages(document, ({ kind }) => (kind === 'offset' || kind === 'number' ? { unseen } : {}));

/**
 * Reads each list without a parameter where the vendor leaves out rows of pages that it caps: each row has to come once all the same. The
 * check of the dataset ODD caps pages alone.
 */
export async function thinnedPageFaults(setup: FakeSetup): Promise<string[]> {
  const sound = openSmallFake(setup, { alter: thinPages });
  const over = openSmallFake(setup, {
    alter: (document) => capPages(thinPages(document), cap),
  });
  const ids = (Object.keys(sound.provider.operations) as OperationId[]).filter(
    (id) => isChecked(setup, id) && isList(id) && !operationOf(id).path.includes('{'),
  );
  const faults: string[] = [];
  for (const id of ids)
    if ((await identitiesOf(over, id)).join() !== (await identitiesOf(sound, id)).join())
      faults.push(`${id}: it has other rows where pages are thinned and capped`);
  return faults;
}

async function identitiesOf(over: OverFake, id: OperationId): Promise<string[]> {
  return (await over.all(id, {}, {}, { checked: false })).map(identityOf).sort();
}
