import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract';

/** A client that sends nothing, or a service that takes nothing, for this long is gone. */
export const usualSilenceMs = 60_000;

/**
 * The body of a request that brings a file, read no faster than it is asked for. The request stays open when its reader leaves, so that
 * the client can be told why.
 */
export class Upload implements AsyncIterable<Uint8Array> {
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;

  /** @param fail ends the call, with what its client is told */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    private readonly fail: (error: ApiError) => void,
    private readonly silenceMs = usualSilenceMs,
  ) {
    if (Number(request.headers['content-length'] ?? 0) > limit) throw this.tooLarge();
    this.wait(serviceSilent);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.wait(clientSilent);
      const chunk = await this.next();
      this.wait(serviceSilent);
      if (chunk === undefined) return;
      this.bytes += chunk.length;
      if (this.bytes > this.limit) {
        const error = this.tooLarge();
        this.fail(error);
        throw error;
      }
      yield chunk;
    }
  }

  /** The call has its answer: nobody reads on. */
  end(): void {
    clearTimeout(this.timer);
    this.over.abort();
  }

  private async next(): Promise<Uint8Array | undefined> {
    const { request, over } = this;
    for (;;) {
      if (over.signal.aborted) return undefined;
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) return chunk;
      if (request.readableEnded) return undefined;
      if (request.destroyed) throw request.errored ?? new Error('the client hung up');
      await changeOf(request, over.signal);
    }
  }

  private wait(silent: () => ApiError): void {
    clearTimeout(this.timer);
    if (!this.over.signal.aborted)
      this.timer = setTimeout(() => this.fail(silent()), this.silenceMs).unref();
  }

  private tooLarge(): ApiError {
    return new ApiError(413, `the body is longer than ${this.limit} bytes`, {
      remediation: 'Send a smaller file; the operator can raise MAX_UPLOAD_BYTES.',
    });
  }
}

function clientSilent(): ApiError {
  return new ApiError(408, `nothing of the body arrived for ${usualSilenceMs / 1_000} s`, {
    remediation: 'Send the file again, without a pause.',
  });
}

function serviceSilent(): ApiError {
  return new ApiError(504, `the upload came to a standstill for ${usualSilenceMs / 1_000} s`, {
    remediation: 'Try again later.',
  });
}

const changes = ['readable', 'end', 'close', 'error'] as const;

/** Resolves when there may be more to read, or never will be. */
function changeOf(request: IncomingMessage, over: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    const done = () => {
      for (const event of changes) request.off(event, done);
      over.removeEventListener('abort', done);
      settle();
    };
    for (const event of changes) request.on(event, done);
    over.addEventListener('abort', done, { once: true });
  });
}
