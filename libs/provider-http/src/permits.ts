/** What a document allows to one credential, over all replicas. */
export interface PermitLimits {
  concurrency?: number | undefined;
  /** Calls in a period. */
  requests?: number | undefined;
  periodMs: number;
}

/** Gives permits for calls of a provider. */
export interface Permits {
  /**
   * Waits until a call may be made.
   * @param key the credential, or the integration where there is none
   * @returns what has to be called when the call is done
   * @throws PermitRefused when the wait would be longer than the deadline
   */
  acquire(
    place: { organizationId: string; key: string },
    limits: PermitLimits,
    deadline: number,
    signal: AbortSignal,
  ): Promise<() => void>;
}

/** There is no permit within the deadline. */
export class PermitRefused extends Error {
  constructor(readonly retryAfterMs: number) {
    super('the limit of calls to the provider is used up');
    this.name = 'PermitRefused';
  }
}
