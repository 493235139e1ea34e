import type { IncomingMessage } from 'node:http';
import {
  ApiError,
  badRequest,
  type BodyLimits,
  isForm,
  type JsonFault,
  type Operation,
  payloadOf,
  readForm,
  scanJson,
} from '#contract';
import type { BodyLease } from './body-budget.js';
import { readBytes } from './read-bytes.js';

const strict = new TextDecoder('utf-8', { fatal: true });
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** A request body: its bytes and the parsed value. */
export interface ReadBody {
  bytes: Uint8Array;
  value: unknown;
}

/**
 * Reads and parses a JSON body within the limits of its operation. A message of a provider may be a form, too.
 * @throws ApiError 400, 408, 413, 415 or 503
 */
export async function readBody(
  request: IncomingMessage,
  {
    bodyRequired,
    limits,
    tokenInQuery: isMessage,
  }: Pick<Operation, 'bodyRequired' | 'tokenInQuery'> & { limits: BodyLimits },
  maxBodyBytes: number,
  lease: BodyLease,
): Promise<ReadBody | undefined> {
  const isCut = maxBodyBytes < limits.maxBytes;
  const remedy = `Send less in one request${isCut ? '; the operator can raise MAX_BODY_BYTES' : ''}.`;
  const maxBytes = Math.min(limits.maxBytes, maxBodyBytes);
  const bytes = withoutMark(await readBytes(request, maxBytes, lease, remedy));
  if (bytes.length === 0) {
    if (!bodyRequired) return undefined;
    throw badRequest({
      location: 'body',
      pointer: '',
      message: 'is required',
      remediation: 'Send a JSON body with content-type: application/json.',
    });
  }
  if (isMessage && isForm(request.headers['content-type'])) {
    checkEncoding(request);
    return { bytes, value: parseForm(bytes, limits) };
  }
  checkType(request);
  checkEncoding(request);
  return { bytes, value: parseJson(bytes, limits) };
}

/** @throws ApiError 400 */
function parseForm(bytes: Buffer, limits: BodyLimits): unknown {
  const text = bytes.toString();
  const fields = text.split('&', limits.maxValues + 1).length;
  if (fields > limits.maxValues)
    throw at('', `has more than ${limits.maxValues} fields`, 'Send fewer fields in one request.');
  const form = readForm(text);
  const payload = payloadOf(form);
  return payload === undefined ? form : parseJson(Buffer.from(payload), limits);
}

/** @throws ApiError 415 */
function checkType({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json'))
    throw new ApiError(415, `the content type ${type ?? '(none)'} is not supported`, {
      remediation: 'Send content-type: application/json.',
    });
}

/** @throws ApiError 415 */
function checkEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== 'identity')
    throw new ApiError(415, `the content encoding ${encoding.slice(0, 100)} is not supported`, {
      remediation: 'Send the body uncompressed.',
    });
}

/** Byte order mark, which some editors and libraries put before JSON and the services do not expect. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes;
}

/** Parses JSON after checking that it is within the limits. @throws ApiError 400 */
export function parseJson(bytes: Buffer, limits: BodyLimits): unknown {
  const fault = scanJson(bytes, limits);
  if (fault !== undefined) throw refusal(fault, bytes);
  try {
    return JSON.parse(strict.decode(bytes)) as unknown;
  } catch (cause) {
    throw malformed('the body is not UTF-8', cause); // the scan has found all other errors
  }
}

function refusal({ kind, offset, pointer, message }: JsonFault, bytes: Buffer): ApiError {
  switch (kind) {
    case 'syntax':
      return malformed(`the body is not JSON: ${message} at ${placeOf(bytes, offset)}`);
    case 'text':
      return at(pointer, message, 'Remove the character; send binary content as base64.');
    case 'values':
      return at(pointer, message, 'Send fewer fields and items in one request.');
    case 'depth':
      return at(pointer, message, 'Send objects and arrays that are nested less deeply.');
  }
}

function at(pointer: string, message: string, remediation: string): ApiError {
  return badRequest({ location: 'body', pointer, message, remediation });
}

/** The bytes before the place are decoded once: as many as the operation takes at most. */
function placeOf(bytes: Buffer, offset: number): string {
  const before = bytes.toString('utf8', 0, offset);
  let line = 1;
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', end + 1)) line += 1;
  const column = before.length - before.lastIndexOf('\n');
  return `line ${line}, column ${column} (character ${before.length + 1})`;
}

function malformed(message: string, cause?: unknown): ApiError {
  return new ApiError(400, message, {
    remediation: 'Send well-formed JSON in UTF-8.',
    context: { parameter: { id: '', location: 'body' } },
    cause,
  });
}
