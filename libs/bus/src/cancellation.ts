import type { CallAborts } from '#contract';

/**
 * Propagates the cancellation of a call with its reason, at a fraction of the cost of an AbortController: the signal is created on first
 * use, and most calls never need it.
 */
export class Cancellation implements CallAborts {
  private readonly listeners: ((reason: Error) => void)[] = [];
  private controller: AbortController | undefined;
  private given: Error | undefined;

  /** Creates a cancellation that follows a signal. */
  static of(signal: AbortSignal): Cancellation {
    const made = new Cancellation();
    const follow = () => made.cancel(errorOf(signal.reason));
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    return made;
  }

  /** The reason of the cancellation; undefined if the call is not cancelled. */
  get reason(): Error | undefined {
    return this.given;
  }

  get aborted(): boolean {
    return this.given !== undefined;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.given !== undefined) this.controller.abort(this.given);
    }
    return this.controller.signal;
  }

  /** Cancels the call. Only the first reason counts. */
  cancel(reason: Error): void {
    if (this.given !== undefined) return;
    this.given = reason;
    this.controller?.abort(reason);
    for (const listener of this.listeners.splice(0)) listener(reason);
  }

  /** @throws the reason if the call is cancelled */
  throwIfCancelled(): void {
    if (this.given !== undefined) throw this.given;
  }

  throwIfAborted(): void {
    this.throwIfCancelled();
  }

  addEventListener(_type: 'abort', listener: (reason?: unknown) => void): void {
    this.onCancel(listener);
  }

  removeEventListener(_type: 'abort', listener: (reason?: unknown) => void): void {
    this.offCancel(listener);
  }

  /** Registers a listener for the cancellation. */
  onCancel(listener: (reason: Error) => void): void {
    this.listeners.push(listener);
  }

  offCancel(listener: (reason: Error) => void): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the call was cancelled', { cause: reason });
}
