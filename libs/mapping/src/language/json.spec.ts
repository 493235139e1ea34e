import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatJson, parseJson } from '../index.js';

/** Integers that a double does not hold surely are read as they are written. */
function exact(_key: string, value: unknown): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
    ? BigInt(String(value))
    : value;
}

describe('JSON', () => {
  it('writes keys in order whatever objects it wrote before', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '"', '1'), maxLength: 3 });
    const sort = (value: Record<string, number>) =>
      Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    fc.assert(
      fc.property(fc.array(fc.dictionary(key, fc.nat(9), { noNullPrototype: true })), (all) => {
        for (const one of [...all, ...all])
          expect(formatJson(one)).toBe(
            `{${sort(one)
              .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
              .join(',')}}`,
          );
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '0.30000000000000004',
    '0.10000000149011612',
    '-12.345678901234567890',
    '1e-0000000000000000001',
    '1E+0000000000000000002',
    '[0.1234567890123456,1234567890123456,"12345678901234567890 \\" 12345678901234567890"]',
  ])('reads %s as JSON.parse does, however many digits it has', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['9007199254740993', '-9223372036854775808', '{"a":[18446744073709551615]}'])(
    'reads and writes the integer in %s exactly',
    (text) => {
      expect(formatJson(parseJson(text))).toBe(text);
    },
  );

  it('leaves texts that look like what it marks integers with', () => {
    const text = '["\\u0000int:12","\\u0000int0:x","int0:",12345678901234567890]';
    expect(parseJson(text)).toEqual(['\0int:12', '\0int0:x', 'int0:', 12345678901234567890n]);
  });

  it('writes keys in the order of their bytes, however often it saw others', () => {
    for (const value of [
      { b: 1, a: 2 },
      { b: { d: 1, c: 2 }, a: [{ z: 1, y: null }] },
      { a: 1, b: 2 },
      { b: undefined, a: [undefined] },
      { b: 1, 2: 0, 10: 1 },
      { '\ud83d\ude00': 1, '\uffff': 2 },
    ])
      for (let time = 0; time < 3; time += 1)
        expect(formatJson(value)).toBe(
          formatJson(value, { indent: ' ' }).replace(/\n */g, '').replaceAll(': ', ':'),
        );
    expect(formatJson({ b: { d: 1, c: 2 }, a: undefined })).toBe('{"a":null,"b":{"c":2,"d":1}}');
  });

  it('reads any document as JSON.parse does, and writes it so that it is the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        const wanted: unknown = JSON.parse(text, exact);
        expect(parseJson(text)).toEqual(wanted);
        expect(parseJson(formatJson(parseJson(text)))).toEqual(wanted);
      }),
    );
  });
});
