import argon2 from '@node-rs/argon2';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

// argon2id with the minimum cost that OWASP recommends: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Limits the cost of hashing: each hash uses 19 MiB and one core for some tens of milliseconds. */
const hashLimiter = new ConcurrencyLimiter({ running: 4, waiting: 200 });

/** Hashes a password for storage. @throws TooManyWaiting */
export async function hashPassword(password: string): Promise<string> {
  return await hashLimiter.run(() => argon2.hash(normalize(password), cost));
}

/**
 * True when the password matches the hash. Without a hash it takes as long and returns false, so that response times do not reveal
 * which members exist. @throws TooManyWaiting
 */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  const matches = await hashLimiter.run(() =>
    argon2.verify(hash ?? unusedHash, normalize(password)),
  );
  return matches && hash !== undefined;
}

/** The hash of a discarded random password, verified in place of a missing hash. */
const unusedHash =
  '$argon2id$v=19$m=19456,t=2,p=1$4RgLyXsviNsTWEBbWkYUqw$qurzsCDHedxQ7FaJb9CFyN4C8KOmFsBVmcuaiVDrdMk';

/** Normalizes a password, because keyboards compose the same characters in different ways. */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
