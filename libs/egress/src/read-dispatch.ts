import { type Dispatcher, FormData, Response } from 'undici';

type Body = Dispatcher.DispatchOptions['body'] | FormData | AsyncIterable<Uint8Array>;

/** A request that a client of undici sends, in one form. */
export interface DispatchedRequest {
  method: string;
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** Reads what a client of undici gives to its dispatcher. */
export async function readDispatch(
  options: Dispatcher.DispatchOptions,
): Promise<DispatchedRequest> {
  const headers = headersOf(options.headers);
  const { body, type } = await bodyOf(options.body);
  if (type !== undefined) headers['content-type'] ??= type;
  return {
    method: options.method,
    url: new URL(options.path, options.origin).href,
    headers,
    body,
  };
}

async function bodyOf(
  body: Body,
): Promise<{ body: Uint8Array | AsyncIterable<Uint8Array> | undefined; type?: string }> {
  if (body === null || body === undefined) return { body: undefined };
  if (typeof body === 'string') return { body: Buffer.from(body) };
  if (body instanceof Uint8Array) return { body };
  if (body instanceof FormData) {
    // That of undici: Node's own knows only forms of the undici inside Node, and reads this one as text.
    const response = new Response(body);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { body: bytes, type: response.headers.get('content-type') ?? '' };
  }
  return { body: body as AsyncIterable<Uint8Array> };
}

/** Headers as undici takes them: an object, pairs, or names and values in turn. */
function headersOf(given: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  const add = (name: string, value: string | string[] | undefined) => {
    if (value !== undefined) headers[name.toLowerCase()] = [value].flat().join(', ');
  };
  if (Array.isArray(given) && typeof given[0] === 'string')
    for (let at = 0; at < given.length; at += 2) add(given[at] as string, given[at + 1]);
  else if (given !== null && given !== undefined && Symbol.iterator in given)
    for (const [name, value] of given as Iterable<[string, string]>) add(name, value);
  else for (const [name, value] of Object.entries(given ?? {})) add(name, value);
  return headers;
}
