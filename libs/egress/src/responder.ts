import { STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';

/** Gives a response to a handler of undici, of its present interface or of the one before. */
export class Responder {
  private reason: Error | null = null;
  private isOver = false;
  private cancelWait: (() => void) | undefined;
  /** Called when the client gives up. */
  onAbort: (reason: Error) => void = () => undefined;
  /** Set while the client takes no more data. */
  private whenResumed: { promise: Promise<void>; resolve: () => void } | undefined;
  private readonly controller: Dispatcher.DispatchController;

  constructor(private readonly handler: Dispatcher.DispatchHandler) {
    const reason = () => this.reason;
    const isPaused = () => this.whenResumed !== undefined;
    this.controller = {
      get aborted() {
        return reason() !== null;
      },
      get paused() {
        return isPaused();
      },
      get reason() {
        return reason();
      },
      abort: (error) => this.abort(error),
      pause: () => this.pause(),
      resume: () => this.resume(),
    };
  }

  get isAborted(): boolean {
    return this.reason !== null;
  }

  start(): void {
    if (this.handler.onRequestStart) this.handler.onRequestStart(this.controller, {});
    else this.handler.onConnect?.((reason) => this.abort(reason));
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.isOver) return;
    const text = STATUS_CODES[status] ?? '';
    if (this.handler.onResponseStart) {
      this.handler.onResponseStart(this.controller, status, headers, text);
      return;
    }
    const raw = Object.entries(headers).flatMap((pair) => pair.map((one) => Buffer.from(one)));
    this.handler.onHeaders?.(status, raw, () => this.resume(), text);
  }

  data(bytes: Uint8Array): void {
    if (this.isOver) return;
    const chunk = Buffer.from(bytes);
    if (this.handler.onResponseData) this.handler.onResponseData(this.controller, chunk);
    else if (this.handler.onData?.(chunk) === false) this.pause();
  }

  /** Waits until the client takes more data. @returns false when it gave up meanwhile */
  async ready(): Promise<boolean> {
    await this.whenResumed?.promise;
    return !this.isOver;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.handler.onResponseEnd) this.handler.onResponseEnd(this.controller, {});
    else this.handler.onComplete?.([]);
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.handler.onResponseError) this.handler.onResponseError(this.controller, error);
    else this.handler.onError?.(error);
  }

  /** Waits. @returns false when the client gave up meanwhile */
  async wait(milliseconds: number): Promise<boolean> {
    if (this.isOver) return false;
    await new Promise<void>((resolve) => {
      const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined;
      timer?.unref();
      this.cancelWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return !this.isOver;
  }

  private pause(): void {
    if (this.whenResumed !== undefined) return;
    let resolve = () => {};
    const promise = new Promise<void>((done) => (resolve = done));
    this.whenResumed = { promise, resolve };
  }

  private resume(): void {
    this.whenResumed?.resolve();
    this.whenResumed = undefined;
  }

  private abort(reason = new Error('the request was aborted')): void {
    this.reason = reason;
    this.onAbort(reason);
    this.fail(reason);
    this.cancelWait?.();
    this.resume();
  }
}
