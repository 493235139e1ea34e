import { loadValidators, type OperationId } from '#contract';
import type { Read } from '../variation/find-reads.js';
import { findDescription } from './description.js';
import { type FakeSetup, isChecked, openFake } from './fake-setup.js';
import { MockClient } from './mock-over-fake.js';
import type { OverFake } from './over-fake.js';
import type { Request } from './over-provider.js';
import { RefusalChecks } from './refusal-checks.js';
import { type Step, stepsOf, Walker } from './walk.js';

/** A fake after the walk of its mock. */
export interface Walked {
  over: OverFake;
  /** The request of each operation that succeeded first. */
  requests: Map<OperationId, Request>;
  /** Faults of the walk. */
  faults: string[];
  /** Faults of calls whose requests the vendor refused. */
  refusals: string[];
  /** Fields of the fake that the vendor's description does not have. */
  undescribed: string[];
}

/**
 * Runs the steps of `mocks.yaml` on a new fake: every response is held against the contract, every record against OCSF, and the fake
 * against the vendor's description. Each operation is called again on copies of the vendor's records, with its requests refused.
 */
export async function walkFake(setup: FakeSetup, steps: readonly Step[]): Promise<Walked> {
  await loadValidators();
  const over = openFake(setup, (await findDescription(setup.folder)) ?? {});
  const { operations } = over.provider;
  const refusals = new RefusalChecks(over, setup.excuses);
  const requests = new Map<OperationId, Request>();
  const client = new MockClient(over);
  const left = new Set(setup.walksUntilCalled ? setup.only : []);
  client.onCall = async (id, request) => {
    if (requests.has(id)) return;
    requests.set(id, request);
    if (isChecked(setup, id)) await refusals.check(id, request);
    if (left.delete(id) && left.size === 0) throw new WalkEnded();
  };
  const faults: string[] = [];
  const values = { unique: `Needle of ${setup.type}` };
  const walker = new Walker(client, { values, offers: () => true, hasProvider: true });
  try {
    await walker.run({ name: setup.type, steps: stepsOf(operations, steps) });
    for (const id of Object.keys(operations) as OperationId[])
      if (!requests.has(id))
        faults.push(`${setup.folder.shown('mocks.yaml')}: no step calls ${id}`);
  } catch (error) {
    if (!(error instanceof WalkEnded)) faults.push((error as Error).message);
  }
  return walkedOf(over, { requests, faults, refusals });
}

/** Ends a walk before its last step. */
class WalkEnded extends Error {}

/** Does with reads what {@link walkFake} does with the steps of a walk, for a fake without one. */
export async function walkReads(setup: FakeSetup, reads: readonly Read[]): Promise<Walked> {
  await loadValidators();
  const over = openFake(setup, (await findDescription(setup.folder)) ?? {});
  const refusals = new RefusalChecks(over, setup.excuses);
  const requests = new Map<OperationId, Request>();
  for (const { operation, request } of reads.filter((one) => isChecked(setup, one.operation.id))) {
    requests.set(operation.id, request);
    await refusals.check(operation.id, request);
  }
  return walkedOf(over, { requests, faults: [], refusals });
}

function walkedOf(
  over: OverFake,
  { refusals, ...walked }: Pick<Walked, 'requests' | 'faults'> & { refusals: RefusalChecks },
): Walked {
  return {
    over,
    ...walked,
    undescribed: over.undescribedFields,
    refusals: [...refusals.faults, ...refusals.unneeded()],
  };
}
