import { kinds } from '#store';
import { describe, expect, it } from '@jest/globals';
import { createIds } from '#config';
import { ApiError } from '#contract';
import { checkName, chooseNames } from './names.js';

const id = createIds().next(kinds.accounts);

describe('names', () => {
  it('"`name` defaults to the account id when neither `name` nor `fullname` is given"', () => {
    expect(chooseNames({}, id)).toEqual({ name: id, fullname: id, derived: true });
    expect(chooseNames({ name: null, fullname: null }, id).name).toBe(id);
  });

  it('"`fullname` auto-generates `name` when `name` is absent"', () => {
    expect(chooseNames({ fullname: 'Müller & Söhne GmbH' }, id)).toEqual({
      name: 'muller-sohne-gmbh',
      fullname: 'Müller & Söhne GmbH',
      derived: true,
    });
  });

  it('"`fullname` defaults to `name` when absent"', () => {
    expect(chooseNames({ name: 'acme' }, id)).toEqual({
      name: 'acme',
      fullname: 'acme',
      derived: false,
    });
  });

  it('default to the id if no character of the fullname is allowed in a name', () => {
    expect(chooseNames({ fullname: '株式会社' }, id).name).toBe(id);
  });

  it('are lower case, so that ACME and acme are the same', () => {
    expect(checkName('ACME_1')).toBe('acme_1');
  });

  it('may begin with ~, which clients mark passing records with', () => {
    expect(checkName('~Test-account-7')).toBe('~test-account-7');
    for (const name of ['~', 'a~b', '~~a']) expect(() => checkName(name)).toThrow(ApiError);
  });

  it.each(['', 'a b', 'a/b', 'ä', 'a.b', 'a'.repeat(129), '../x'])('refuses %j', (name) => {
    expect(() => checkName(name)).toThrow(ApiError);
  });

  it('shaped like an id or a UUID are refused, except the record’s own id', () => {
    const other = createIds().next(kinds.integrations);
    expect(() => checkName(other)).toThrow(/shape of an id/);
    expect(() => checkName('2b3c8f0e-9d1a-4c55-8a67-0f1e2d3c4b5a')).toThrow(/shape of a UUID/);
    expect(checkName(id, id)).toBe(id);
    // Only ids of mappings are UUIDs, so other records can have the name by which existing clients know them.
    expect(checkName('2b3c8f0e-9d1a-4c55-8a67-0f1e2d3c4b5a', id)).toMatch(/^2b3c/);
    const mapping = '7d3c8f0e-9d1a-4c55-8a67-0f1e2d3c4b5a';
    expect(() => checkName('2b3c8f0e-9d1a-4c55-8a67-0f1e2d3c4b5a', mapping)).toThrow(/UUID/);
  });

  it.each([createIds().next(kinds.accounts), '2b3c8f0e-9d1a-4c55-8a67-0f1e2d3c4b5a'])(
    'default to the id if the fullname is shaped like another id, so that no path is ambiguous',
    (other) => {
      expect(chooseNames({ fullname: other.toUpperCase() }, id)).toEqual({
        name: id,
        fullname: other.toUpperCase(),
        derived: true,
      });
    },
  );

  it('refuses a display name that is blank or too long', () => {
    expect(() => chooseNames({ fullname: '   ' }, id)).toThrow(ApiError);
    expect(() => chooseNames({ fullname: 'x'.repeat(257) }, id)).toThrow(ApiError);
  });
});
