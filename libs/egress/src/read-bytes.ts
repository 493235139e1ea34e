import type { Readable } from 'node:stream';

/** A response that is larger than its limit. */
export class ResponseTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`the response has more than ${limit} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/**
 * Reads a body up to a limit.
 * @param cut ignores the rest of a longer body instead of failing
 * @param take called with the size of each part before it is kept; what it throws ends the reading
 * @throws ResponseTooLarge, and what `take` throws
 */
export function readBytes(
  body: Readable,
  limit: number,
  cut = false,
  take: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  // By events: an asynchronous iterator costs a call of a provider several microseconds.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size <= limit) {
          take(chunk.length);
          return void chunks.push(chunk);
        }
        if (cut) end();
        else reject(new ResponseTooLarge(limit));
      } catch (error) {
        reject(error);
      }
      body.destroy();
    });
    body.on('end', end);
    body.on('error', reject);
    body.on('close', () => reject(new Error('the response ended early'))); // After `end` it changes nothing.
  });
}
