import { describe, expect, it, jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { hashPassword, verifyPassword } from './index.js';

describe('passwords', () => {
  it('are stored as argon2id with a random salt, and verified', async () => {
    const [one, two] = [await hashPassword('hunter2'), await hashPassword('hunter2')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'hunter2')).toBe(true);
    expect(await verifyPassword(one, 'hunter3')).toBe(false);
  });

  it('are equal however a keyboard composes their letters', async () => {
    expect(await verifyPassword(await hashPassword('Z\u00fcrich'), 'Zu\u0308rich')).toBe(true);
  });

  it('are compared with a hash of the same cost when the member is unknown, so it takes as long', async () => {
    const hash = await hashPassword('hunter2');
    const verify = jest.spyOn(argon2, 'verify');
    expect(await verifyPassword(hash, 'wrong')).toBe(false);
    expect(await verifyPassword(undefined, 'wrong')).toBe(false);
    const [known, unknown] = verify.mock.calls.map(([given]) => costOf(String(given)));
    expect(unknown).toEqual(known);
  });
});

/** Returns what decides how long the verification of a hash takes: its algorithm, its parameters, the length of its salt and digest. */
function costOf(hash: string): unknown {
  const [, algorithm, version, parameters, salt = '', digest = ''] = hash.split('$');
  return { algorithm, version, parameters, salt: salt.length, digest: digest.length };
}
