import type { Readable } from 'node:stream';
import { parseJson, type Value } from '@onefold/mapping';
import type { ResponseKind } from './provider-request.js';

/** A response that is larger than its limit. */
export class ResponseTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`the response has more than ${limit} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/** A response that cannot be read as the expected kind. */
export class MalformedResponse extends Error {
  constructor(
    message: string,
    readonly text: string,
  ) {
    super(message);
    this.name = 'MalformedResponse';
  }
}

/**
 * Reads a body up to a limit.
 * @param cut ignores the rest of a longer body instead of failing
 * @throws ResponseTooLarge
 */
export function readBytes(body: Readable, limit: number, cut = false): Promise<Buffer> {
  // By events: an asynchronous iterator costs a call of a provider several microseconds.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      if (cut) end();
      else reject(new ResponseTooLarge(limit));
      body.destroy();
    });
    body.on('end', end);
    body.on('error', reject);
    body.on('close', () => reject(new Error('the response ended early'))); // After `end` it changes nothing.
  });
}

/** Parses a response body. @throws MalformedResponse */
export function parseBody(
  bytes: Buffer,
  kind: ResponseKind,
  type: string,
): { body: Value; text: string } {
  switch (kind) {
    case 'none':
      return { body: null, text: bytes.toString('utf8') };
    case 'binary':
      return {
        body: { content: new Uint8Array(bytes), type: type || 'application/octet-stream' },
        text: `${bytes.length} bytes of ${type || 'application/octet-stream'}`,
      };
    case 'text': {
      const text = bytes.toString('utf8');
      return { body: text, text };
    }
    case 'ndjson': {
      const text = bytes.toString('utf8');
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return { body: lines.map((line) => json(line)), text };
    }
    case 'stream':
    case 'json': {
      const text = bytes.toString('utf8');
      return { body: text.trim() === '' ? null : json(text), text };
    }
  }
}

/** Parses the body of an error: as JSON if it is valid JSON, else as text. */
export function parseError(bytes: Buffer): { body: Value; text: string } {
  const text = bytes.toString('utf8');
  try {
    return { body: parseJson(text), text };
  } catch {
    return { body: text, text };
  }
}

function json(text: string): Value {
  try {
    return parseJson(text);
  } catch {
    throw new MalformedResponse('the response is not valid JSON', text);
  }
}
