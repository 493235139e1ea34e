import argon2 from '@node-rs/argon2';
import { FewAtOnce } from './few-at-once.js';

// argon2id with the least cost OWASP names: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash takes 19 MiB and a core for some hundredths of a second. */
const hashing = new FewAtOnce({ running: 4, waiting: 200 });

/** What is stored of a password. @throws TooManyWaiting */
export async function hashPassword(password: string): Promise<string> {
  return await hashing.run(() => argon2.hash(normalized(password), cost));
}

/**
 * True when the password is the one that was hashed. Without a hash it takes as long and is false, so that nobody can tell
 * by a watch which names there are. @throws TooManyWaiting
 */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  const matches = await hashing.run(() => argon2.verify(hash ?? nobodys, normalized(password)));
  return matches && hash !== undefined;
}

/** Of a password that was thrown away. */
const nobodys =
  '$argon2id$v=19$m=19456,t=2,p=1$4RgLyXsviNsTWEBbWkYUqw$qurzsCDHedxQ7FaJb9CFyN4C8KOmFsBVmcuaiVDrdMk';

/** The same characters are the same password, however a keyboard composes them. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
