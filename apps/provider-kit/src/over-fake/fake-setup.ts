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
  /** Records of each collection in the dataset ODD; all when absent. */
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
