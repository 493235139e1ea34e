import type { CallAborts } from '#contract';

/** A maximum number of requests in any span of a period. */
export interface RequestBudget {
  /** Requests of the same credential that have the same name are counted together. */
  name?: string;
  requests: number;
  periodMs: number;
}

/** Limits of one credential, shared by all replicas. */
export interface PermitLimits {
  concurrency?: number | undefined;
  /** All of them have to have room for a request. */
  budgets?: readonly RequestBudget[];
  /** How many requests are counted at once, for those that follow; one when absent, 0 for one that was counted before. */
  count?: number;
}

/** A call of a job: the limits are for callers who wait first. */
export interface JobPace {
  /**
   * The provider has answered a request of this call. Before, a call that has to wait is refused, so that it holds no place of the worker;
   * later ones wait, because the call would begin again.
   */
  answered: boolean;
}

/** Limits are counted for each of these: the id of the credential, or of the integration if it has none. */
export interface PermitPlace {
  organizationId: string;
  key: string;
  /** Set for calls of jobs. */
  job?: JobPace | undefined;
}

/** Gives permits for calls of a provider. */
export interface Permits {
  /**
   * Waits until a call is permitted.
   * @returns a function to call when the call is done; a promise of it where something has to be waited for
   * @throws PermitRefused if the wait would exceed the deadline
   */
  acquire(
    place: PermitPlace,
    limits: PermitLimits,
    deadline: number,
    signal: CallAborts,
  ): (() => void) | Promise<() => void>;
}

/** No permit is available before the deadline. */
export class PermitRefused extends Error {
  constructor(readonly retryAfterMs: number) {
    super('the limit of calls to the provider is used up');
    this.name = 'PermitRefused';
  }
}
