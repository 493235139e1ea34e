import { describe, expect, it } from '@jest/globals';
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

  it('take as long to reject when the member is unknown', async () => {
    const hash = await hashPassword('hunter2');
    const timed = async (of: string | undefined) => {
      const begin = performance.now();
      expect(await verifyPassword(of, 'wrong')).toBe(false);
      return performance.now() - begin;
    };
    const times = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 5; round += 1) {
      times.known = Math.min(times.known, await timed(hash));
      times.unknown = Math.min(times.unknown, await timed(undefined));
    }
    expect(times.unknown).toBeGreaterThan(times.known / 2);
  });
});
