import { unpackedLength } from '../../language/limits.js';
import type { Run } from '../../language/run.js';
import { LimitError } from '../../language/run-error.js';
import { damaged, matches, Packed, Unpacked } from './lz.js';

const maxCopyLength = 64;

/** The block format of Snappy: the length, then literals and copies. */
export function compressSnappy(bytes: Buffer): Buffer {
  const packed = new Packed(32 + bytes.length + Math.ceil(bytes.length / 6));
  let left = bytes.length;
  for (; left > 127; left >>>= 7) packed.number((left & 127) | 128, 1);
  packed.number(left, 1);
  let done = 0;
  for (const { at, offset, length } of matches(bytes)) {
    literal(packed, bytes, done, at);
    for (let rest = length; rest > 0; rest -= maxCopyLength) {
      packed.number(((Math.min(rest, maxCopyLength) - 1) << 2) | 2, 1);
      packed.number(offset, 2);
    }
    done = at + length;
  }
  literal(packed, bytes, done, bytes.length);
  return packed.finish();
}

/** Up to sixty bytes have their count in the tag, more in up to three bytes behind it. */
function literal(packed: Packed, bytes: Buffer, from: number, to: number): void {
  const less = to - from - 1;
  if (less < 0) return;
  if (less < 60) packed.number(less << 2, 1);
  else {
    const size = less < 256 ? 1 : less < 65_536 ? 2 : 3;
    packed.number((59 + size) << 2, 1);
    packed.number(less, size);
  }
  packed.slice(bytes, from, to);
}

/** @throws RunError, LimitError */
export function decompressSnappy(bytes: Buffer, run: Run): Buffer {
  const [wanted, begin] = readVarint(bytes);
  if (wanted > unpackedLength(run.limits))
    throw new LimitError(
      'size',
      `what comes out of the compression is longer than ${unpackedLength(run.limits)}`,
    );
  const unpacked = new Unpacked(run);
  for (let at = begin; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    at += 1;
    const kind = tag & 3;
    if (kind === 0) {
      const size = Math.max(0, (tag >> 2) - 59);
      const count = (size === 0 ? tag >> 2 : readNumber(bytes, at, size)) + 1;
      unpacked.literal(bytes, at + size, count);
      at += size + count;
    } else {
      const size = kind === 1 ? 1 : kind === 2 ? 2 : 4;
      const high = kind === 1 ? (tag >> 5) << 8 : 0;
      const count = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
      unpacked.repeat(high + readNumber(bytes, at, size), count);
      at += size;
    }
  }
  const result = unpacked.finish();
  if (result.length !== wanted) throw damaged('it has another length than it says');
  return result;
}

function readNumber(bytes: Buffer, at: number, size: number): number {
  if (at + size > bytes.length) throw damaged('it ends too early');
  return bytes.readUIntLE(at, size);
}

function readVarint(bytes: Buffer): [value: number, next: number] {
  let value = 0;
  for (let at = 0; at < 5 && at < bytes.length; at += 1) {
    const byte = bytes.readUInt8(at);
    value += (byte & 127) * 128 ** at;
    if (byte < 128) return [value, at + 1];
  }
  throw damaged('it does not begin with a length');
}
