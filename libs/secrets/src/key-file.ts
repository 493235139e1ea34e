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
import { type Key, keyBytes, keyOf } from './key.js';

/** The key service that wraps a new key. */
export interface KeptBy {
  service: string;
  reference: string;
}

/** Starts the line of a key that is for one domain: `domain ticketing <key>`. */
const domainLine = /^domain\s+(\S+)\s+(?=\S)/;

/**
 * Reads a key file. It has one key per line, the current key first: 32 bytes in base64, or `<service> <reference> <wrapped key>` for
 * a key that a key service wraps; either after `domain <name>` for a key of one domain. Empty lines and lines that start with # are ignored.
 */
export async function readKeyFile(
  path: string,
  settings: KeyServiceSettings = {},
): Promise<[Key, ...Key[]]> {
  const lines = readKeyLines(path);
  const keys: Key[] = [];
  for (const [index, line] of lines.entries())
    keys.push(await parseKeyLine(line, `${path}, key ${index + 1}`, settings));
  const [first, ...others] = keys;
  if (first === undefined)
    throw new KeyUnusable(
      `${path}: the file contains no key. Restore the file with which this data was written.`,
    );
  return [first, ...others];
}

/** Creates a key file that only this user can read, unless it exists. */
export async function createKeyFile(
  path: string,
  keptBy?: KeptBy,
  settings: KeyServiceSettings = {},
): Promise<void> {
  if (existsSync(path)) return;
  const line = await createKeyLine(keptBy, settings);
  writeFileSync(path, `${line}\n`, { mode: 0o600, flag: 'wx' });
}

/** Adds a new key after the current one, so that all processes know it before anything is encrypted with it. */
export async function addKey(
  path: string,
  keptBy?: KeptBy,
  settings: KeyServiceSettings = {},
): Promise<void> {
  const [current = '', ...others] = readKeyLines(path);
  checkIsWhole(path, current);
  replaceFile(path, [current, await createKeyLine(keptBy, settings), ...others]);
}

/** Makes the second key the current one. @throws KeyUnusable when the file has no second key */
export function promoteKey(path: string): void {
  const [current = '', next, ...others] = readKeyLines(path);
  if (next === undefined)
    throw new KeyUnusable(`${path}: the second key is missing. Add one first.`);
  checkIsWhole(path, current);
  checkIsWhole(path, next);
  replaceFile(path, [next, current, ...others]);
}

/**
 * Writes keys into a file that only this user can read, in place of those that are in it.
 * @param keys the current one of each domain first @param keptBy the key service that wraps each of them
 */
export async function writeKeyFile(
  path: string,
  keys: readonly Key[],
  keptBy?: KeptBy,
  settings: KeyServiceSettings = {},
): Promise<void> {
  const lines: string[] = [];
  for (const { domain, bytes } of keys)
    lines.push(
      `${domain === undefined ? '' : `domain ${domain} `}${await keyLine(bytes, keptBy, settings)}`,
    );
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
  replaceFile(path, lines);
}

/** Keys of domains are derived, so the rotation is that of the file which they are derived from. */
function checkIsWhole(path: string, line: string): void {
  if (domainLine.test(line))
    throw new KeyUnusable(
      `${path}: the file has keys of single domains. Rotate the key-encryption key that they are derived from, and derive them again.`,
    );
}

function readKeyLines(path: string): string[] {
  if (!existsSync(path))
    throw new KeyUnusable(
      `${path}: the file with the key-encryption key is missing. Restore the file with which this data was written, or create one for new data: (umask 077; openssl rand -base64 32 > ${path})`,
    );
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const mode = statSync(path).mode & 0o777;
  // A wrapped key is not secret, so its file may be readable by everyone.
  if ((mode & 0o007) !== 0 && lines.some((line) => !isWrapped(line)))
    throw new KeyUnusable(
      `${path}: everyone on this machine can read the key-encryption key (mode ${mode.toString(8)}). Run chmod 600 on it, and rotate it if others had access.`,
    );
  return lines;
}

function isWrapped(line: string): boolean {
  return /\s/.test(line.replace(domainLine, ''));
}

async function parseKeyLine(
  whole: string,
  where: string,
  settings: KeyServiceSettings,
): Promise<Key> {
  const [, domain] = domainLine.exec(whole) ?? [];
  const line = whole.replace(domainLine, '');
  const bytes = isWrapped(line)
    ? await unwrapKey(line, where, settings)
    : Buffer.from(line, 'base64');
  if (bytes.length !== keyBytes)
    throw new KeyUnusable(
      `${where}: the key-encryption key has ${bytes.length} bytes, but must be ${keyBytes} bytes in base64.`,
    );
  return keyOf(bytes, domain);
}

async function unwrapKey(
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
      `${where}: ${service} ${reference} could not unwrap the key-encryption key. ${reason}`,
      { cause },
    );
  }
}

async function createKeyLine(
  keptBy: KeptBy | undefined,
  settings: KeyServiceSettings,
): Promise<string> {
  return await keyLine(randomBytes(keyBytes), keptBy, settings);
}

async function keyLine(
  bytes: Buffer,
  keptBy: KeptBy | undefined,
  settings: KeyServiceSettings,
): Promise<string> {
  if (keptBy === undefined) return bytes.toString('base64');
  const service = await openKeyService(keptBy.service, keptBy.reference, settings);
  const { reference, wrapped } = await service.wrap(bytes);
  return `${keptBy.service} ${reference} ${wrapped}`;
}

/** Replaces the file atomically, so that readers never see an incomplete one. */
function replaceFile(path: string, lines: readonly string[]): void {
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
