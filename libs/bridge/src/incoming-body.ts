import { windowBytes } from './limits.js';

/** Chunks that wait one by one, and the size of those that are put together from small ones. */
const [maxSmallChunks, blockBytes] = [16, 16_384];

/**
 * The body that the peer sends. It holds at most a window of bytes: the peer may send more when its reader has taken some. It is read
 * once, and by one reader.
 */
export class IncomingBody implements AsyncIterableIterator<Uint8Array> {
  private readonly chunks: Uint8Array[] = [];
  /** The last of the chunks while it takes more bytes. */
  private block: Buffer | undefined;
  private allowed = windowBytes;
  private taken = 0;
  private unread = 0;
  private state: 'open' | 'complete' | 'left' | { error: Error } = 'open';
  private wake: (() => void) | undefined;

  /**
   * @param grant lets the peer send more bytes
   * @param leave called when the reader stops before the end
   * @param hold called with the bytes that wait for the reader in addition, or no longer
   */
  constructor(
    private readonly grant: (bytes: number) => void,
    private readonly leave: () => void,
    private readonly hold: (bytes: number) => void,
  ) {}

  /** @returns false if the peer has sent more than it may */
  push(chunk: Uint8Array): boolean {
    this.allowed -= chunk.length;
    if (this.allowed < 0) return false;
    if (this.state !== 'open') return true;
    this.keep(chunk);
    this.count(chunk.length);
    this.wake?.();
    return true;
  }

  /** A chunk costs some hundred bytes beside its own: of many that wait, those behind the first few are put together. */
  private keep(chunk: Uint8Array): void {
    const { chunks, block } = this;
    if (chunks.length < maxSmallChunks || chunk.length > blockBytes / 4) {
      chunks.push(chunk);
      this.block = undefined;
    } else if (block === undefined || block.length + chunk.length > blockBytes) {
      const bytes = Buffer.allocUnsafeSlow(blockBytes);
      bytes.set(chunk);
      this.block = bytes.subarray(0, chunk.length);
      chunks.push(this.block);
    } else {
      const longer = Buffer.from(block.buffer, 0, block.length + chunk.length);
      longer.set(chunk, block.length);
      this.block = chunks[chunks.length - 1] = longer;
    }
  }

  complete(): void {
    this.settle('complete');
  }

  /** Drops what waits: the reader would get a part of a body, and may never ask for it. */
  fail(error: Error): void {
    if (this.state === 'open') this.drop();
    this.settle({ error });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk !== undefined) {
        this.count(-chunk.length);
        this.take(chunk.length);
        return { done: false, value: chunk };
      }
      if (typeof this.state === 'object') throw this.state.error;
      if (this.state !== 'open') return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.drop();
    if (this.state === 'open') {
      this.settle('left');
      this.leave();
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  private drop(): void {
    this.chunks.length = 0;
    this.block = undefined;
    this.count(-this.unread);
  }

  private count(bytes: number): void {
    this.unread += bytes;
    this.hold(bytes);
  }

  private settle(state: typeof this.state): void {
    if (this.state === 'open') this.state = state;
    this.wake?.();
  }

  private take(bytes: number): void {
    this.taken += bytes;
    if (this.state !== 'open' || this.taken < windowBytes / 2) return;
    this.allowed += this.taken;
    this.grant(this.taken);
    this.taken = 0;
  }
}
