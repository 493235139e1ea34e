import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConcurrencyLimiter, TooManyWaiting } from './concurrency-limiter.js';

it('runs a limited number at a time, in order of arrival, and rejects work beyond the queue', async () => {
  const limiter = new ConcurrencyLimiter({ running: 2, waiting: 3 });
  const done: number[] = [];
  let maxRunning = 0;
  let running = 0;
  const work = (index: number) => async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await sleep(5);
    running -= 1;
    done.push(index);
    if (index === 1) throw new Error('failed work releases its slot too');
  };
  const all = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6].map((index) => limiter.run(work(index))),
  );
  expect(maxRunning).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4]);
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  expect(refused.map((reason) => reason instanceof TooManyWaiting)).toEqual([false, true, true]);
  await expect(limiter.run(() => Promise.resolve('free again'))).resolves.toBe('free again');
});
