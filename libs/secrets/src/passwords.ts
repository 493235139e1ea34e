import argon2 from '@node-rs/argon2';

// argon2id with the least cost OWASP names: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes that run at once; each takes 19 MiB and a core for some hundredths of a second. */
const mostAtOnce = 4;
/** Hashes that wait for one of these; who comes after is turned away. */
const mostWaiting = 200;

/** Why a password is not looked at right now. */
export class TooManyPasswords extends Error {}

let running = 0;
const waiting: (() => void)[] = [];

/** What is stored of a password. @throws TooManyPasswords */
export async function hashPassword(password: string): Promise<string> {
  return await oneOfFew(() => argon2.hash(normalized(password), cost));
}

/**
 * True when the password is the one that was hashed. Without a hash it takes as long and is false, so that nobody can tell
 * by a watch which names there are. @throws TooManyPasswords
 */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  const matches = await oneOfFew(() => argon2.verify(hash ?? nobodys, normalized(password)));
  return matches && hash !== undefined;
}

/** Of a password that was thrown away. */
const nobodys =
  '$argon2id$v=19$m=19456,t=2,p=1$4RgLyXsviNsTWEBbWkYUqw$qurzsCDHedxQ7FaJb9CFyN4C8KOmFsBVmcuaiVDrdMk';

/** The same characters are the same password, however a keyboard composes them. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new TooManyPasswords();
    await new Promise<void>((go) => waiting.push(go)); // the place is handed over, not given back
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
