import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import type { PatchOperation } from '#patch';
import { checkCredentialPatch } from './patch-restrictions.js';

describe('Credentials PATCH restrictions', () => {
  it.each([
    ['add', '/config/session'],
    ['remove', '/expires'],
    ['replace', '/name'],
    ['replace', '/fullname'],
    ['replace', '/config/secret'],
    ['replace', '/config'],
    ['add', '/config/extra/audience'],
  ] as const)('allows %s %s', (op, path) => {
    expect(() => checkCredentialPatch([{ op, path, value: 'x' }])).not.toThrow();
  });

  it.each(['copy', 'move', 'test'] as const)(
    '"`copy`, `move`, `test` and any other operation or path are rejected with HTTP 400": %s',
    (op) => {
      expect(status([{ op, path: '/name', from: '/fullname', value: 'x' }])).toBe(400);
    },
  );

  it.each([
    '',
    '/',
    '/id',
    '/owner_type',
    '/account_id',
    '/name/0',
    '/managed',
    'name',
    '/configx/a',
  ])('"only paths `/name`, `/fullname`, `/expires`, or a `/config` field": refuses %j', (path) => {
    expect(status([{ op: 'replace', path, value: 'x' }])).toBe(400);
  });

  it('points at the refused operation', () => {
    try {
      checkCredentialPatch([
        { op: 'replace', path: '/name', value: 'x' },
        { op: 'replace', path: '/managed', value: 'Managed' },
      ]);
      throw new Error('was accepted');
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).toProblem('urn:x', new Date(0)).context?.parameter).toMatchObject({
        id: '/1/path',
        location: 'body',
      });
    }
  });
});

function status(patch: PatchOperation[]): number | undefined {
  try {
    checkCredentialPatch(patch);
    return undefined;
  } catch (error) {
    return (error as ApiError).status;
  }
}
