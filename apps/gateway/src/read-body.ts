import type { IncomingMessage } from 'node:http';
import { type ParseError, parseTree } from 'jsonc-parser';
import { ApiError, badRequest, type Operation } from '#contract';

const readMs = 300_000;
const strict = new TextDecoder('utf-8', { fatal: true });

/** A request body: its bytes, and what they say. */
export interface ReadBody {
  bytes: Uint8Array;
  value: unknown;
}

/** Reads and parses a JSON body within its limit. @throws ApiError 400, 413 or 415 */
export async function readJsonBody(
  request: IncomingMessage,
  operation: Operation,
  limit: number,
): Promise<ReadBody | undefined> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) {
    if (!operation.bodyRequired) return undefined;
    throw badRequest({
      location: 'body',
      pointer: '',
      message: 'is required',
      remediation: 'Send a JSON body with content-type: application/json.',
    });
  }
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json'))
    throw new ApiError(415, `the content type ${type ?? '(none)'} is not taken`, {
      remediation: 'Send content-type: application/json.',
    });
  return { bytes, value: parse(bytes) };
}

/** @throws ApiError 408 or 413 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_settle, fail) => {
    timer = setTimeout(() => fail(tooSlow()), readMs);
  });
  try {
    return await Promise.race([readAll(request, limit), late]);
  } finally {
    clearTimeout(timer);
  }
}

function tooSlow(): ApiError {
  return new ApiError(408, `the body did not arrive within ${readMs / 1_000} s`, {
    remediation: 'Send it without a pause.',
  });
}

async function readAll(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new ApiError(413, `the body is longer than ${limit} bytes`, {
      remediation: 'Send less at a time; the operator can raise MAX_BODY_BYTES.',
    });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch (cause) {
    throw malformed('the body is not UTF-8', cause);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const errors: ParseError[] = [];
    parseTree(text, errors); // slower, but it tells where
    const at = errors[0]?.offset ?? text.length;
    const before = text.slice(0, at).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw malformed(
      `the body is not JSON: unexpected text at ${place} (character ${at + 1})`,
      cause,
    );
  }
}

function malformed(message: string, cause: unknown): ApiError {
  return new ApiError(400, message, {
    remediation: 'Send well-formed JSON in UTF-8.',
    context: { parameter: { id: '', location: 'body' } },
    cause,
  });
}
