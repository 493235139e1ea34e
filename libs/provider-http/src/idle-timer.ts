/** Aborts its signal when it was started and neither restarted nor stopped in time. */
export class IdleTimer {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private over = false;
  readonly signal: AbortSignal;

  /** @param outer also aborts the signal */
  constructor(
    private readonly ms: number,
    outer: AbortSignal,
  ) {
    this.signal = AbortSignal.any([outer, this.controller.signal]);
  }

  get timedOut(): boolean {
    return this.controller.signal.aborted;
  }

  start(): void {
    clearTimeout(this.timer);
    if (this.over) return;
    this.timer = setTimeout(
      () => this.controller.abort(new DOMException('nothing came in time', 'TimeoutError')),
      this.ms,
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Stops the timer for good: later starts have no effect. */
  end(): void {
    this.over = true;
    this.stop();
  }
}
