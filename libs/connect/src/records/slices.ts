import type { CallUsage } from '../usage/usage.js';

/** Work of one call that nothing interrupts, in milliseconds. Other calls of the process wait for it. */
const sliceMs = 1;

/** Cuts the work of one call into slices. Between two of them the process does what has arrived for other calls meanwhile. */
export class Slices {
  private end = 0;

  constructor() {
    this.begin();
  }

  begin(): void {
    this.end = performance.now() + sliceMs;
  }

  /** Whether the slice is used up, and {@link next} is to be waited for. */
  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.begin();
  }
}

/** Maps items in slices, in their order, and counts the time of the work. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  usage: CallUsage,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = [];
  const slices = new Slices();
  const runSlice = () => {
    do results.push(work(items[results.length] as T));
    while (results.length < items.length && !slices.isOver);
  };
  while (results.length < items.length) {
    if (slices.isOver) await slices.next();
    usage.work(runSlice);
  }
  return results;
}

const waiting: (() => void)[] = [];

/** Waits for a turn of the event loop. Each turn takes one slice, however many calls wait: what has arrived waits for one slice, not for all. */
async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(releaseOne);
  });
}

function releaseOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(releaseOne);
}
