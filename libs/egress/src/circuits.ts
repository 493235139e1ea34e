import type { CallAborts } from '#contract';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleWhenResult,
  type IBreaker,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';

const maxFailuresInARow = 10;
/** Failures that one organization can add to those that close a host for everybody: half, so that it takes two. */
const maxSharedFailures = maxFailuresInARow / 2;
const pauseMs = 10_000;
export const defaultMaxHosts = 5_000;
const organizationsPerHost = 4;

/** One call of a host, made for an organization. */
export interface GuardedCall<Result> {
  origin: string;
  organizationId: string;
  run: () => Promise<Result>;
  /** Describes how the host failed, in words that every tenant may read; undefined when it did not. */
  failureOf: (result: Result) => string | undefined;
  signal: CallAborts;
}

/** The host is paused and not called. */
export class HostPaused extends Error {
  override readonly name = 'HostPaused';

  constructor(
    readonly lastFailure: string,
    cause: unknown,
  ) {
    super(`calls are paused: ${lastFailure}`, { cause });
  }
}

interface Circuit {
  policy: CircuitBreakerPolicy;
  lastFailure: string;
  /** True behind a failure, until a call has succeeded. */
  isFailing: boolean;
}

type HostCircuit = Circuit & { failures: SharedFailures };

/**
 * Pauses calls to a host that has failed ten times in a row, for ten seconds; then one call is let through to see. Failures of an
 * organization pause its own calls. They pause those of everybody when other organizations see the host fail as well.
 */
export class Circuits {
  static readonly pauseSeconds = pauseMs / 1000;
  private readonly hosts: LRUCache<string, HostCircuit>;
  private readonly ofOrganizations: LRUCache<string, Circuit>;

  /** @param maxHosts hosts that are remembered; memory for them is taken at once */
  constructor(maxHosts = defaultMaxHosts) {
    this.hosts = new LRUCache({ max: maxHosts });
    this.ofOrganizations = new LRUCache({ max: maxHosts * organizationsPerHost });
  }

  /** Number of hosts that are remembered. */
  get size(): number {
    return this.hosts.size;
  }

  /** @throws HostPaused while the circuit of the host or of the organization is open */
  async run<Result>(call: GuardedCall<Result>): Promise<Result> {
    const { origin, organizationId } = call;
    const host = getOrMake(this.hosts, origin, () => {
      const failures = new SharedFailures();
      return { ...circuitOf(failures), failures };
    });
    const own = getOrMake(this.ofOrganizations, `${origin} ${organizationId}`, () =>
      circuitOf(new ConsecutiveBreaker(maxFailuresInARow)),
    );
    const isClosed =
      own.policy.state === CircuitState.Closed && host.policy.state === CircuitState.Closed;
    if (!isClosed) return await this.tried(call, own, host);
    // Nothing is refused and, as nearly always, nothing changes: the policies, which cost microseconds, are told only of what does.
    const result = await call.run();
    const failure = call.failureOf(result);
    if (failure === undefined && !own.isFailing && !host.isFailing) return result;
    const outcome = noted(result, failure, organizationId, own, host);
    for (const { policy } of [host, own])
      if (policy.state === CircuitState.Closed) await policy.execute(() => outcome);
    return result;
  }

  /** Calls while a circuit is open or tries whether it may close. */
  private async tried<Result>(
    call: GuardedCall<Result>,
    own: Circuit,
    host: HostCircuit,
  ): Promise<Result> {
    const signal = call.signal as AbortSignal; // The policies only ask whether it is aborted.
    const guarded = async () => {
      const result = await call.run();
      return noted(result, call.failureOf(result), call.organizationId, own, host);
    };
    let refusing: Circuit = own;
    const asHost = () => {
      refusing = host;
      return host.policy.execute(guarded, signal);
    };
    try {
      return (await own.policy.execute(asHost, signal)).result;
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new HostPaused(refusing.lastFailure, error);
    }
  }
}

/** Opens when several organizations together have failed often enough in a row. */
class SharedFailures implements IBreaker {
  state: unknown;
  private readonly counts = new Map<string, number>();

  /** Called before cockatiel asks whether the circuit opens, which it does without saying whose call has failed. */
  count(organizationId: string): void {
    const counted = (this.counts.get(organizationId) ?? 0) + 1;
    this.counts.set(organizationId, Math.min(counted, maxSharedFailures));
  }

  success(): void {
    // To clear a map makes a new table, and this is called for every call that succeeds.
    if (this.counts.size > 0) this.counts.clear();
  }

  failure(): boolean {
    let all = 0;
    for (const count of this.counts.values()) all += count;
    return all >= maxFailuresInARow;
  }
}

/** Notes whether the host failed, and returns what the policies are told. */
function noted<Result>(
  result: Result,
  failure: string | undefined,
  organizationId: string,
  own: Circuit,
  host: HostCircuit,
): { result: Result; hostFailed: boolean } {
  const hostFailed = failure !== undefined;
  own.isFailing = host.isFailing = hostFailed;
  if (hostFailed) {
    own.lastFailure = host.lastFailure = failure;
    host.failures.count(organizationId);
  }
  return { result, hostFailed };
}

function getOrMake<T extends object>(known: LRUCache<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

function circuitOf(breaker: IBreaker): Circuit {
  const handled = handleWhenResult((result) => (result as { hostFailed: boolean }).hostFailed);
  return {
    policy: circuitBreaker(handled, { halfOpenAfter: pauseMs, breaker }),
    lastFailure: '',
    isFailing: false,
  };
}
