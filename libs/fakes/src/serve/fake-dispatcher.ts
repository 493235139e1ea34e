import { type Dispatcher, errors } from 'undici';
import { readDispatch, type Responder, RespondingDispatcher } from '#egress';
import type { FakeEngine } from '../engine/fake-engine.js';
import type { FakeResponse } from '../engine/messages.js';
import { readBytes } from '../engine/read-bytes.js';

const defaultHeadersTimeoutMs = 300_000;

/** Lets an HTTP client of undici call a fake in the same process, in place of connections. */
export class FakeDispatcher extends RespondingDispatcher {
  constructor(
    private readonly engine: Pick<FakeEngine, 'handle'> & Partial<Pick<FakeEngine, 'takesFile'>>,
  ) {
    super();
  }

  protected override async respond(
    options: Dispatcher.DispatchOptions,
    responder: Responder,
  ): Promise<void> {
    const dispatched = await readDispatch(options);
    const request = { ...dispatched, body: dispatched.body ?? new Uint8Array() };
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
  const size = file === undefined ? body.length : file.size;
  responder.head(status, {
    ...headers,
    ...(size !== undefined && { 'content-length': String(size) }),
  });
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
