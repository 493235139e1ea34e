import { describe, expect, it } from '@jest/globals';
import { applyPatch } from './apply-patch.js';
import { findDifference } from './find-difference.js';

describe('the difference of two values', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
    [
      { a: 1 },
      { b: null },
      [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: null },
      ],
    ],
    [
      { 'a/b': { '~': 1 } },
      { 'a/b': { '~': [1] } },
      [{ op: 'replace', path: '/a~1b/~0', value: [1] }],
    ],
    [
      { a: [1, 2, 3] },
      { a: [1] },
      [
        { op: 'remove', path: '/a/2' },
        { op: 'remove', path: '/a/1' },
      ],
    ],
    [
      { a: [{ b: 1 }] },
      { a: [{ b: 2 }, 3] },
      [
        { op: 'replace', path: '/a/0/b', value: 2 },
        { op: 'add', path: '/a/-', value: 3 },
      ],
    ],
    [{ a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ])('of %j and %j is %j, and turns one into the other', (one, other, patch) => {
    const found = findDifference(one, other);
    expect(found).toEqual(patch);
    expect(applyPatch(one as object, found)).toEqual(other);
  });

  it('replaces a value that differs in more than a thousand places, or far below', () => {
    const list = (from: number) => Array.from({ length: 200_000 }, (_, index) => from + index);
    const other = { list: list(1) };
    expect(findDifference({ list: list(0) }, other)).toEqual([
      { op: 'replace', path: '', value: other },
    ]);
    const deep = (leaf: number) => {
      let value: unknown = leaf;
      for (let depth = 0; depth < 2_000; depth += 1) value = [value];
      return value;
    };
    const [found] = findDifference(deep(1), deep(2));
    expect(found?.path).toBe('/0'.repeat(100));
  });
});
