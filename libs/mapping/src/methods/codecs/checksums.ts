const polynomials = new Map([
  ['IEEE', 0xedb88320],
  ['Castagnoli', 0x82f63b78],
  ['Koopman', 0xeb31d82e],
]);

/** Checksums that node:crypto does not have; undefined for an algorithm that is not one of them. */
export function checksums(
  algorithm: string,
  polynomial: string,
): ((bytes: Buffer) => Buffer) | undefined {
  if (algorithm === 'crc32') {
    const poly = polynomials.get(polynomial);
    return poly === undefined ? undefined : (bytes) => crc32(bytes, poly);
  }
  if (algorithm === 'fnv32') return (bytes) => Buffer.from(String(fnv32(bytes)));
  if (algorithm === 'xxhash64') return (bytes) => Buffer.from(String(xxhash64(bytes)));
  return undefined;
}

function crc32(bytes: Buffer, polynomial: number): Buffer {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ polynomial : sum >>> 1;
  }
  const result = Buffer.alloc(4);
  result.writeUInt32BE((sum ^ 0xffffffff) >>> 0);
  return result;
}

/** FNV-1, 32 bits. */
function fnv32(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

const primes = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n,
] as const;
const mask = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotate = (value: bigint, by: bigint): bigint => mask((value << by) | (value >> (64n - by)));
const round = (sum: bigint, lane: bigint): bigint =>
  mask(rotate(mask(sum + lane * primes[1]), 31n) * primes[0]);

/** XXH64 with seed 0 (the specification of xxHash). */
function xxhash64(bytes: Buffer): bigint {
  const [one, two, three, four, five] = primes;
  let at = 0;
  let hash: bigint;
  if (bytes.length >= 32) {
    let [a, b, c, d] = [mask(one + two), two as bigint, 0n, mask(-one)];
    for (; at + 32 <= bytes.length; at += 32) {
      a = round(a, bytes.readBigUInt64LE(at));
      b = round(b, bytes.readBigUInt64LE(at + 8));
      c = round(c, bytes.readBigUInt64LE(at + 16));
      d = round(d, bytes.readBigUInt64LE(at + 24));
    }
    hash = mask(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n));
    for (const sum of [a, b, c, d]) hash = mask((hash ^ round(0n, sum)) * one + four);
  } else hash = five;
  hash = mask(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8)
    hash = mask(rotate(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * one + four);
  if (at + 4 <= bytes.length) {
    hash = mask(rotate(hash ^ mask(BigInt(bytes.readUInt32LE(at)) * one), 23n) * two + three);
    at += 4;
  }
  for (; at < bytes.length; at += 1)
    hash = mask(rotate(hash ^ mask(BigInt(bytes.readUInt8(at)) * five), 11n) * one);
  hash = mask((hash ^ (hash >> 33n)) * two);
  hash = mask((hash ^ (hash >> 29n)) * three);
  return hash ^ (hash >> 32n);
}

const primes32 = [2_654_435_761, 2_246_822_519, 3_266_489_917, 668_265_263, 374_761_393] as const;
const rotate32 = (value: number, by: number): number => (value << by) | (value >>> (32 - by));
const round32 = (sum: number, lane: number): number =>
  Math.imul(rotate32((sum + Math.imul(lane, primes32[1])) | 0, 13), primes32[0]);

/** XXH32 with seed 0, which frames of LZ4 carry. */
export function xxhash32(bytes: Buffer): number {
  const [one, two, three, four, five] = primes32;
  let at = 0;
  let hash: number;
  if (bytes.length >= 16) {
    let [a, b, c, d] = [(one + two) | 0, two | 0, 0, -one | 0];
    for (; at + 16 <= bytes.length; at += 16) {
      a = round32(a, bytes.readInt32LE(at));
      b = round32(b, bytes.readInt32LE(at + 4));
      c = round32(c, bytes.readInt32LE(at + 8));
      d = round32(d, bytes.readInt32LE(at + 12));
    }
    hash = rotate32(a, 1) + rotate32(b, 7) + rotate32(c, 12) + rotate32(d, 18);
  } else hash = five;
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4)
    hash = Math.imul(rotate32((hash + Math.imul(bytes.readInt32LE(at), three)) | 0, 17), four);
  for (; at < bytes.length; at += 1)
    hash = Math.imul(rotate32((hash + Math.imul(bytes.readUInt8(at), five)) | 0, 11), one);
  hash = Math.imul(hash ^ (hash >>> 15), two);
  hash = Math.imul(hash ^ (hash >>> 13), three);
  return (hash ^ (hash >>> 16)) >>> 0;
}
