import type { Provider } from '#connect';
import type { OperationId } from '#contract';
import type { FakeDocument } from '#fakes';
import type { ProviderFolder } from '../folders.js';
import type { Read } from '../variation/find-reads.js';
import type { Excuses } from './excuses.js';
import { openMock, type MockOptions } from './mock-over-fake.js';
import type { OverFake } from './over-fake.js';

/** Bounds of the checks that a run of all tests has no time for. */
export interface Depth {
  /** Values of each answer that are varied. */
  maxPlaces: number;
  /** Fields of each long list whose filters and orders are compared. */
  maxFields: number;
  /** Records of each collection in the dataset ODD, and where lists and their records are compared; all when absent. */
  maxRecords?: number;
}

/** A provider over its fake that is checked, or one with a mistake of a test. */
export interface FakeSetup {
  folder: ProviderFolder;
  /** Id of the provider. */
  type: string;
  excuses: Excuses;
  /** Operations that are checked by themselves; all when absent. */
  only?: ReadonlySet<OperationId>;
  /** True to end the walk once these operations were called, for checks that need nothing of it but their requests. */
  walksUntilCalled?: boolean;
  /** Reads of its fake, if they were found before. */
  reads?: readonly Read[];
  /** Ends a list with so many faults; finds all when absent. */
  maxFaults?: number;
  /** How much is checked; everything when absent. */
  depth?: Depth | undefined;
  alter?: ((document: FakeDocument) => FakeDocument) | undefined;
  alterProvider?: ((provider: Provider) => Provider) | undefined;
}

/** Rate limits of vendors have tests of their own. */
export const unlimited = { requests: 1e6, seconds: 60 };

/** Whether an operation is checked by itself. */
export function isChecked({ only }: FakeSetup, id: OperationId): boolean {
  return only?.has(id) !== false;
}

/** Opens a new fake with the provider over it, without rate limits. */
export function openFake(
  { folder, type, alter = (document) => document, alterProvider }: FakeSetup,
  { alter: more = (document) => document, ...options }: MockOptions = {},
): OverFake {
  const over = openMock(folder, type, {
    ...options,
    alter: (document) => more(alter(document)),
    alterProvider,
  });
  over.fake.limits.override = unlimited;
  return over;
}

/**
 * Opens a new fake with as few records in each collection as the depth of the checks says. Unless everything is checked, it has no more than
 * those of the company.
 */
export function openSmallFake(setup: FakeSetup, options: MockOptions = {}): OverFake {
  const { depth } = setup;
  const { alter = (document) => document } = options;
  if (depth === undefined) return openFake(setup, options);
  return openFake(setup, {
    ...options,
    alter: (document) => alter(withFewRecords(document, depth.maxRecords)),
  });
}

type Collections = FakeDocument['collections'];
/** Small collections by those of the document and their size, so that the records are made once for all checks of a fake. */
const smallCollections = new WeakMap<Collections, Map<number | undefined, Collections>>();

function withFewRecords(document: FakeDocument, maxRows?: number): FakeDocument {
  const { collections: whole } = document;
  const known = smallCollections.get(whole) ?? new Map<number | undefined, Collections>();
  smallCollections.set(whole, known);
  let collections = known.get(maxRows);
  if (collections === undefined) {
    const cut = [...whole].map(
      ([name, one]) => [name, { ...one, maxRows, odd: { ...one.odd, rows: 0 } }] as const,
    );
    known.set(maxRows, (collections = new Map(cut)));
  }
  return { ...document, collections };
}
