/** Observer of a stream. */
export interface Watcher {
  /** Called for each chunk that was read. */
  passed?: (bytes: number) => void;
  /** Called once at the end, with the error of the stream, or `left` when its reader stopped early. */
  ended: (how: 'complete' | 'left' | { error: unknown }) => void;
}

/**
 * Forwards a stream and reports how it ends. Unlike with a generator, its source is also released when the reader stops before the first
 * chunk, which is always so for HEAD.
 */
export function observeStream(
  body: AsyncIterable<Uint8Array>,
  { passed, ended }: Watcher,
): AsyncIterableIterator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  let over = false;
  const end = (how: Parameters<Watcher['ended']>[0]) => {
    if (!over) ended(how);
    over = true;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        const result = await source.next();
        if (result.done === true) end('complete');
        else passed?.(result.value.length);
        return result;
      } catch (error) {
        end({ error });
        throw error;
      }
    },
    async return() {
      end('left');
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}
