import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { badRequest, type Operation } from '#contract';
import type { Exchange } from '../exchange.js';
import { defaultRows, ownArguments } from './tools.js';

/** The arguments of a tool call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A request to an operation's path, as a program would send it. */
export interface OperationRequest {
  exchange: Exchange;
  path: Record<string, string>;
}

/**
 * Makes the request of an operation from the arguments of its tool. It is part of the exchange with the client, which cancels it by leaving.
 * @throws ApiError 400
 */
export async function operationExchange(
  outer: Exchange,
  operation: Operation,
  given: Arguments,
): Promise<OperationRequest> {
  const path = pathOf(operation, given);
  const { bytes, type } = await bodyOf(operation, given);
  const request = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), {
    headers: headersOf(outer, given, type, bytes.length),
    complete: true,
  }) as unknown as IncomingMessage;
  const { response, address, headers, whose } = outer;
  return {
    path,
    exchange: {
      request,
      response,
      requestId: randomUUID(),
      address,
      method: operation.method,
      pathname: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(path[name] ?? '')),
      search: searchOf(operation, given).toString(),
      headers,
      ...(whose === undefined ? {} : { whose }),
    },
  };
}

/** A path may have slashes where it names a file. */
function encode(value: string): string {
  return value.split('/').map(encodeURIComponent).join('/');
}

/** @throws ApiError 400 */
function pathOf({ path, folder, multiSegment }: Operation, given: Arguments) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return Object.fromEntries(
    names.map((name) => {
      const value = given[name] ?? '';
      const isEmpty = value === '' && !(folder && name === multiSegment);
      if (typeof value !== 'string' || isEmpty)
        throw badRequest({
          location: 'path',
          pointer: name,
          message: isEmpty ? 'is required' : 'must be a text',
          remediation: 'Take it from the list of the records that it names one of.',
        });
      return [name, value];
    }),
  );
}

function searchOf({ query }: Operation, given: Arguments): URLSearchParams {
  const search = new URLSearchParams();
  const withDefaults = 'limit' in query ? { limit: defaultRows, ...given } : given;
  for (const [name, value] of Object.entries(withDefaults)) {
    if (!(name in query) || value === null || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value])
      search.append(name, typeof one === 'string' ? one : JSON.stringify(one));
  }
  return search;
}

function headersOf(
  { request: { headers } }: Exchange,
  given: Arguments,
  type: string | undefined,
  length: number,
): IncomingMessage['headers'] {
  const key = given[ownArguments.key];
  const { traceparent, 'user-agent': agent } = headers;
  return {
    ...(agent === undefined ? {} : { 'user-agent': agent }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(type === undefined ? {} : { 'content-type': type, 'content-length': String(length) }),
    ...(key === undefined ? {} : { 'idempotency-key': key as string }), // its form is checked where it is read
  };
}

interface Body {
  bytes: Uint8Array;
  type?: string;
}

/** @throws ApiError 400 */
async function bodyOf({ request, limits }: Operation, given: Arguments): Promise<Body> {
  if (request === 'multipart') return await fileOf(given[ownArguments.file]);
  const body = given[ownArguments.body];
  if (limits === null || body === undefined) return { bytes: Buffer.alloc(0) };
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

/** @throws ApiError 400 */
async function fileOf(given: unknown): Promise<Body> {
  const { name, content_type: type = 'text/plain', text, base64 } = { ...(given as Arguments) };
  const content = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : text;
  if (typeof name !== 'string' || (typeof content !== 'string' && !Buffer.isBuffer(content)))
    throw badRequest({
      location: 'body',
      pointer: `/${ownArguments.file}`,
      message: 'must have a name, and text or base64',
      remediation: 'Write {"name": "notes.txt", "text": "…"}.',
    });
  const form = new FormData();
  form.set('file', new Blob([content], { type: String(type) }), name);
  const encoded = new Response(form);
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? '',
  };
}
