/** A part of a file that is sent in parts. */
export interface FilePart {
  bytes: Uint8Array;
  isLast: boolean;
}

/**
 * Reads a file in parts; an empty file is one empty part. All parts share one buffer, so a part has to be sent before the next one is read.
 * @param bytesOf returns the size of a part, counted from 1
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  bytesOf: (part: number) => number,
): AsyncGenerator<FilePart, void> {
  let count = 1;
  let buffer = Buffer.allocUnsafeSlow(bytesOf(count));
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      if (filled === buffer.length) {
        yield { bytes: buffer, isLast: false };
        count += 1;
        filled = 0;
        const bytes = bytesOf(count);
        if (bytes !== buffer.length) buffer = Buffer.allocUnsafeSlow(bytes);
      }
      const taken = chunk.subarray(at, at + buffer.length - filled);
      buffer.set(taken, filled);
      filled += taken.length;
      at += taken.length;
    }
  }
  yield { bytes: buffer.subarray(0, filled), isLast: true };
}
