import { describe, expect, it } from '@jest/globals';
import { firstSlot, nextSlot } from './slots.js';

const minute = 60_000;
const created = new Date('2026-03-01T12:00:00Z');

describe('the first run', () => {
  it('is at a moment of its own within 15 minutes, the same each time', () => {
    const counts = new Array<number>(15).fill(0);
    for (let n = 0; n < 1_000; n += 1) {
      const first = firstSlot(`opr_${n}`, created, 24 * 60 * minute);
      expect(firstSlot(`opr_${n}`, created, 24 * 60 * minute)).toEqual(first);
      const late = Math.floor((first.getTime() - created.getTime()) / minute);
      counts[late] = (counts[late] ?? Number.NaN) + 1;
    }
    expect(counts).toHaveLength(15);
    for (const count of counts) expect(count).toBeLessThan(110);
  });

  it('is within the first period', () => {
    for (let n = 0; n < 100; n += 1)
      expect(firstSlot(`opr_${n}`, created, 5 * minute).getTime()).toBeLessThan(
        created.getTime() + 5 * minute,
      );
  });
});

describe('the next run', () => {
  it('is one period after the last, 105,120 times in a year of five minutes', () => {
    let at = created;
    let runs = 0;
    const end = created.getTime() + 365 * 24 * 60 * minute;
    for (; at.getTime() < end; runs += 1) {
      const next = nextSlot(created, 5 * minute, at);
      expect(next.getTime() - at.getTime()).toBe(5 * minute);
      at = next;
    }
    expect(runs).toBe(105_120);
  });

  it.each([
    ['one that is late', '2026-03-01T13:10:00Z', '2026-03-01T14:00:00Z'],
    ['one that is a month late', '2026-04-01T12:30:00Z', '2026-04-01T13:00:00Z'],
    ['a time before the first', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z'],
  ])('after %s is at the next of its times', (_what, after, next) => {
    expect(nextSlot(created, 60 * minute, new Date(after))).toEqual(new Date(next));
  });
});
