import { describe, expect, it } from '@jest/globals';
import { mapInSlices } from './slices.js';
import { CallUsage, Usage } from '../usage/usage.js';

const counted = { organizationId: 'o', accountId: 'a', integrationId: 'i' };
const items = Array.from({ length: 12 }, (_, index) => index);

/** Takes longer than a slice, on every machine. */
function work(item: number): number {
  const end = performance.now() + 2;
  while (performance.now() < end);
  return item * 2;
}

/** Counts turns of the event loop until its end. */
function countTurns(): () => number {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  return () => {
    clearImmediate(timer);
    return turns;
  };
}

describe('work in slices', () => {
  it('maps items in their order and counts the time of all', async () => {
    const usage = new Usage();
    const mapped = await mapInSlices(items, new CallUsage(usage, counted), work);
    expect(mapped).toEqual(items.map((item) => item * 2));
    expect(usage.take().counts[0]?.cpuTime).toBeGreaterThanOrEqual(items.length * 2_000);
  });

  it('lets the process do other work between two slices', async () => {
    const stop = countTurns();
    await mapInSlices(items, new CallUsage(new Usage(), counted), work);
    expect(stop()).toBeGreaterThanOrEqual(items.length - 1);
  });

  it('runs one slice in a turn, however many calls have work', async () => {
    const stop = countTurns();
    const calls = Array.from({ length: 5 }, async () =>
      mapInSlices(items, new CallUsage(new Usage(), counted), work),
    );
    await Promise.all(calls);
    expect(stop()).toBeGreaterThanOrEqual(5 * (items.length - 1));
  });

  it('ends with the error of the work', async () => {
    const failing = () => {
      throw new Error('of the third');
    };
    const mapped = mapInSlices(items, new CallUsage(new Usage(), counted), (item) =>
      item === 3 ? failing() : work(item),
    );
    await expect(mapped).rejects.toThrow('of the third');
  });

  it('maps nothing where there is nothing', async () => {
    const work = () => {
      throw new Error('there is no item');
    };
    expect(await mapInSlices([], new CallUsage(new Usage(), counted), work)).toEqual([]);
  });
});
