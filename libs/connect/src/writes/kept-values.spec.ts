import { describe, expect, it } from '@jest/globals';
import { findLostChanges, findLostValues } from './kept-values.js';

const isKept = (sent: unknown, kept: unknown) =>
  findLostValues({ value: sent }, { value: kept }).length === 0;

describe('a value', () => {
  it.each<[unknown, unknown]>([
    ['a', 'a'],
    ['a  b\r\n', 'a b'],
    [7, '7'],
    [1.5, '1.50'],
    [true, 'true'],
    ['2026-12-01T00:00:00Z', '2026-12-01'],
    ['2026-12-01T10:00:00.400Z', '2026-12-01T12:00:00+0200'],
    ['2026-12-01T10:00:00Z', Date.parse('2026-12-01T10:00:00Z')],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [[{ id: 1 }], [{ id: '1', name: 'one' }]],
    [null, 'default'],
    ['', undefined],
    [[], null],
    [{ a: null }, undefined],
  ])('%j is kept as %j', (sent, kept) => {
    expect(isKept(sent, kept)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    ['a', 'A'],
    ['a', undefined],
    [3, 4],
    ['2026-12-01T10:00:00Z', '2026-12-01'],
    ['2026-12-01T10:00:00Z', '2026-12-01T12:00:00Z'],
    [['a'], ['a', 'b']],
    [[{ id: 1 }], [{ id: 2 }]],
    [[{ id: 1 }], undefined],
    ['a', { name: 'a' }],
    [false, true],
  ])('%j is lost where there is %j', (sent, kept) => {
    expect(isKept(sent, kept)).toBe(false);
  });

  it('may be an integer of any length', () => {
    expect(isKept(9_007_199_254_740_993n, '9007199254740993')).toBe(true);
    expect(isKept(9_007_199_254_740_993n, 9_007_199_254_740_992n)).toBe(false);
  });
});

describe('what was lost', () => {
  it('is named by its path', () => {
    const sent = { a: { b: { c: 1, d: 2 } }, constructor: 'x' };
    expect(findLostValues(sent, { a: { b: { c: 1 } } })).toEqual([
      { path: ['a', 'b', 'd'], sent: 2, kept: undefined },
      { path: ['constructor'], sent: 'x', kept: undefined },
    ]);
  });

  it('is what a patch changed, and not what others did', () => {
    const before = { a: 1, b: { c: [{ id: 1 }] }, d: 'x' };
    const after = { a: 1, b: { c: [{ id: 1, name: 'one' }] } };
    expect(findLostChanges(before, after, { a: 2, b: { c: [{ id: 1 }] }, d: 'x' })).toEqual([
      { path: ['b', 'c'], sent: [{ id: 1, name: 'one' }], kept: [{ id: 1 }] },
      { path: ['d'], sent: undefined, kept: 'x' },
    ]);
    expect(findLostChanges(before, after, after)).toEqual([]);
  });

  it('is found in bodies that nest deep', () => {
    let sent: Record<string, unknown> = { end: 1 };
    for (let depth = 0; depth < 5_000; depth += 1) sent = { a: sent };
    expect(findLostValues(sent, {})).toHaveLength(1);
  });
});
