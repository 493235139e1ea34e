import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const bytes = 32;

/** A key of 32 bytes and the short name that sealed texts carry. */
export interface Key {
  id: string;
  bytes: Buffer;
}

/** Makes a key file that only this user can read, unless there is one. */
export function createKeyFile(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, `${randomBytes(bytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
}

/** Reads a key-encryption key. @throws Error that says what is wrong with the file and what to do. */
export function readKeyFile(path: string): Key {
  if (!existsSync(path))
    throw new Error(
      `${path}: the key-encryption key is not there. Put back the file this data was written with, or make one for new data: (umask 077; openssl rand -base64 32 > ${path})`,
    );
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o007) !== 0)
    throw new Error(
      `${path}: everybody on this machine can read the key-encryption key (mode ${mode.toString(8)}). Run chmod 600 on it, and rotate it if others had access.`,
    );
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  if (key.length !== bytes)
    throw new Error(
      `${path}: the key-encryption key has ${key.length} bytes, it must be ${bytes} bytes in base64.`,
    );
  return keyOf(key);
}

/** A key out of its bytes. */
export function keyOf(key: Buffer): Key {
  return { id: fingerprint(key), bytes: key };
}

function fingerprint(key: Buffer): string {
  return createHash('sha256').update('onefold key id').update(key).digest('hex').slice(0, 8);
}
