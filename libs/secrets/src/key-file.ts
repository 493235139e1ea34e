import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { openKeyService, type KeyServiceSettings } from './key-services.js';
import { KeyUnusable } from './key-unusable.js';
import { type Key, keyBytes, keyOf } from './keyring.js';

/** Where a new key is kept: in the file itself, or wrapped by a key service. */
export interface KeptBy {
  service: string;
  reference: string;
}

/**
 * A key file has a key per line, the current one first: 32 bytes in base64, or `<service> <reference> <wrapped key>` of a key
 * service. Empty lines and those that begin with # say nothing.
 */
export async function readKeyFile(
  path: string,
  settings: KeyServiceSettings = {},
): Promise<[Key, ...Key[]]> {
  const lines = linesOf(path);
  const keys: Key[] = [];
  for (const [index, line] of lines.entries())
    keys.push(await readLine(line, `${path}, key ${index + 1}`, settings));
  const [first, ...others] = keys;
  if (first === undefined)
    throw new KeyUnusable(
      `${path}: the file holds no key. Put back the one this data was written with.`,
    );
  return [first, ...others];
}

/** Makes a key file that only this user can read, unless there is one. */
export async function createKeyFile(
  path: string,
  keptBy?: KeptBy,
  settings: KeyServiceSettings = {},
): Promise<void> {
  if (existsSync(path)) return;
  const line = await newLine(keptBy, settings);
  writeFileSync(path, `${line}\n`, { mode: 0o600, flag: 'wx' });
}

/** Adds a new key behind the current one: processes learn it before anything is sealed with it. */
export async function addKey(
  path: string,
  keptBy?: KeptBy,
  settings: KeyServiceSettings = {},
): Promise<void> {
  const [current = '', ...others] = linesOf(path);
  rewrite(path, [current, await newLine(keptBy, settings), ...others]);
}

/** Makes the key behind the current one the current one. @throws KeyUnusable when there is none */
export function promoteKey(path: string): void {
  const [current = '', next, ...others] = linesOf(path);
  if (next === undefined)
    throw new KeyUnusable(`${path}: there is no second key to go over to. Add one first.`);
  rewrite(path, [next, current, ...others]);
}

function linesOf(path: string): string[] {
  if (!existsSync(path))
    throw new KeyUnusable(
      `${path}: the key-encryption key is not there. Put back the file this data was written with, or make one for new data: (umask 077; openssl rand -base64 32 > ${path})`,
    );
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const mode = statSync(path).mode & 0o777;
  // A wrapped key is no secret: it may lie in a place that many read.
  if ((mode & 0o007) !== 0 && lines.some((line) => !isWrapped(line)))
    throw new KeyUnusable(
      `${path}: everybody on this machine can read the key-encryption key (mode ${mode.toString(8)}). Run chmod 600 on it, and rotate it if others had access.`,
    );
  return lines;
}

function isWrapped(line: string): boolean {
  return /\s/.test(line);
}

async function readLine(line: string, where: string, settings: KeyServiceSettings): Promise<Key> {
  const bytes = isWrapped(line)
    ? await unwrapped(line, where, settings)
    : Buffer.from(line, 'base64');
  if (bytes.length !== keyBytes)
    throw new KeyUnusable(
      `${where}: the key-encryption key has ${bytes.length} bytes, it must be ${keyBytes} bytes in base64.`,
    );
  return keyOf(bytes);
}

async function unwrapped(
  line: string,
  where: string,
  settings: KeyServiceSettings,
): Promise<Buffer> {
  const [service = '', reference = '', wrapped = ''] = line.split(/\s+/);
  try {
    return await (await openKeyService(service, reference, settings)).unwrap(wrapped);
  } catch (cause) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    throw new KeyUnusable(
      `${where}: ${service} ${reference} did not unwrap the key-encryption key. ${reason}`,
      { cause },
    );
  }
}

async function newLine(keptBy: KeptBy | undefined, settings: KeyServiceSettings): Promise<string> {
  const bytes = randomBytes(keyBytes);
  if (keptBy === undefined) return bytes.toString('base64');
  const service = await openKeyService(keptBy.service, keptBy.reference, settings);
  const { reference, wrapped } = await service.wrap(bytes);
  return `${keptBy.service} ${reference} ${wrapped}`;
}

/** Readers see the file before or after, never half of it. */
function rewrite(path: string, lines: readonly string[]): void {
  const { uid, gid, mode } = statSync(path);
  const next = `${path}.next`;
  const file = openSync(next, 'w', mode & 0o777);
  try {
    writeSync(file, `${lines.join('\n')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (process.getuid?.() === 0) chownSync(next, uid, gid);
  renameSync(next, path);
}
