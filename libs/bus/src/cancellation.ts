/**
 * Tells those who work for a call that it was given up, and why: an AbortController for a fraction of its price. Most calls end
 * without anyone asking, so the signal is made for who asks for it.
 */
export class Cancellation {
  private readonly listeners: ((reason: Error) => void)[] = [];
  private controller: AbortController | undefined;
  private given: Error | undefined;

  /** One that follows a signal. */
  static of(signal: AbortSignal): Cancellation {
    const made = new Cancellation();
    const follow = () => made.cancel(errorOf(signal.reason));
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    return made;
  }

  /** Why the call was given up; undefined while it was not. */
  get reason(): Error | undefined {
    return this.given;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.given !== undefined) this.controller.abort(this.given);
    }
    return this.controller.signal;
  }

  /** Gives the call up. Only the first reason counts. */
  cancel(reason: Error): void {
    if (this.given !== undefined) return;
    this.given = reason;
    this.controller?.abort(reason);
    for (const listener of this.listeners.splice(0)) listener(reason);
  }

  /** @throws the reason of a call that was given up. */
  throwIfCancelled(): void {
    if (this.given !== undefined) throw this.given;
  }

  /** Hears of the end of a call that is not given up yet. */
  onCancel(listener: (reason: Error) => void): void {
    this.listeners.push(listener);
  }

  offCancel(listener: (reason: Error) => void): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the call was given up', { cause: reason });
}
