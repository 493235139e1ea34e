import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { FewAtOnce, TooManyWaiting } from './few-at-once.js';

it('runs a few at a time, in the order they came, and turns away who is too many', async () => {
  const few = new FewAtOnce({ running: 2, waiting: 3 });
  const done: number[] = [];
  let most = 0;
  let running = 0;
  const work = (index: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    done.push(index);
    if (index === 1) throw new Error('a failure gives its place back too');
  };
  const all = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((index) => few.run(work(index))));
  expect(most).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4]);
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  expect(refused.map((reason) => reason instanceof TooManyWaiting)).toEqual([false, true, true]);
  await expect(few.run(() => Promise.resolve('free again'))).resolves.toBe('free again');
});
