import { describe, expect, it } from '@jest/globals';
import { dropEmptyAttributes } from './empty-attributes.js';

describe('attributes without a value of OCSF records', () => {
  it('are left out at any depth, with what is empty without them', () => {
    const record = {
      class_uid: 2004,
      device: { hostname: null, owner: { name: '' } },
      actor: { user: { name: 'ada', uid: null } },
      observables: [{ name: 'a', value: null }, {}, null, ''],
      resources: [],
      is_alert: false,
      count: 0,
    };
    const before = structuredClone(record);
    expect(dropEmptyAttributes(record)).toEqual({
      class_uid: 2004,
      actor: { user: { name: 'ada' } },
      observables: [{ name: 'a' }],
      is_alert: false,
      count: 0,
    });
    expect(record).toEqual(before);
  });

  it('stay where they are the values of the provider or of customers', () => {
    const record = {
      class_uid: 2004,
      unmapped: { owner: null, tags: [] },
      custom_fields: { team: '' },
    };
    expect(dropEmptyAttributes(record)).toBe(record);
    expect(dropEmptyAttributes({ class_uid: 2004, unmapped: {} })).toEqual({ class_uid: 2004 });
  });

  it('stay in records of other shapes', () => {
    const ticket = { id: '1', description: null };
    expect(dropEmptyAttributes(ticket)).toBe(ticket);
  });
});
