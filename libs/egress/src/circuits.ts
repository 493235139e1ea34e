import type { CallAborts } from '#contract';
import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
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
  /** The name in metrics of the system that the host belongs to. */
  label?: string | undefined;
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
  /** Epoch milliseconds. */
  failedAt: number;
}

/** A circuit that is open: for whom calls are paused, and the label of the call that opened it. */
export interface OpenCircuit {
  of: 'host' | 'organization';
  label: string;
}

/** A host whose calls are paused, for everybody or for one organization at least. */
export interface PausedCalls {
  host: string;
  reason: string;
  /** When it failed last, ISO 8601. */
  at: string;
}

const maxListed = 20;
/** A host that nobody has called since is not known to be down any more. */
const recentMs = 600_000;

type HostCircuit = Circuit & { failures: SharedFailures };

/**
 * Pauses calls to a host that has failed ten times in a row, for ten seconds; then one call is let through to see. Failures of an
 * organization pause its own calls. They pause those of everybody when other organizations see the host fail as well.
 */
export class Circuits {
  static readonly pauseSeconds = pauseMs / 1000;
  private readonly hosts: LRUCache<string, HostCircuit>;
  private readonly ofOrganizations: LRUCache<string, Circuit>;
  private readonly open: LRUCache<string, OpenCircuit>;

  /** @param maxHosts hosts that are remembered; memory for them is taken at once */
  constructor(maxHosts = defaultMaxHosts) {
    this.hosts = new LRUCache({ max: maxHosts });
    this.ofOrganizations = new LRUCache({ max: maxHosts * organizationsPerHost });
    this.open = new LRUCache({ max: maxHosts, ttl: pauseMs });
  }

  /** Number of hosts that are remembered. */
  get size(): number {
    return this.hosts.size;
  }

  /** The circuits that refuse calls now. */
  get openCircuits(): OpenCircuit[] {
    return [...this.open.values()];
  }

  /** Lists hosts that failed so often that they are not called, or only once to see; the last ones first. */
  paused(): PausedCalls[] {
    const found = new Map<string, PausedCalls>();
    for (const [key, { policy, lastFailure, failedAt }] of [
      ...this.hosts.entries(),
      ...this.ofOrganizations.entries(),
    ]) {
      if (policy.state === CircuitState.Closed || failedAt < Date.now() - recentMs) continue;
      const host = key.split(' ')[0] ?? key;
      if (!found.has(host))
        found.set(host, { host, reason: lastFailure, at: new Date(failedAt).toISOString() });
    }
    const all = [...found.values()].sort((one, other) => other.at.localeCompare(one.at));
    return all.slice(0, maxListed);
  }

  /** @throws HostPaused while the circuit of the host or of the organization is open */
  async run<Result>(call: GuardedCall<Result>): Promise<Result> {
    const { origin, organizationId, label = 'other' } = call;
    const ownKey = `${origin} ${organizationId}`;
    const host = getOrMake(this.hosts, origin, () => {
      const failures = new SharedFailures();
      return { ...this.circuitOf(failures, origin, { of: 'host', label }), failures };
    });
    const own = getOrMake(this.ofOrganizations, ownKey, () => {
      const breaker = new ConsecutiveBreaker(maxFailuresInARow);
      return this.circuitOf(breaker, ownKey, { of: 'organization', label });
    });
    const signal = call.signal as AbortSignal; // The policies only ask whether it is aborted.
    const guarded = async () => {
      const result = await call.run();
      const failure = call.failureOf(result);
      if (failure === undefined) return { result, hostFailed: false };
      own.lastFailure = host.lastFailure = failure;
      own.failedAt = host.failedAt = Date.now();
      host.failures.count(organizationId);
      return { result, hostFailed: true };
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

  private circuitOf(breaker: IBreaker, key: string, open: OpenCircuit): Circuit {
    const handled = handleWhenResult((result) => (result as { hostFailed: boolean }).hostFailed);
    const policy = circuitBreaker(handled, { halfOpenAfter: pauseMs, breaker });
    policy.onBreak(() => this.open.set(key, open));
    policy.onReset(() => this.open.delete(key));
    return { policy, lastFailure: '', failedAt: 0 };
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

function getOrMake<T extends object>(known: LRUCache<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}
