import type { Run } from '../../language/run.js';
import { xxhash32 } from './checksums.js';
import { damaged, matches, Packed, Unpacked } from './lz.js';

const magic = 0x184d2204;
const version = 0x40;
/** Flags of a frame: blocks that stand alone, their checksums, the length and checksum of all, a dictionary. */
const [alone, blockSums, hasLength, hasSum, hasDictionary] = [0x20, 0x10, 0x08, 0x04, 0x01];
/** Blocks of up to four megabytes. */
const [largestBlock, largestBlockCode] = [4_194_304, 0x70];
const plainBlock = 0x80000000;

/** A frame of LZ4 with blocks that stand alone. */
export function compressLz4(bytes: Buffer): Buffer {
  const packed = new Packed(64 + bytes.length + Math.ceil(bytes.length / 1_000));
  packed.number(magic, 4);
  const head = Buffer.of(version | alone, largestBlockCode);
  packed.slice(head, 0, 2);
  packed.number((xxhash32(head) >>> 8) & 255, 1);
  for (let at = 0; at < bytes.length; at += largestBlock) {
    const plain = bytes.subarray(at, at + largestBlock);
    const block = compressBlock(plain);
    const [length, best] =
      block.length < plain.length ? [block.length, block] : [plain.length + plainBlock, plain];
    packed.number(length, 4);
    packed.slice(best, 0, best.length);
  }
  packed.number(0, 4);
  return packed.finish();
}

function compressBlock(bytes: Buffer): Buffer {
  const packed = new Packed(16 + bytes.length + Math.ceil(bytes.length / 255));
  let done = 0;
  for (const { at, offset, length } of matches(bytes)) {
    const [literals, repeats] = [at - done, length - 4];
    packed.number((Math.min(literals, 15) << 4) | Math.min(repeats, 15), 1);
    more(packed, literals);
    packed.slice(bytes, done, at);
    packed.number(offset, 2);
    more(packed, repeats);
    done = at + length;
  }
  const rest = bytes.length - done;
  packed.number(Math.min(rest, 15) << 4, 1);
  more(packed, rest);
  packed.slice(bytes, done, bytes.length);
  return packed.finish();
}

/** The part of a length that does not fit into its four bits. */
function more(packed: Packed, length: number): void {
  if (length < 15) return;
  let left = length - 15;
  for (; left >= 255; left -= 255) packed.number(255, 1);
  packed.number(left, 1);
}

/** @throws RunError, LimitError */
export function decompressLz4(bytes: Buffer, run: Run): Buffer {
  const reader = new Reader(bytes);
  if (reader.number(4) !== magic) throw damaged('it is not a frame of LZ4');
  const begin = reader.at;
  const flags = reader.number(1);
  reader.number(1);
  if ((flags & 0xc0) !== version || flags & hasDictionary)
    throw damaged('it is a frame of another version or needs a dictionary');
  if (flags & hasLength) reader.skip(8);
  const sum = (xxhash32(bytes.subarray(begin, reader.at)) >>> 8) & 255;
  if (reader.number(1) !== sum) throw damaged('its head was changed');
  const unpacked = new Unpacked(run);
  for (let length = reader.number(4); length !== 0; length = reader.number(4)) {
    const block = reader.take(length % plainBlock);
    if (flags & blockSums && reader.number(4) !== xxhash32(block))
      throw damaged('a block was changed');
    if (length >= plainBlock) unpacked.literal(block, 0, block.length);
    else decompressBlock(new Reader(block), unpacked);
  }
  const result = unpacked.finish();
  if (flags & hasSum && reader.number(4) !== xxhash32(result)) throw damaged('it was changed');
  return result;
}

function decompressBlock(reader: Reader, unpacked: Unpacked): void {
  for (;;) {
    const token = reader.number(1);
    const literal = reader.take(reader.length(token >> 4));
    unpacked.literal(literal, 0, literal.length);
    if (reader.done) return;
    const offset = reader.number(2);
    unpacked.repeat(offset, reader.length(token & 15) + 4);
  }
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  number(size: number): number {
    return this.take(size).readUIntLE(0, size);
  }

  /** A length, which goes on in further bytes when its four bits are full. */
  length(bits: number): number {
    let length = bits;
    if (bits === 15) for (let byte = 255; byte === 255; length += byte) byte = this.number(1);
    return length;
  }

  skip(count: number): void {
    this.take(count);
  }

  take(count: number): Buffer {
    if (this.at + count > this.bytes.length) throw damaged('it ends too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}
