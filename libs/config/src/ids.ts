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

function uuidV7(now: number): bigint {
  const random = randomBytes(10);
  let bits = BigInt(now) << 80n;
  bits |= 0x7n << 76n;
  bits |= (BigInt(random.readUInt16BE(0)) & 0xfffn) << 64n;
  bits |= 0b10n << 62n;
  return bits | (random.readBigUInt64BE(2) & ((1n << 62n) - 1n));
}

function base32(bits: bigint): string {
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) text += alphabet[Number((bits >> shift) & 31n)];
  return text;
}

export function createIds(clock: Clock = systemClock): Ids {
  return {
    next: ({ prefix }) => `${prefix}_${base32(uuidV7(clock.now()))}`,
    uuid: () => randomUUID(),
  };
}
