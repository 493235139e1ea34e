import type { Dispatcher } from 'undici';
import { ResponseTooLarge } from '#egress';
import type { MemoryLease } from '../limits/response-memory.js';
import type { IdleTimer } from '../bodies/idle-timer.js';

/** A response with its whole body. */
export interface WholeResponse {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  bytes: Buffer;
}

/** Maximum size of a body. A longer one is cut there, or fails. */
export interface BodyLimit {
  maxBytes: number;
  cuts: boolean;
}

/**
 * Sends a request and collects its response. `request` of undici makes a stream for each response, which costs as much as all
 * else that it does.
 * @param limitOf the limit of a response with this status
 * @param memory counts the bytes of the body
 * @throws ResponseTooLarge, ResponseMemoryExhausted, the reason of the timer, and what undici throws
 */
export function receiveResponse(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  idleTimer: IdleTimer,
  limitOf: (status: number) => BodyLimit,
  memory: MemoryLease,
): Promise<WholeResponse> {
  return new Promise((settle, fail) => {
    const collector = new Collector(limitOf, memory, settle, fail);
    const giveUp = () => collector.giveUp(idleTimer.reason);
    collector.ended = () => idleTimer.off('abort', giveUp);
    idleTimer.once('abort', giveUp);
    if (idleTimer.aborted) giveUp();
    dispatcher.dispatch(options, collector);
  });
}

class Collector implements Dispatcher.DispatchHandler {
  ended: () => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private givenUp: Error | undefined;
  private status = 0;
  private headers: WholeResponse['headers'] = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly limitOf: (status: number) => BodyLimit,
    private readonly memory: MemoryLease,
    private readonly settle: (response: WholeResponse) => void,
    private readonly fail: (reason: unknown) => void,
  ) {}

  /** Ends the request, also one that waits for a connection. */
  giveUp(reason = new Error('the request was given up')): void {
    this.givenUp = reason;
    this.fail(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.givenUp !== undefined) controller.abort(this.givenUp);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: WholeResponse['headers'],
  ): void {
    this.status = status; // That of an interim response, such as 103, is replaced by the final one.
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    const { maxBytes, cuts } = this.limitOf(this.status);
    if (this.size <= maxBytes) return this.keep(controller, chunk);
    const tooLarge = new ResponseTooLarge(maxBytes);
    if (cuts) this.finish();
    else this.fail(tooLarge);
    controller.abort(tooLarge);
  }

  private keep(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    try {
      this.memory.take(chunk.length);
      this.chunks.push(chunk);
    } catch (error) {
      this.fail(error);
      controller.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.ended();
    this.fail(error);
  }

  private finish(): void {
    this.ended();
    const { status, headers, chunks } = this;
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    this.settle({ status, headers, bytes });
  }
}
