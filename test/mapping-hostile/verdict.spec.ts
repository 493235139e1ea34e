import { describe, expect, it } from '@jest/globals';
import type { Measured } from './measure.js';
import { lookUntilGood } from './verdict.js';

const measured = (time: number, held = 0): Measured => ({
  outcome: 'made',
  message: '',
  steps: 1,
  bytes: 0,
  time,
  held,
});
const maxTime = 10;
const isBad = ({ time, held }: Measured) => time > maxTime || held > 100;

/** The verdict on looks that take so long on a machine that is so slow, and how many looks it took. */
function judge(looks: readonly Measured[], slowness: readonly number[] = [1]) {
  let [count, asked] = [0, 0];
  const next = <T>(all: readonly T[], index: number) => all[Math.min(index, all.length - 1)] as T;
  const verdict = lookUntilGood(
    () => next(looks, count++),
    isBad,
    9,
    () => next(slowness, asked++),
  );
  return { isBad: verdict.isBad, time: verdict.time, count };
}

describe('the verdict on a load', () => {
  it('is good after one look that is', () => {
    expect(judge([measured(10)])).toEqual({ isBad: false, time: 10, count: 1 });
  });

  it('is good when one of several looks took no longer than it may', () => {
    expect(judge([50, 40, 30, 9].map((time) => measured(time)))).toMatchObject({
      isBad: false,
      count: 4,
    });
  });

  it('is bad when each took longer, by the least of the times', () => {
    expect(judge([50, 12, 30].map((time) => measured(time)))).toEqual({
      isBad: true,
      time: 12,
      count: 9,
    });
  });

  it('compares with the time of known work, and takes the lower of the two beside a look', () => {
    expect(judge([measured(18)], [2])).toMatchObject({ isBad: false, time: 9 });
    expect(judge([measured(18)], [2, 1])).toMatchObject({ isBad: true });
    expect(judge([measured(1_800)], [2])).toMatchObject({ isBad: true, time: 900 });
  });

  it('is bad when each collection leaves too much, whatever a look without one says', () => {
    const looks = [
      measured(20, 0),
      ...Array.from({ length: 8 }, (_one, at) => measured(5, at % 2 ? 0 : 900)),
    ];
    expect(judge(looks)).toMatchObject({ isBad: true });
    expect(judge([measured(5, 900), measured(5, 90)])).toMatchObject({ isBad: false, count: 2 });
  });
});
