import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

export const mebibyte = 1_048_576;
/** Bytes of a file that may be under way: a part of it, and what sockets and streams hold. */
export const maxHeldBytes = 12 * mebibyte;

/** Sizes of large files, and why one is skipped. */
export const largeSizes = [
  { name: '200 MB', size: 200_000_000, why: undefined },
  {
    name: '5 GB',
    size: 5_000_000_000,
    why: process.env['LARGE_FILES'] === undefined ? 'LARGE_FILES is not set' : undefined,
  },
].map(({ name, size, why }) => ({
  size,
  isSkipped: why !== undefined,
  name: why === undefined ? name : `${name} (skipped: ${why})`,
}));

/** Makes a file, and notes how much of it was taken and has not arrived. */
export class LargeFile {
  readonly hash = createHash('sha256');
  madeBytes = 0;
  maxHeldBytes = 0;

  /**
   * @param received returns how many bytes have arrived
   * @param breaksAt after so many bytes the client hangs up
   */
  constructor(
    private readonly size: number,
    private readonly received: () => number,
    private readonly breaksAt = Infinity,
  ) {}

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let left = this.size; left > 0;) {
      if (this.madeBytes >= this.breaksAt) throw new Error('the client hung up');
      const chunk = Buffer.alloc(Math.min(left, 65_536), this.madeBytes / 65_536);
      left -= chunk.length;
      this.hash.update(chunk);
      this.madeBytes += chunk.length;
      this.maxHeldBytes = Math.max(this.maxHeldBytes, this.madeBytes - this.received());
      yield await Promise.resolve(chunk);
    }
  }
}

/**
 * Reads a file more slowly than its store sends it: what is not held back would pile up.
 * @param sent returns how many bytes the store has sent
 */
export async function readSlowly(
  content: AsyncIterable<Uint8Array>,
  sent: () => number,
): Promise<{ readBytes: number; maxHeldBytes: number }> {
  let [readBytes, held] = [0, 0];
  for await (const chunk of content) {
    readBytes += chunk.length;
    if (readBytes % 16 === 0) await turn();
    held = Math.max(held, sent() - readBytes);
  }
  return { readBytes, maxHeldBytes: held };
}

/** Characters of keys: all of ASCII but the slash, and some of each further plane. Surrogates and noncharacters are no text. */
export const keyCharacters = [
  ...Array.from({ length: 0x7f }, (_, index) => String.fromCodePoint(index + 1)),
  0x80,
  0xa0,
  0xad,
  0xe9,
  0x301,
  0x3a9,
  0x5d0,
  0x200b,
  0x2028,
  0x202e,
  0x3042,
  0xd7a3,
  0xe000,
  0xfeff,
  0xfffd,
  0x1f600,
  0x20000,
  0xe0041,
  0x10fffd,
]
  .map((one) => (typeof one === 'number' ? String.fromCodePoint(one) : one))
  .filter((one) => one !== '/');
