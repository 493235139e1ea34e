import { describe, expect, it } from '@jest/globals';
import { createIds, defineIdPrefix, isId } from './index.js';

const kind = defineIdPrefix('tst');

describe('ids', () => {
  it('sort by the time of their creation', () => {
    let now = Date.UTC(2026, 0, 1);
    const ids = createIds({ now: () => now });
    const made = Array.from({ length: 50 }, () => ((now += 1), ids.next(kind)));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(50);
  });

  it('have the prefix of their kind and are recognized', () => {
    const ids = createIds();
    expect(ids.next(kind)).toMatch(/^tst_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(isId(ids.next(kind))).toBe(true);
    expect(isId(ids.next({ prefix: 'xyz' }))).toBe(false);
  });

  it('have prefixes of three letters, each for one kind', () => {
    for (const prefix of ['tst', 'aud', 'long', 'A1b'])
      expect(() => defineIdPrefix(prefix)).toThrow('cannot be a prefix of ids');
  });

  it('are not confused with names', () => {
    for (const name of ['tst', 'tst_prod', 'tst_0123456789', 'TST_01jd3v0x7xq8z2m5n6p7q8r9st'])
      expect(isId(name)).toBe(false);
  });
});
