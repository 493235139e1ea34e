/** Limits of one credential, shared by all replicas. */
export interface PermitLimits {
  concurrency?: number | undefined;
  /** Maximum number of calls in a period. */
  requests?: number | undefined;
  periodMs: number;
}

/** Gives permits for calls of a provider. */
export interface Permits {
  /**
   * Waits until a call is permitted.
   * @param key id of the credential, or of the integration if it has none
   * @returns a function to call when the call is done
   * @throws PermitRefused if the wait would exceed the deadline
   */
  acquire(
    place: { organizationId: string; key: string },
    limits: PermitLimits,
    deadline: number,
    signal: AbortSignal,
  ): Promise<() => void>;
}

/** No permit is available before the deadline. */
export class PermitRefused extends Error {
  constructor(readonly retryAfterMs: number) {
    super('the limit of calls to the provider is used up');
    this.name = 'PermitRefused';
  }
}
