import { unpackedLength } from '../../language/limits.js';
import type { Run } from '../../language/run.js';
import { LimitError, RunError } from '../../language/run-error.js';

/** The farthest that a match may lie back: both formats have two bytes for it. */
const farthest = 65_535;
const shortest = 4;
/** LZ4 asks for literals at the end, and Snappy does not mind them. */
const [lastLiterals, lastStart] = [5, 12];
/** Bits of a hash, by which places are found again: fewer for short inputs, because the table of places is filled at each call. */
const [minHashBits, maxHashBits] = [6, 14];

/** Bytes that are repeated: literals up to `at`, then `length` bytes as they were `offset` before. */
export interface Match {
  at: number;
  offset: number;
  length: number;
}

/** Finds repeated bytes, the nearest first; what is between matches is literal. */
export function* matches(bytes: Buffer): Generator<Match> {
  const hashBits = Math.min(maxHashBits, Math.max(minHashBits, 32 - Math.clz32(bytes.length)));
  const last = new Int32Array(1 << hashBits).fill(-farthest - 1);
  let at = 0;
  while (at + lastStart < bytes.length) {
    const word = bytes.readUInt32LE(at);
    const hash = Math.imul(word, 2_654_435_761) >>> (32 - hashBits);
    const before = last[hash] as number;
    last[hash] = at;
    if (at - before > farthest || bytes.readUInt32LE(before) !== word) {
      at += 1;
      continue;
    }
    let length = shortest;
    while (
      at + length < bytes.length - lastLiterals &&
      bytes[before + length] === bytes[at + length]
    )
      length += 1;
    yield { at, offset: at - before, length };
    at += length;
  }
}

/** A buffer of a fixed size that is filled from its beginning. */
export class Packed {
  private readonly bytes: Buffer;
  private length = 0;

  constructor(maxBytes: number) {
    this.bytes = Buffer.allocUnsafe(maxBytes);
  }

  number(value: number, size: number): void {
    this.length = this.bytes.writeUIntLE(value, this.length, size);
  }

  slice(source: Buffer, from: number, to: number): void {
    this.length += source.copy(this.bytes, this.length, from, to);
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** The output of a decompression, which ends as soon as it is longer than a text may be. */
export class Unpacked {
  private bytes = Buffer.alloc(256);
  private length = 0;

  constructor(private readonly run: Run) {}

  literal(source: Buffer, from: number, count: number): void {
    if (from + count > source.length) throw damaged('it ends too early');
    this.reserve(count);
    source.copy(this.bytes, this.length, from, from + count);
    this.length += count;
  }

  /** Repeats bytes, which may run into those that it writes. */
  repeat(offset: number, count: number): void {
    if (offset === 0 || offset > this.length) throw damaged('it repeats what is not there');
    this.reserve(count);
    for (let left = count; left > 0;) {
      const from = this.length - offset;
      const step = Math.min(left, offset);
      this.bytes.copy(this.bytes, this.length, from, from + step);
      this.length += step;
      left -= step;
    }
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    const maxLength = unpackedLength(this.run.limits);
    if (needed > maxLength)
      throw new LimitError('size', `what comes out of the compression is longer than ${maxLength}`);
    if (needed <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.min(Math.max(needed, this.bytes.length * 2), maxLength));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

export function damaged(why: string): RunError {
  return new RunError(`failed to decompress: ${why}`);
}
