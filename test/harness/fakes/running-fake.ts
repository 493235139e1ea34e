import type { FakeClock, FakeCredentials, FakeEngine } from '#fakes';
import {
  configurationOver,
  DescribedFake,
  type FakeConfiguration,
  findDescription,
  ProviderFolder,
  startFake as startFakeOf,
} from '#apps/provider-kit';

/** The fake of a vendor on a socket. */
export interface RunningFake {
  url: string;
  /** Another one after each reset. */
  readonly engine: FakeEngine;
  clock: FakeClock;
  /** Those of the first principal. */
  readonly credentials: FakeCredentials;
  /** Makes the configuration of an integration with the fake. @param principal whose credentials it has; that of mocks when absent */
  configuration: (principal?: string) => FakeConfiguration;
  /** Lists faults of the fake itself, and requests and responses that the vendor's description does not allow. */
  violations: () => unknown[];
  /** Goes back to the state of the start. */
  reset: () => void;
  stop: () => Promise<void>;
}

/**
 * Starts the fake of a provider's folder.
 * @param scale how many times the company is there: pages of vendors have up to a hundred tickets
 */
export async function startFake(name: string, { scale = 1 } = {}): Promise<RunningFake> {
  const folder = new ProviderFolder(name);
  const atHand = await findDescription(folder);
  const described: DescribedFake[] = [];
  const watch = (engine: FakeEngine): Pick<FakeEngine, 'handle'> => {
    if (atHand === undefined) return engine;
    const one = new DescribedFake(engine, atHand.description, atHand.undescribed);
    described.push(one);
    return one;
  };
  const fake = await startFakeOf(folder, { port: 0, dataset: 'BASIC', scale }, watch);
  const [credentials] = fake.engine.credentials();
  if (credentials === undefined) throw new Error(`the fake of ${name} knows nobody`);
  return Object.assign(fake, {
    credentials,
    configuration: (principal?: string) => configurationOver(folder, fake, principal),
    violations: () => [...fake.engine.log.violations, ...described.flatMap(({ faults }) => faults)],
  });
}
