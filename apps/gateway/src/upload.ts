import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract';

/** How long a client may send nothing, or a service read nothing. */
export const defaultSilenceMs = 60_000;

/**
 * The body of a request that uploads a file, read with backpressure. The request stays open when its reader stops, so that the client can
 * get the error.
 */
export class Upload implements AsyncIterable<Uint8Array> {
  private readonly over = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;

  /** @param fail ends the call with an error for the client */
  constructor(
    private readonly request: IncomingMessage,
    private readonly limit: number,
    private readonly fail: (error: ApiError) => void,
    private readonly silenceMs = defaultSilenceMs,
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

  /** Stops reading, because the call has its response. */
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
  return new ApiError(408, `nothing of the body arrived for ${defaultSilenceMs / 1_000} s`, {
    remediation: 'Send the file again, without a pause.',
  });
}

function serviceSilent(): ApiError {
  return new ApiError(504, `the upload came to a standstill for ${defaultSilenceMs / 1_000} s`, {
    remediation: 'Try again later.',
  });
}

const changes = ['readable', 'end', 'close', 'error'] as const;

/** Resolves when there may be more to read, or at the end. */
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
