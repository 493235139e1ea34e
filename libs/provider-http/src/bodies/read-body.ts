import { parseJson, type Value } from '@onefold/mapping';
import {
  decodedContent,
  decodeText,
  isGzip,
  readBytes,
  ResponseTooLarge,
  UnknownCoding,
} from '#egress';
import { type MemoryLease, ResponseMemoryExhausted } from '../limits/response-memory.js';
import type { ResponseKind } from '../provider-request.js';

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
 * Decompresses a body, within its limit. A text that is gzip is decompressed without a header too, as files of a store are.
 * @param cuts ignores the rest of a longer body instead of failing
 * @param memory counts the bytes of the content
 * @throws ResponseTooLarge, ResponseMemoryExhausted, MalformedResponse
 */
export async function decompress(
  bytes: Buffer,
  coding: string | undefined,
  kind: ResponseKind,
  { maxBytes, cuts }: { maxBytes: number; cuts: boolean },
  memory: MemoryLease,
): Promise<Buffer> {
  const isText = kind !== 'binary' && kind !== 'stream';
  const header = coding ?? (isText && isGzip(bytes) ? 'gzip' : '');
  if (header === '') return bytes;
  try {
    const content = decodedContent(bytes, header);
    if (content === undefined) return bytes;
    return await readBytes(content, maxBytes, cuts, (count) => memory.take(count));
  } catch (error) {
    if (error instanceof ResponseTooLarge || error instanceof ResponseMemoryExhausted) throw error;
    const words = `${bytes.length} bytes of ${header}`;
    if (cuts) return Buffer.from(`[${words}]`); // an error page, of which the status is known
    const why =
      error instanceof UnknownCoding ? error.message : 'the response cannot be decompressed';
    throw new MalformedResponse(why, words);
  }
}

/** Parses a response body. @throws MalformedResponse */
export function parseBody(
  bytes: Buffer,
  kind: ResponseKind,
  type: string,
): { body: Value; text: string } {
  if (kind === 'binary')
    return {
      body: { content: new Uint8Array(bytes), type: type || 'application/octet-stream' },
      text: `${bytes.length} bytes of ${type || 'application/octet-stream'}`,
    };
  const text = decodeText(bytes, type);
  switch (kind) {
    case 'none':
      return { body: null, text };
    case 'text':
      return { body: text, text };
    case 'ndjson': {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return { body: lines.map((line) => json(line)), text };
    }
    case 'stream':
    case 'json':
      return { body: text.trim() === '' ? null : json(text), text };
  }
}

/** Parses the body of an error: as JSON if it is valid JSON, else as text. */
export function parseError(bytes: Buffer, type: string): { body: Value; text: string } {
  const text = decodeText(bytes, type);
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
