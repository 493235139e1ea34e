import { randomInt } from 'node:crypto';
import type { Clock } from '#config';
import { ApiError, type CallAborts } from '#contract';
import { Circuits, HostPaused, type OpenCircuit, type PausedCalls } from './circuits.js';
import { Pauses } from './pauses.js';

const firstBackoffMs = 200;

/** How one attempt ended. */
export interface Attempted {
  /** Describes how the host failed, in words that every tenant may read; undefined when it did not. */
  hostFailure: string | undefined;
  /** The wait that the response asks for. */
  retryAfterMs?: number | undefined;
}

/** A request that may be attempted more than once. */
export interface AttemptedCall<Result extends Attempted> {
  url: URL;
  /** Identifies the host in its network; the origin when absent. */
  host?: string;
  organizationId: string;
  /** The name in metrics of the system that the host belongs to. */
  label?: string | undefined;
  signal: CallAborts;
  /** Epoch milliseconds. */
  deadline: number;
  maxAttempts: number;
  attempt: () => Promise<Result>;
  mayRepeat: (last: Result) => boolean;
}

/** Repeats requests to hosts outside: after a pause, never beyond the deadline, and not to a host that keeps failing. */
export class Attempts {
  private readonly circuits: Circuits;
  private readonly pauses: Pauses;

  constructor(
    private readonly parts: {
      clock: Clock;
      /** Hosts whose failures are remembered; 5,000 when absent. */
      maxHosts?: number | undefined;
      /** Shared by processes that end while calls wait. */
      pauses?: Pauses | undefined;
    },
  ) {
    this.pauses = parts.pauses ?? new Pauses();
    this.circuits = new Circuits(parts.maxHosts);
  }

  /** Number of hosts whose circuits are remembered. */
  get circuitCount(): number {
    return this.circuits.size;
  }

  /** The circuits that refuse calls now. */
  get openCircuits(): OpenCircuit[] {
    return this.circuits.openCircuits;
  }

  /** Lists hosts that failed so often that they are not called for a while. */
  paused(): PausedCalls[] {
    return this.circuits.paused();
  }

  /** @returns the last attempt @throws ApiError 503 while the host is paused, and what an attempt throws */
  async run<Result extends Attempted>(call: AttemptedCall<Result>): Promise<Result> {
    let last: Result | undefined;
    for (let count = 1; ; count += 1) {
      try {
        last = await this.guarded(call);
      } catch (error) {
        // The first attempt may have opened the circuit that stops the second one, and has the reason.
        if (!(error instanceof HostPaused)) throw error;
        if (last === undefined) throw pausedFailure(call.url, error);
        return last;
      }
      if (count >= call.maxAttempts || !call.mayRepeat(last)) return last;
      const waitMs = waitBefore(last, count);
      if (this.parts.clock.now() + waitMs >= call.deadline) return last;
      // At the end of the process the caller gets what the host answered, such as 429 with its wait.
      if (!(await this.pauses.take(waitMs, call.signal))) return last;
    }
  }

  private guarded<Result extends Attempted>({
    url,
    host = url.origin,
    organizationId,
    label,
    attempt,
    signal,
  }: AttemptedCall<Result>): Promise<Result> {
    return this.circuits.run({
      origin: host,
      organizationId,
      label,
      run: attempt,
      failureOf: ({ hostFailure }) => hostFailure,
      signal,
    });
  }
}

/** The wait that the host asked for, but not less than an exponential backoff with jitter. */
function waitBefore({ retryAfterMs = 0 }: Attempted, count: number): number {
  const maxMs = firstBackoffMs * 2 ** count;
  return Math.max(retryAfterMs, maxMs / 2 + randomInt(Math.ceil(maxMs / 2)));
}

function pausedFailure({ host }: URL, cause: HostPaused): ApiError {
  return new ApiError(
    503,
    `calls to ${host} are paused, it failed too often: ${cause.lastFailure}`,
    {
      remediation: `Check the address in provider_config; try again in ${Circuits.pauseSeconds} s.`,
      headers: { 'retry-after': String(Circuits.pauseSeconds) },
      cause,
    },
  );
}
