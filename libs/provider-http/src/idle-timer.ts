/** Gives up what is silent for too long: started, it aborts its signal when it is not started again or stopped within its time. */
export class IdleTimer {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private over = false;
  readonly signal: AbortSignal;

  /** @param outer what aborts its signal too */
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

  /** What was watched is done, whoever starts it still. */
  end(): void {
    this.over = true;
    this.stop();
  }
}
