import type { CallAborts } from '#contract';
import { Pauses } from './pauses.js';

/** Pauses that take no time, before calls of a provider that is replayed or simulated. */
export class NoPauses extends Pauses {
  /** @param skip called with the milliseconds of each pause, such as for a clock that goes ahead by them */
  constructor(private readonly skip: (ms: number) => void) {
    super();
  }

  override async take(ms: number, signal: CallAborts): Promise<boolean> {
    signal.throwIfAborted();
    this.skip(ms);
    return Promise.resolve(true);
  }
}
