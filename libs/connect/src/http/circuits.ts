import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleWhenResult,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';

const failuresInARow = 10;
const pauseMs = 10_000;
const maxHosts = 5_000;

/** Calls to a host that has failed ten times in a row are refused for ten seconds, then one is let through to see. */
export class Circuits {
  private readonly known = new LRUCache<string, CircuitBreakerPolicy>({ max: maxHosts });

  of(origin: string): CircuitBreakerPolicy {
    const found = this.known.get(origin);
    if (found !== undefined) return found;
    const made = circuitBreaker(
      handleWhenResult((result) => isHostFailure(result)),
      { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failuresInARow) },
    );
    this.known.set(origin, made);
    return made;
  }

  static readonly pauseSeconds = pauseMs / 1000;
}

/** An outcome of a call that says something about the host, not about the call. */
function isHostFailure(result: unknown): boolean {
  return (
    typeof result === 'object' &&
    result !== null &&
    'hostFailed' in result &&
    result.hostFailed === true
  );
}
