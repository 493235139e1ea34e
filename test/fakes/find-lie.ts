import type { Provider } from '#connect';
import { type OperationId, operationOf } from '#contract';
import { mockType } from '#provider-document';
import { isPushed } from '#apps/provider-kit';
import { checksOf, findReadsOf } from '../../apps/provider-kit/src/fake-checks.js';
import { type FakeSetup, openFake } from '../../apps/provider-kit/src/over-fake/fake-setup.js';
import { isList } from '../../apps/provider-kit/src/over-fake/own-lists.js';
import { checkReads, type Compared } from '../../apps/provider-kit/src/over-fake/read-checks.js';
import { readMockSteps } from '../../apps/provider-kit/src/over-fake/walk.js';
import { type Lie, PlantedLie } from './lies.js';

/** Operations in which a lie is planted, until one of them can tell it. */
const maxTried = 4;

/** Records that a list needs to be planted in before others. */
const minRecords = 8;

/** Parts of the names of the checks that have to find a lie, one of them; the quickest first. */
const walk = 'takes the calls';
const lists = 'each list once';
const reads = 'reads its fake';
const refusals = 'each refusal';
const scales = 'in the order of the vendor';
const finders: Readonly<Record<Lie, readonly string[]>> = {
  'a wrong type': [reads, walk],
  'a lost page': [lists, walk],
  'an invented field in the fake': ['does not describe', walk],
  'a filter that is ignored': [lists],
  'a time in another zone': ['has the times'],
  'a severity turned round': [scales],
  'a row twice': [reads, lists],
  'a swallowed error': [refusals],
  'an empty list for a refusal': [refusals],
  'a write that does nothing': [walk],
  'a page that comes again': [lists, walk],
  'the last row of a page left out': [lists, walk],
  'a list that ends early': [lists, walk],
  'an order that is reversed': [lists, walk],
  'an unknown id that is found': [walk],
  'a success with a failing status': [walk],
};

/** The outcome of a lie: the first fault that the checks of the kit found; nothing where nobody could tell the lie. */
export type Outcome = 'found' | 'not found' | 'not told';

/** A provider over its fake, one of which lies. */
export class Liar {
  private constructor(
    private readonly setup: FakeSetup,
    private readonly provider: Provider,
    private readonly called: readonly OperationId[],
    /** Extent of the comparisons without a lie. */
    private readonly compared: ReadonlyMap<OperationId, Compared>,
  ) {}

  static async open(sound: FakeSetup): Promise<Liar> {
    const { reads: found } = await findReadsOf(sound);
    const setup = { ...sound, reads: found };
    const { compared } = await checkReads(setup, found);
    const { folder, type } = setup;
    const steps = folder.has('mocks.yaml') ? readMockSteps(folder.read('mocks.yaml')) : {};
    const { provider } = openFake(setup);
    const called = (steps[mockType(type)] ?? [])
      .filter(({ refused }) => refused === undefined)
      .map(({ call }) => call)

      .concat(found.map(({ operation }) => operation.id))
      .filter((id) => provider.operations[id] !== undefined);
    return new Liar(setup, provider, [...new Set(called)], compared);
  }

  /** Tells a lie. @returns whether the checks of the kit find it */
  async tell(lie: Lie): Promise<Outcome> {
    let outcome: Outcome = 'not told';
    for (const id of this.candidatesOf(lie).slice(0, maxTried)) {
      const planted = new PlantedLie(lie, id);
      const { alter, alterProvider } = planted;
      const only = new Set([id]);
      const hasRecords = (this.compared.get(id)?.records ?? 0) >= minRecords || !isList(id);
      const setup = { ...this.setup, alter, alterProvider, only, maxFaults: 1 };
      for (const part of finders[lie]) {
        // These need nothing of the walk but what the operation is called with, and records where the fake has none.
        const walksUntilCalled = hasRecords && (part === lists || part === refusals);
        // Two orders agree by chance among few records.
        const depth = part === scales ? undefined : setup.depth;
        const checks = checksOf({ ...setup, depth, walksUntilCalled });
        for (const { run } of checks.filter(({ name }) => name.includes(part))) {
          const faults = await run().catch((error: unknown) => [String(error)]);
          if (planted.isTold && faults.length > 0) return 'found';
        }
      }
      if (planted.isTold) outcome = 'not found';
    }
    return outcome;
  }

  private candidatesOf(lie: Lie): OperationId[] {
    const { called, provider, compared } = this;
    // Those with few records take the least time; with fewer, pages and filters have nothing to leave out.
    const sizeOf = (id: OperationId) => {
      const { records = 0 } = compared.get(id) ?? {};
      return records < minRecords ? Infinity : records;
    };
    const sorted = called
      .filter((id) => isList(id))
      .sort((one, other) => (sizeOf(one) < sizeOf(other) ? -1 : 1));
    switch (lie) {
      case 'a severity turned round':
        return called.filter((id) => (compared.get(id)?.ranked.length ?? 0) > 0);
      case 'a lost page':
      case 'a row twice':
      case 'an empty list for a refusal':
      case 'a page that comes again':
      case 'the last row of a page left out':
      case 'a list that ends early':
      case 'an order that is reversed':
        return sorted;
      case 'a filter that is ignored':
        return sorted.filter((id) => {
          const { fields = {}, pushes } = provider.operations[id] ?? {};
          return Object.keys(fields).some((field) => isPushed(pushes, field));
        });
      case 'a swallowed error':
        return called.filter((id) => !isList(id));
      case 'an invented field in the fake':
      case 'an unknown id that is found':
      case 'a success with a failing status':
        return called.slice(0, 1);
      case 'a write that does nothing':
        return called.filter((id) => operationOf(id).method !== 'GET').slice(0, 1);
      default:
        return [...new Set([...sorted, ...called])];
    }
  }
}
