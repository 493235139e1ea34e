import { expect, it } from '@jest/globals';
import { unknownFields } from './unknown-fields.js';

const user = { properties: { id: {}, tags: { items: { properties: { name: {} } } } } };
const schemas: Record<string, object> = { user };
const find = (value: unknown, schema: object) =>
  unknownFields(value, [schema], (one) => {
    const { $ref } = one as { $ref?: string };
    return ($ref === undefined ? one : schemas[$ref]) as Record<string, unknown>;
  });

it('fields that no schema names are found at any depth', () => {
  const value = [{ id: 1, made: 1, tags: [{ name: 'a' }, { name: 'b', up: 1 }] }];
  expect(find(value, { items: { $ref: 'user' } })).toEqual(['/*/made', '/*/tags/*/up']);
});

it('all parts of a schema name fields together', () => {
  const schema = { allOf: [{ $ref: 'user' }, { oneOf: [{ properties: { made: {} } }] }] };
  expect(find({ id: 1, made: 1, other: 1 }, schema)).toEqual(['/other']);
});

it('objects whose fields are left open are not looked into', () => {
  expect(find({ any: { thing: 1 } }, { type: 'object' })).toEqual([]);
  expect(find({ any: 1 }, { ...user, additionalProperties: true })).toEqual([]);
  expect(find({ any: 1 }, { ...user, additionalProperties: false })).toEqual(['/any']);
});
