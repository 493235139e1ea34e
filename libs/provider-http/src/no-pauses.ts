import { Pauses } from './pauses.js';

/** Pauses that take no time, before calls of a provider that is replayed or simulated. */
export class NoPauses extends Pauses {
  /** @param skip called with the milliseconds of each pause, such as for a clock that goes ahead by them */
  constructor(private readonly skip: (ms: number) => void = () => undefined) {
    super();
  }

  override take(ms: number): Promise<boolean> {
    this.skip(ms);
    return Promise.resolve(true);
  }
}
