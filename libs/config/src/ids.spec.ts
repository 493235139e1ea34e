import { describe, expect, it } from '@jest/globals';
import { createIds, isId } from './index.js';

describe('ids', () => {
  it('sort by the time they were made', () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = createIds({ now: () => now });
    const made = Array.from({ length: 50 }, () => ((now += 1), ids.next('account')));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(50);
  });

  it('have the prefix of their kind and are recognized', () => {
    const ids = createIds();
    expect(ids.next('integration')).toMatch(/^int_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(isId(ids.next('token'))).toBe(true);
  });

  it('does not take a name for an id', () => {
    for (const name of ['acc', 'acc_prod', 'int_0123456789', 'ACC_01jd3v0x7xq8z2m5n6p7q8r9st'])
      expect(isId(name)).toBe(false);
  });
});
