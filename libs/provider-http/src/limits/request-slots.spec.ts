import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { addRequests, type RequestSlot } from './request-slots.js';

const one = { count: 1, isJob: false };
const budget = { requests: 50, periodMs: 60_000 };

/** Sends requests at these times, each as soon as there is room for it. @returns when they were sent */
function sendAll(times: readonly number[], { requests, periodMs } = budget): number[] {
  let slots: RequestSlot[] = [];
  let now = 0;
  return times.map((time) => {
    now = Math.max(now, time);
    for (;;) {
      const counted = addRequests(slots, { requests, periodMs }, now, one);
      if ('slots' in counted) {
        ({ slots } = counted);
        return now;
      }
      now += counted.waitMs;
    }
  });
}

describe('a budget of requests', () => {
  it('has no more of them in any span of a period, wherever it begins', () => {
    const pauses = fc.array(fc.nat(20_000), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(pauses, fc.integer({ min: 1, max: 60 }), (gaps, requests) => {
        let at = 0;
        const sent = sendAll(
          gaps.map((gap) => (at += gap)),
          { requests, periodMs: 60_000 },
        );
        const within = sent.map((first, index) => {
          const last = sent.findLastIndex((time) => time <= first + 60_000);
          return last - index + 1;
        });
        expect(Math.max(...within)).toBeLessThanOrEqual(requests);
      }),
    );
  });

  it('takes all of a period at once, and as many again a tenth of a period later than a provider would', () => {
    const sent = sendAll(Array.from({ length: 150 }, () => 0));
    expect([sent[49], sent[50], sent[99], sent[100]]).toEqual([0, 66_000, 66_000, 132_000]);
  });

  it('says how long it is until the oldest requests do not count any more', () => {
    const slots = [
      { at: 0, used: 49, jobs: 0 },
      { at: 5, used: 1, jobs: 0 },
    ];
    expect(addRequests(slots, budget, 36_000, one)).toEqual({ waitMs: 30_000 });
    expect(addRequests(slots, budget, 36_000, { ...one, count: 50 })).toEqual({ waitMs: 60_000 });
  });

  it('leaves half of the rest to interactive calls where jobs use it, and a job one request at least', () => {
    let slots: RequestSlot[] = [];
    const add = (isJob: boolean) => {
      const counted = addRequests(slots, { requests: 10, periodMs: 60_000 }, 0, {
        count: 1,
        isJob,
      });
      if ('slots' in counted) ({ slots } = counted);
      return 'slots' in counted;
    };
    expect([1, 2, 3, 4].map(() => add(false))).toEqual([true, true, true, true]);
    expect([1, 2, 3, 4].map(() => add(true))).toEqual([true, true, true, false]);
    expect([1, 2, 3, 4].map(() => add(false))).toEqual([true, true, true, false]);
    const single = { requests: 1, periodMs: 60_000 };
    expect(addRequests([], single, 0, { count: 1, isJob: true })).toHaveProperty('slots');
  });
});
