import { Dispatcher, errors, FormData } from 'undici';
import type { FakeEngine } from '../engine/fake-engine.js';
import type { FakeRequest, FakeResponse } from '../engine/messages.js';
import { readBytes } from '../engine/read-bytes.js';
import { Responder } from './responder.js';

const defaultHeadersTimeoutMs = 300_000;

type Body = Dispatcher.DispatchOptions['body'] | FormData | AsyncIterable<Uint8Array>;

/** Lets an HTTP client of undici call a fake in the same process, in place of connections. */
export class FakeDispatcher extends Dispatcher {
  constructor(
    private readonly engine: Pick<FakeEngine, 'handle'> & Partial<Pick<FakeEngine, 'takesFile'>>,
  ) {
    super();
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const responder = new Responder(handler);
    responder.start();
    this.respond(options, responder).catch((error: unknown) => responder.fail(error as Error));
    return true;
  }

  override async close(): Promise<void> {
    // No connection is open.
  }

  override async destroy(): Promise<void> {
    // No connection is open.
  }

  private async respond(options: Dispatcher.DispatchOptions, responder: Responder): Promise<void> {
    const request = await requestOf(options);
    const isFile = this.engine.takesFile?.(request.method, new URL(request.url)) ?? false;
    if (!isFile) request.body = await readBytes(request.body);
    if (responder.isAborted) return;
    const response = await this.engine.handle(request);
    const timeoutMs = options.headersTimeout ?? defaultHeadersTimeoutMs;
    const waitMs = response.broken === 'never' ? Infinity : (response.delayMs ?? 0);
    if (timeoutMs > 0 && waitMs >= timeoutMs) {
      if (await responder.wait(timeoutMs)) responder.fail(new errors.HeadersTimeoutError());
      return;
    }
    if (waitMs === 0 || (await responder.wait(waitMs))) await send(response, responder);
  }
}

async function send(response: FakeResponse, responder: Responder): Promise<void> {
  const { status, headers, body, file, broken } = response;
  if (broken === 'reset') {
    responder.fail(new errors.SocketError('other side closed'));
    return;
  }
  responder.head(status, { ...headers, 'content-length': String(file?.size ?? body.length) });
  if (file !== undefined && broken !== 'half') {
    for await (const chunk of file.chunks()) {
      responder.data(chunk);
      if (!(await responder.ready())) return;
    }
    responder.end();
    return;
  }
  if (broken === 'half') {
    responder.data(body.subarray(0, body.length >> 1));
    responder.fail(new errors.SocketError('other side closed'));
    return;
  }
  if (body.length > 0) responder.data(body);
  responder.end();
}

async function requestOf(options: Dispatcher.DispatchOptions): Promise<FakeRequest> {
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
): Promise<{ body: Uint8Array | AsyncIterable<Uint8Array>; type?: string }> {
  if (body === null || body === undefined) return { body: new Uint8Array() };
  if (typeof body === 'string') return { body: Buffer.from(body) };
  if (body instanceof Uint8Array) return { body };
  if (body instanceof FormData) {
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
