import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '#contract';
import { type Onefold, startOnTestDatabase } from '../e2e/onefold.js';
import { longTexts } from './long-texts.js';
import { sendLongTexts } from './send-long-texts.js';

/** The run of the suite is always the same; `npm run fuzz -- texts` sends all. */
const seed = 20_261_126;
const count = 150;

let onefold: Onefold;
beforeAll(async () => {
  onefold = await startOnTestDatabase({ PROXY_HOPS: '1' });
});
afterAll(() => onefold.stop());

describe('long texts in shapes that make careless code slow', () => {
  it('take no longer than they are long, wherever they are in a request', async () => {
    const { faults, sent } = await sendLongTexts(onefold, {
      seed,
      maxBytes: 500_000,
      maxDoubling: 3.3,
      allDomains: false,
      goesOn: (index) => index < count,
    });
    expect(faults).toEqual([]);
    expect(sent).toBe(count);
  });

  it('are those of every operation that takes a text', () => {
    const all = longTexts(seed);
    const reached = new Set(all.map(({ operation }) => operation.id));
    const missing = [...operations.values()]
      .filter(({ id, state }) => state === 'served' && !reached.has(id))
      .filter(({ request, path }) => request === 'json' || path.includes('{'));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });
});
