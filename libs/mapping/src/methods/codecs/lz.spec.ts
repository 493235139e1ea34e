import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileTemplate, LimitError } from '../../index.js';
import { xxhash32 } from './checksums.js';

const algorithms = ['flate', 'gzip', 'lz4', 'pgzip', 'snappy', 'zlib'] as const;
const call = (method: string, algorithm: string, bytes: Uint8Array, limits = {}) =>
  compileTemplate(`root = this.${method}("${algorithm}")`).run(Buffer.from(bytes), { limits })
    .root as Buffer;

/** Bytes that repeat in the ways that texts do. */
const repeating = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 30 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 12,
  })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([bytes, times]) => Array(times).fill(bytes) as Uint8Array[])),
  );

describe.each(algorithms)('%s', (algorithm) => {
  it('gives back what it was given', () => {
    fc.assert(
      fc.property(repeating, (bytes) => {
        const packed = call('compress', algorithm, bytes);
        expect(call('decompress', algorithm, packed).equals(bytes)).toBe(true);
      }),
    );
  });

  it('makes long texts short, and takes them by blocks', () => {
    const long = Buffer.from('all work and no play makes jack a dull boy. '.repeat(120_000));
    const packed = call('compress', algorithm, long);
    expect(packed.length).toBeLessThan(long.length / 15);
    expect(call('decompress', algorithm, packed).equals(long)).toBe(true);
  });

  it('does not make noise much longer', () => {
    const noise = Buffer.from(
      Array.from({ length: 100_000 }, (_one, index) => (index * index * 7919) >> 5),
    );
    expect(call('compress', algorithm, noise).length).toBeLessThan(100_500);
  });

  it('ends a bomb at the longest text, which templates cannot catch', () => {
    const bomb = call('compress', algorithm, Buffer.alloc(1_000_000));
    expect(() => call('decompress', algorithm, bomb, { stringLength: 10_000 })).toThrow(LimitError);
  });

  it('refuses what is damaged, whatever it is', () => {
    const packed = call(
      'compress',
      algorithm,
      Buffer.from('abcabcabcabcabcabcabcabcabcabc'.repeat(9)),
    );
    const template = compileTemplate(
      `root = this.decompress("${algorithm}").catch("damaged").bytes()`,
    );
    fc.assert(
      fc.property(
        fc.nat(packed.length - 1),
        fc.nat(255),
        fc.nat(packed.length),
        (at, byte, end) => {
          const changed = Buffer.from(packed);
          changed[at] = byte;
          expect(template.run(changed.subarray(0, end)).root).toBeInstanceOf(Uint8Array);
        },
      ),
    );
  });
});

describe('xxhash32', () => {
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('of %j is as its authors have it', (text, sum) => {
    expect(xxhash32(Buffer.from(text))).toBe(sum);
  });
});

describe('xxhash64', () => {
  const template = compileTemplate('root = this.hash("xxhash64").string()');

  it.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['asdf', 0x415872f599cea71en],
    ['Call me Ishmael. Some years ago--never mind how long precisely-', 0x02a2e85470d6fd96n],
  ])('of %j is as its authors have it', (text, sum) => {
    expect(template.run(text).root).toBe(String(sum));
  });
});

describe('frames and blocks of others', () => {
  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
  const frameOf = (head: string, ...rest: Buffer[]) => {
    const sum = (xxhash32(hex(head)) >>> 8) & 255;
    return Buffer.concat([hex('04224d18'), hex(head), Buffer.of(sum), ...rest]);
  };

  it('are read: lz4 with its length, and a checksum of each block', () => {
    const hello = Buffer.from('hello');
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(xxhash32(hello));
    const blocks = (checksum: Buffer) =>
      frameOf('78 40 0500000000000000', hex('05000080'), hello, checksum, hex('00000000'));
    expect(call('decompress', 'lz4', blocks(sum)).toString()).toBe('hello');
    expect(() => call('decompress', 'lz4', blocks(Buffer.alloc(4)))).toThrow('a block was changed');
  });

  it('long runs of bytes that do not repeat are written with every size of count', () => {
    const noise = createHash('shake256', { outputLength: 200_000 }).update('noise').digest();
    for (const length of [1, 59, 60, 61, 255, 256, 257, 65_535, 65_536, 65_537, 200_000])
      for (const algorithm of ['lz4', 'snappy']) {
        const bytes = noise.subarray(0, length);
        const packed = call('compress', algorithm, bytes);
        expect(call('decompress', algorithm, packed).equals(bytes)).toBe(true);
      }
  });

  it('are read: lz4 with checksums and lengths', () => {
    // printf hello | lz4 -c, and with --content-size
    const frame = hex(
      '04224d18 6440a7 05000080 68656c6c6f 00000000 6cfe6c66'.replace('6cfe6c66', ''),
    );
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(xxhash32(Buffer.from('hello')));
    expect(call('decompress', 'lz4', Buffer.concat([frame, sum])).toString()).toBe('hello');
    expect(() => call('decompress', 'lz4', Buffer.concat([frame, Buffer.alloc(4)]))).toThrow(
      'it was changed',
    );
  });

  it('are read: snappy with every kind of copy', () => {
    expect(call('decompress', 'snappy', hex('0c 08616263 15 03')).toString()).toBe('abcabcabcabc');
    expect(call('decompress', 'snappy', hex('09 08616263 16 0300')).toString()).toBe('abcabcabc');
    expect(call('decompress', 'snappy', hex('09 08616263 17 03000000')).toString()).toBe(
      'abcabcabc',
    );
  });

  it.each([
    ['lz4', '00', 'it ends too early'],
    ['lz4', '00000000', 'it is not a frame of LZ4'],
    ['lz4', '04224d18 2070 00', 'another version'],
    ['lz4', '04224d18 6070 00', 'its head was changed'],
    ['snappy', '', 'it does not begin with a length'],
    ['snappy', 'ffffffffff', 'it does not begin with a length'],
    ['snappy', '05 00', 'it ends too early'],
    ['snappy', '05 0061', 'another length than it says'],
    ['snappy', '05 0061 0502', 'it repeats what is not there'],
    ['snappy', '05 0061 06', 'it ends too early'],
  ])('%s %s is refused: %s', (algorithm, text, message) => {
    expect(() => call('decompress', algorithm, hex(text))).toThrow(message);
  });

  it('cannot promise more than a text may have', () => {
    expect(() => call('decompress', 'snappy', hex('ffffffff0f'))).toThrow(LimitError);
  });
});
