import { randomBytes, randomUUID } from 'node:crypto';
import { type Clock, systemClock } from './clock.js';

/** Something that has ids with a prefix of its own. */
export interface IdKind {
  readonly prefix: string;
}

/** Prefixes in use. Audit records and permissions have no ids yet; no name may look like one of theirs. */
const prefixes = new Set<string>(['aud', 'per']);

/** Declares a prefix of ids: texts that look like an id with it are no names from then on. */
export function defineIdPrefix(prefix: string): IdKind {
  if (!/^[a-z]{3}$/.test(prefix) || prefixes.has(prefix))
    throw new Error(`"${prefix}" cannot be a prefix of ids: it is not three letters, or in use`);
  prefixes.add(prefix);
  return { prefix };
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's base 32: no i, l, o, u
const idPattern = new RegExp(`^([a-z]{3})_[${alphabet}]{26}$`);

/** Creates ids that sort by the time of their creation: a prefix and the 128 bits of a UUIDv7 in lower-case base 32. */
export interface Ids {
  /** For example `acc_01jd3v0x7xq8z2m5n6p7q8r9st`. */
  next(kind: IdKind): string;
  /** A plain UUID, for mappings. */
  uuid(): string;
}

/** True for a text that has the form of one of our ids; such texts are not allowed as names. */
export function isId(text: string): boolean {
  return prefixes.has(idPattern.exec(text)?.[1] ?? '');
}

/** True for an id, and for a text that goes on after it with a colon, a slash, a dot or a hyphen, so that no other id begins it. */
export function beginsWithId(text: string, id: string): boolean {
  return text === id || (text.startsWith(id) && /[:/.-]/.test(text.charAt(id.length)));
}

function uuidV7(now: number): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
}

/** Writes 128 bits as 26 characters; the first has three of them. A bigint would take several times as long. */
function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let count = 2; // two zeros before, so that 130 bits are 26 times five
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += alphabet[(bits >> (count - 5)) & 31];
    bits &= 31;
  }
  return text;
}

export function createIds(clock: Clock = systemClock): Ids {
  return {
    next: ({ prefix }) => `${prefix}_${base32(uuidV7(clock.now()))}`,
    uuid: () => randomUUID(),
  };
}
