/** What hears of a stream on its way. */
export interface Watcher {
  /** Each chunk that was read. */
  passed?: (bytes: number) => void;
  /** Once: with the error it broke off with, `left` when its reader went before its end. */
  ended: (how: 'complete' | 'left' | { error: unknown }) => void;
}

/**
 * Passes a stream on and tells how it ends. Other than of a generator, its source is let go of also when the reader leaves before the
 * first chunk: who answers HEAD never reads one.
 */
export function watched(
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
