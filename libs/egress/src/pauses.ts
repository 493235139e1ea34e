import type { CallAborts } from '#contract';
import { sleep } from './sleep.js';

/** A process that ends waits this long for pauses, and no longer: it has half a minute to end in. */
const maxLastPauseMs = 10_000;

/** Pauses before a request is sent or sent again. Long ones end when the process does, whose end they would otherwise hold up until it is killed. */
export class Pauses {
  private readonly long = new Set<AbortController>();
  private readonly over = new Error('the process ends');
  private isOver = false;

  /** True when the process ends: what waits for longer than a moment is in vain. */
  get isEnding(): boolean {
    return this.isOver;
  }

  /** @returns false if the process ends before the pause does @throws the signal's reason if it aborts first */
  async take(ms: number, signal: CallAborts): Promise<boolean> {
    if (ms <= maxLastPauseMs) {
      await sleep(ms, signal);
      return true;
    }
    signal.throwIfAborted();
    if (this.isOver) return false;
    const pause = new AbortController();
    const stop = () => pause.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.long.add(pause);
    try {
      await sleep(ms, pause.signal);
      return true;
    } catch (error) {
      if (error === this.over) return false;
      throw error;
    } finally {
      this.long.delete(pause);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the long pauses, and those that would begin later. */
  end(): void {
    this.isOver = true;
    for (const pause of this.long) pause.abort(this.over);
  }
}
