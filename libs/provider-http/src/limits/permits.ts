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
  /** How many requests are counted at once, for those that follow; one when absent. */
  count?: number;
  /** The permit of a request that was counted in its budgets before. */
  reserved?: Permit | undefined;
}

/** A call of a job: the limits are for callers who wait first. */
export interface JobPace {
  /**
   * The provider has answered a request of this call. Before, a call that has to wait long is refused, so that it holds no place of the
   * worker; later ones wait, because the call would begin again.
   */
  answered: boolean;
}

/** The credential whose limits count a call, and the caller that takes turns. */
export interface PermitPlace {
  organizationId: string;
  /** The id of the credential, or of the integration if it has none. */
  key: string;
  /** Returns what the credential is at its host, as a text that is the same wherever it is stored; without it, the key is taken. */
  credential?: (() => string) | undefined;
  /** Callers take turns, and integrations among those of a caller. Without them all calls of the key are one caller's. */
  caller?: { account: string; integration: string };
  /** Set for calls of jobs. */
  job?: JobPace | undefined;
}

/** Limits as an answer of the provider tells them. */
export interface SeenLimits {
  /** Requests that are left, and for how long. */
  left?: { requests: number; forMs: number } | undefined;
  /** The provider takes no call for so long. */
  pausedMs?: number | undefined;
}

/** A budget as a caller is told of it. */
export interface BudgetStatus {
  name: string | undefined;
  requests: number;
  /** 0 for requests at the same time. */
  periodMs: number;
  /** The caller's share of what is left. */
  left: number;
  /** When more is left. */
  resetMs: number;
}

/** Ends the permit of a call: it is done. */
export interface Permit {
  (): void;
  /** The request is sent: the provider may count it from now on. */
  sent?: (() => void) | undefined;
  /** The provider has counted the request. */
  answered?: ((seen: SeenLimits) => void) | undefined;
  status?: (() => BudgetStatus[]) | undefined;
  /** One for each request that was counted at once. */
  each?: readonly Permit[];
}

/** Gives permits for calls of a provider. */
export interface Permits {
  /**
   * Waits until a call is permitted.
   * @returns the permit; a promise of it where something has to be waited for
   * @throws PermitRefused if the wait would exceed the deadline
   */
  acquire(
    place: PermitPlace,
    limits: PermitLimits,
    deadline: number,
    signal: CallAborts,
  ): Permit | Promise<Permit>;
}

/** No permit is available before the deadline. */
export class PermitRefused extends Error {
  constructor(
    readonly retryAfterMs: number,
    /** The budget that is used up. */
    readonly budget?: BudgetStatus,
    readonly reason: 'late' | 'full' = 'late',
  ) {
    super('the limit of calls to the provider is used up');
    this.name = 'PermitRefused';
  }
}
