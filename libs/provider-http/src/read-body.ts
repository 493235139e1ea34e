import type { Readable } from 'node:stream';
import { parseJson, type Value } from '#mapping';
import type { ResponseKind } from './provider-request.js';

/** An answer that is larger than the document allows. */
export class ResponseTooLarge extends Error {
  constructor(readonly limit: number) {
    super(`the answer has more than ${limit} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

/** An answer that is not what the document says. */
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
 * Reads a body, and no byte more than the limit.
 * @param cut the rest of a body that is longer is left unread, instead of refused
 * @throws ResponseTooLarge
 */
export async function readBytes(body: Readable, limit: number, cut = false): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      body.destroy();
      if (cut) break;
      throw new ResponseTooLarge(limit);
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/** The value of an answer. @throws MalformedResponse */
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

/** The body of an error: JSON when it is, else its text. */
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
    throw new MalformedResponse('the answer is no JSON', text);
  }
}
