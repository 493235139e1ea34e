import type { CallAborts } from '#contract';
import { EventEmitter } from 'node:events';

/**
 * Aborts when it was started and neither restarted nor stopped in time. Undici takes it for a signal: creating an AbortSignal and
 * listening to it costs each call of a provider several microseconds, so one is made only for those who ask for it.
 */
export class IdleTimer extends EventEmitter {
  timedOut = false;
  /** Why it was aborted; undefined while it was not. */
  reason: Error | undefined;
  private controller: AbortController | undefined;
  private timer: NodeJS.Timeout | undefined;
  private over = false;
  /** `AbortSignal.any` would keep weak references, which cost each call more than its timer. */
  private readonly follow = () => this.abort(this.outer.reason as Error);

  /** @param outer also aborts it, until the timer ends */
  constructor(
    private readonly ms: number,
    private readonly outer: CallAborts,
  ) {
    super();
    if (outer.aborted) this.follow();
    else outer.addEventListener('abort', this.follow);
  }

  get aborted(): boolean {
    return this.reason !== undefined;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  start(): void {
    clearTimeout(this.timer);
    if (this.over) return;
    this.timer = setTimeout(() => {
      this.timedOut = !this.aborted;
      this.abort(new DOMException('nothing came in time', 'TimeoutError'));
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

  private abort(reason: Error): void {
    if (this.aborted) return;
    this.reason = reason;
    this.controller?.abort(reason);
    this.emit('abort');
  }
}
