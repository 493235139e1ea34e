import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scanJson } from './index.js';

const limits = { maxValues: 100, maxDepth: 8 };
const scan = (text: string, of = limits) => scanJson(Buffer.from(text), of);

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const pieces =
  '{ } [ ] , : " " \\ \\n \\u00e9 \\ud83d\\ude00 - + . 0 1 23 e E true false null nul a \t \n é 😀'
    .split(' ')
    .concat(['{"a":', '"b"', '[1', ' ']);

describe('scanJson', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    const wide = { maxValues: 100_000, maxDepth: 1_000 };
    /** @returns undefined where the text is JSON that cannot be stored: half a surrogate pair, U+0000 */
    const accepts = (text: string) => {
      const fault = scan(text, wide);
      return fault?.kind === 'text' ? undefined : fault === undefined;
    };
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect([text, accepts(text) ?? true]).toEqual([text, true]);
      }),
      { numRuns: 2_000 },
    );
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces));
    fc.assert(
      fc.property(damaged, ([text, at, piece]) => {
        const cut = at % (text.length + 1);
        const changed = text.slice(0, cut) + piece + text.slice(cut + 1);
        expect([changed, accepts(changed) ?? parses(changed)]).toEqual([changed, parses(changed)]);
      }),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const text = parts.join('');
        expect([text, accepts(text) ?? parses(text)]).toEqual([text, parses(text)]);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['{"name": }', 9],
    ['', 0],
    ['[1,]', 3],
    ['{"a":1} x', 8],
    ['"a\u0001"', 2],
    ['{"a"', 4],
    ['[}', 1],
  ])('finds the place of the fault in %j', (text, offset) => {
    expect(scan(text)).toMatchObject({ kind: 'syntax', offset });
  });

  it.each([
    [String.raw`{"a":{"b":["x","\u0000"]}}`, '/a/b/1'],
    [String.raw`{"a":1,"b/c~":"\ud800"}`, '/b~1c~0'],
    [String.raw`["\udc00\ud800"]`, '/0'],
    [String.raw`{"k":{"\u0000":1}}`, '/k'],
  ])('refuses a text that cannot be stored: %s', (text, pointer) => {
    expect(scan(text)).toMatchObject({ kind: 'text', pointer });
  });

  it('accepts surrogate pairs with hexadecimal digits in either case', () => {
    expect(scan(String.raw`"\uD83D\uDE00 \\u0000 \u00e9"`)).toBeUndefined();
  });

  it('refuses one value too many and one level too many, and names the place', () => {
    expect(scan(`[${Array(99).fill(1).join()}]`)).toBeUndefined();
    expect(scan(`[${Array(100).fill(1).join()}]`)).toMatchObject({
      kind: 'values',
      pointer: '/99',
    });
    expect(scan('[[[[[[[[]]]]]]]]')).toBeUndefined();
    expect(scan('[[[[[[[[[]]]]]]]]]')).toMatchObject({
      kind: 'depth',
      pointer: '/0/0/0/0/0/0/0/0',
    });
  });

  it('stops at the first fault, so that a body of brackets costs no more than the depth limit', () => {
    expect(scan('['.repeat(1_000_000))?.offset).toBe(8);
    expect(scan('{"a":'.repeat(200_000))?.kind).toBe('depth');
  });

  it('takes any text in a body that a provider writes', () => {
    const any = { ...limits, anyText: true };
    for (const text of ['{"a\\u0000":"\\u0000"}', '["\\ud83d","\\ude00x","\\ud83d\\ude00"]']) {
      expect(scan(text)?.kind).toBe('text');
      expect(scan(text, any)).toBeUndefined();
    }
    expect(scan('["\\u00g0"]', any)?.kind).toBe('syntax');
  });
});
