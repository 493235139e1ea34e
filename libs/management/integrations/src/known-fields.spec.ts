import { describe, expect, it } from '@jest/globals';
import { droppedFields, knownFields } from './known-fields.js';

describe('the known fields of a configuration', () => {
  const schema = {
    $defs: { place: { type: 'object', properties: { city: {} } } },
    properties: {
      url: { type: 'string' },
      places: { type: ['array', 'null'], items: { $ref: '#/$defs/place' } },
      either: { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      free: { type: 'object' },
      open: { properties: { a: {} }, additionalProperties: true },
    },
  };

  it('are kept at every level, and others are removed', () => {
    const value = {
      url: 'https://x',
      api_key: 'secret',
      constructor: 'secret',
      places: [{ city: 'Bern', secret: 'x' }],
      either: { a: 1, b: 2, c: 3 },
      free: { any: { thing: 1 } },
      open: { a: 1, other: 2 },
    };
    expect(knownFields(value, schema)).toEqual({
      url: 'https://x',
      places: [{ city: 'Bern' }],
      either: { a: 1, b: 2 },
      free: { any: { thing: 1 } },
      open: { a: 1, other: 2 },
    });
    expect(droppedFields(value, knownFields(value, schema))).toEqual([
      ['api_key'],
      ['constructor'],
      ['places', '0', 'secret'],
      ['either', 'c'],
    ]);
    expect(knownFields(JSON.parse('{"url":"x","__proto__":{"a":1}}'), schema)).toEqual({
      url: 'x',
    });
  });

  it('are followed to a limited depth if a schema refers to itself', () => {
    const loop = { properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] };
    expect(knownFields({ a: { a: { b: 1 } }, c: 1 }, loop)).toEqual({ a: { a: {} } });
  });
});
