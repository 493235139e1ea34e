import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatJson, parseJson } from '../index.js';

describe('JSON', () => {
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

  it('reads any document as JSON.parse does, and writes it so that it is the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseJson(formatJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });
});
