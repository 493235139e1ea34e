import { describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { isWhole } from '#test/harness';
import { type Form, fuzz } from './fuzz.js';
import { attackOf, operationAt } from './generate.js';

/** The run of the suite is always the same, and short; `npm run fuzz -- http` uses another seed each time, and sends many more. */
const seed = 20_261_121;

describe('malformed requests', () => {
  it.each<[Form, number]>([
    ['embedded', isWhole ? 5_000 : 500],
    ['distributed', isWhole ? 800 : 150],
  ])(
    'to the service, %s, are refused as the contract says, and end and hold nothing',
    async (form, count) => {
      const { isWell, report } = await fuzz(form, { seed, goesOn: (index) => index < count });
      if (!isWell) throw new Error(report);
      expect(report).toContain(`${count} requests, 0 kinds of faults`);
    },
    900_000,
  );

  it('are the same for the same seed and number', () => {
    const some = (of: number) => Array.from({ length: 100 }, (_, index) => attackOf(of, index));
    expect(some(1)).toEqual(some(1));
    expect(some(1)).not.toEqual(some(2));
  });

  it('reach every operation of the contract that is served', () => {
    const reached = new Set(
      Array.from({ length: 2 * operations.size }, (_, index) => operationAt(seed, index)?.id),
    );
    const missing = [...operations.values()].filter(
      ({ id, state }) => state === 'served' && !reached.has(id),
    );
    expect(missing).toEqual([]);
  });
});
