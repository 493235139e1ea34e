import { loadValidators, type OperationId } from '#contract';
import { mockType } from '#provider-document';
import { compiledOf } from './compiled-folder.js';
import { domainOperations, type ProviderFolder } from './folders.js';
import type { Check } from './named-check.js';
import { thinnedPageFaults } from './over-fake/capped-pages.js';
import { findDescription } from './over-fake/description.js';
import { excusesOf } from './over-fake/excuses.js';
import {
  type Depth,
  type FakeSetup,
  isChecked,
  openFake,
  openSmallFake,
} from './over-fake/fake-setup.js';
import { oddFaults } from './over-fake/odd-checks.js';
import { checkList, isList, minRows } from './over-fake/own-lists.js';
import { checkReads, type ReadFaults } from './over-fake/read-checks.js';
import { walkFake, type Walked, walkReads } from './over-fake/walk-fake.js';
import { readMockSteps, type Step } from './over-fake/walk.js';
import { findReads, type Read } from './variation/find-reads.js';
import { varyRead } from './variation/vary.js';

/**
 * Checks every provider of a folder over its fake, as strictly as the kit does: the calls of `mocks.yaml`, refused requests, lists, records,
 * and that no single value of an answer costs more than itself.
 */
export function fakeChecks(folder: ProviderFolder, depth?: Depth): Check[] {
  return setupsOf(folder).flatMap((setup) => checksOf({ ...setup, depth }));
}

/** The providers of a folder with a fake. */
export function setupsOf(folder: ProviderFolder): FakeSetup[] {
  if (!folder.has('fake.yaml')) return [];
  const excuses = excusesOf(folder);
  return compiledOf(folder).compiled.map(({ source }) => ({
    folder,
    excuses,
    type: source.provider,
  }));
}

/** Checks of one provider. What several of them need is done once. */
export function checksOf(setup: FakeSetup): Check[] {
  const { folder, type } = setup;
  const steps = folder.has('mocks.yaml')
    ? readMockSteps(folder.read('mocks.yaml'))[mockType(type)]
    : undefined;
  const find = once(async () => setup.reads ?? (await findReadsOf(setup)).reads);
  const walk = once<Walked>(() => takeWalk(setup, steps, find));
  const read = once<ReadFaults>(async () => await checkReads(setup, await find()));
  const check = (
    name: string,
    run: Check['run'],
    without: NonNullable<Check['without']>,
  ): Check => ({
    name: `${type} ${name}`,
    // A call that fails where it must not is a fault of the provider, and does not end the other checks.
    run: () => run().catch((error: unknown) => [(error as Error).message]),
    without,
  });
  const has = (found: boolean, reason: string) => (found ? undefined : reason);
  const hasRecords = async () =>
    has((await read()).compared.size > 0, 'no operation that reads has an answer of the fake');
  const hasLists = async () =>
    has([...(await walk()).requests.keys()].some(isList), 'it has no list');
  const hasScales = async () =>
    has(
      [...(await read()).compared.values()].some(({ ranked }) => ranked.length > 0),
      'no two records of a list have severities or priorities that differ',
    );
  return [
    check(
      'takes the calls of mocks.yaml, and returns what it wrote',
      async () => (await walk()).faults,
      () => Promise.resolve(has(steps !== undefined, 'mocks.yaml has no calls of its mock')),
    ),
    check(
      'reports each refusal of each request, and shows what the vendor sent',
      async () => (await walk()).refusals,
      async () => has((await walk()).requests.size > 0, 'it makes no request'),
    ),
    check(
      'has each row of each list once while rows are added, and counts, filters and orders as here',
      async () => await listFaultsOf(await walk(), setup),
      hasLists,
    ),
    check(
      'has each row once where the vendor leaves out rows of capped pages',
      async () => await thinnedPageFaults(setup),
      hasLists,
    ),
    check(
      'reads the dataset ODD: each record once and valid, and nothing lost without a word',
      async () => await oddFaults(setup, await find()),
      hasRecords,
    ),
    check(
      'reads its fake: each record once, valid by the contract and by OCSF',
      async () => (await read()).records,
      hasRecords,
    ),
    check(
      'has the times that the vendor sent, with their offsets',
      async () => (await read()).times,
      async () =>
        has(
          [...(await read()).compared.values()].some(({ times }) => times > 0),
          'no record has a time',
        ),
    ),
    check(
      'has severities and priorities in the order of the vendor',
      async () => (await read()).scales,
      hasScales,
    ),
    check(
      'has a fake without fields that the vendor does not describe',
      async () => (await walk()).undescribed,
      async () =>
        has(
          (await findDescription(folder)) !== undefined,
          'no description of the vendor is at hand',
        ),
    ),
    check(
      'loses no record and no page to a single value that the vendor leaves out or sends in another form',
      async () => await variationFaults(setup, await find()),
      hasRecords,
    ),
  ];
}

/** Calls the operations by the steps of the mock; by reads where there are none, or where lists of all records are all that is checked. */
async function takeWalk(
  setup: FakeSetup,
  steps: readonly Step[] | undefined,
  find: () => Promise<readonly Read[]>,
): Promise<Walked> {
  const { only, walksUntilCalled = false } = setup;
  const reads = steps === undefined || walksUntilCalled ? await find() : [];
  const isRead = (id: OperationId) =>
    reads.some(({ operation, request }) => operation.id === id && isOfAll(request));
  return steps === undefined || (only !== undefined && [...only].every(isRead))
    ? await walkReads(setup, reads)
    : await walkFake(setup, steps);
}

/** Whether a request is for no single record. */
function isOfAll({ path = {} }: Read['request']): boolean {
  return Object.keys(path).length === 0;
}

/** Compares lists of a small fake with themselves; those that have too few rows there, and those of one record, of the fake after the walk. */
async function listFaultsOf({ over, requests }: Walked, setup: FakeSetup): Promise<string[]> {
  const small = setup.depth?.maxRecords === undefined ? undefined : openSmallFake(setup);
  const faults: string[] = [];
  for (const [id, { path = {} }] of requests) {
    if (!isList(id) || !isChecked(setup, id)) continue;
    const few = isOfAll({ path }) ? ((await small?.all(id, {}, {}, { checked: false })) ?? []) : [];
    const chosen = few.length < minRows ? over : (small ?? over);
    faults.push(...(await checkList(chosen, id, path, setup)));
  }
  return faults;
}

async function variationFaults(setup: FakeSetup, reads: readonly Read[]): Promise<string[]> {
  await loadValidators();
  const varied = openFake(setup, { strict: false });
  const extent = { ...setup.depth, required: setup.excuses.required_values };
  const faults: string[] = [];
  for (const read of reads) faults.push(...(await varyRead(varied, read, extent)).faults);
  return faults;
}

/** Lists the reading operations to which the kit finds no answer of the fake: they are not checked over it. */
export async function readsWithout(folder: ProviderFolder): Promise<string[]> {
  const ids: string[] = [];
  for (const setup of setupsOf(folder))
    ids.push(...(await findReadsOf(setup)).without.map(({ id }) => id));
  return ids;
}

/** Finds requests for the reading operations of a provider. */
export async function findReadsOf(setup: FakeSetup): ReturnType<typeof findReads> {
  await loadValidators();
  const over = openFake(setup, { strict: false });
  const own = domainOperations(setup.type).filter(({ id }) => id in over.provider.operations);
  return await findReads(own, over);
}

/** A function that runs once, and returns the same result to every call. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
