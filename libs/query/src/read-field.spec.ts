import { expect, it } from '@jest/globals';
import { fieldReader } from './read-field.js';

const user = {
  metadata: { uid: 'rec-1' },
  time: 1,
  entity: { uid: 'u-1', user: { name: 'ada', groups: [{ name: 'staff' }, {}, { name: 'vpn' }] } },
  custom_fields: { 'a.b': 5 },
};
const read = fieldReader({ uid: { type: 'string', path: 'entity.uid' } });

it.each([
  ['a nested record', 'entity.user.name', 'ada'],
  ['the path that the document gives', 'uid', 'u-1'],
  ['every record of a list', 'entity.user.groups.name', ['staff', 'vpn']],
  ['a name with a dot', 'custom_fields.a.b', 5],
  ['metadata, where a record has no id of its own', 'id', 'rec-1'],
  ['a name that is not there', 'entity.group.name', undefined],
  ['a name that every object inherits', 'entity.constructor.name', undefined],
])('a field is read from %s', (_where, field, value) => {
  expect(read(user, field)).toEqual(value);
});

it('the time of a ticket is when it was created', () => {
  expect(read({ created_at: '2026-01-01T00:00:00Z' }, 'time')).toBe('2026-01-01T00:00:00Z');
  expect(read(user, 'time')).toBe(1);
});
