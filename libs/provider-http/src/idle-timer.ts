/** Aborts its signal when it was started and neither restarted nor stopped in time. */
export class IdleTimer {
  timedOut = false;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private over = false;
  /** `AbortSignal.any` would keep weak references, which cost each call more than its timer. */
  private readonly follow = () => this.controller.abort(this.outer.reason);

  /** @param outer also aborts the signal, until the timer ends */
  constructor(
    private readonly ms: number,
    private readonly outer: AbortSignal,
  ) {
    if (outer.aborted) this.follow();
    else outer.addEventListener('abort', this.follow);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  start(): void {
    clearTimeout(this.timer);
    if (this.over) return;
    this.timer = setTimeout(() => {
      this.timedOut = !this.signal.aborted;
      this.controller.abort(new DOMException('nothing came in time', 'TimeoutError'));
    }, this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Stops the timer for good: later starts have no effect. */
  end(): void {
    this.over = true;
    this.stop();
    this.outer.removeEventListener('abort', this.follow);
  }
}
