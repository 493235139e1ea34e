import type { IncomingMessage } from 'node:http';
import { ApiError } from '#contract';
import type { BodyLease } from './body-budget.js';

export const defaultPace: Pace = { windowMs: 30_000, minBytes: 16_384, maxMs: 300_000 };

/** Minimum speed of a body: `minBytes` or its end in each window, and all of it within `maxMs`. */
export interface Pace {
  windowMs: number;
  minBytes: number;
  maxMs: number;
}

/**
 * Reads a body into memory. The connection of a refused body stays open, so that the client can get the error.
 * @param lease counts the bytes as they arrive; the caller releases it
 * @throws ApiError 408, 413 or 503
 */
export function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  lease: BodyLease,
  remedy = 'Send less in one request.',
  pace = defaultPace,
): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > maxBytes) return Promise.reject(tooLarge(maxBytes, remedy));
  return new Promise((settle, fail) => {
    const chunks: Buffer[] = [];
    const latest = Date.now() + pace.maxMs;
    let bytes = 0;
    let inWindow = 0;
    const timer = setTimeout(() => refuse(tooSlow(pace)), pace.windowMs);
    const end = () => {
      clearTimeout(timer);
      request.off('data', add).off('end', done).off('close', broken);
    };
    const refuse = (error: unknown) => {
      end();
      request.pause();
      fail(error);
    };
    const add = (chunk: Buffer) => {
      bytes += chunk.length;
      inWindow += chunk.length;
      if (bytes > maxBytes) return refuse(tooLarge(maxBytes, remedy));
      if (Date.now() > latest) return refuse(tooSlow(pace));
      try {
        lease.take(chunk.length);
      } catch (error) {
        return refuse(error);
      }
      chunks.push(chunk);
      if (inWindow < pace.minBytes) return;
      inWindow = 0;
      timer.refresh();
    };
    const done = () => {
      end();
      settle(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    };
    const broken = () => {
      end();
      fail(new Error('the client hung up'));
    };
    if (request.destroyed) broken();
    else request.on('data', add).on('end', done).on('close', broken);
  });
}

function tooLarge(maxBytes: number, remediation: string): ApiError {
  return new ApiError(413, `the body is longer than ${maxBytes} bytes`, { remediation });
}

function tooSlow({ windowMs, minBytes, maxMs }: Pace): ApiError {
  return new ApiError(
    408,
    `the body came too slowly: fewer than ${minBytes} bytes in ${windowMs / 1_000} s, or not all of it in ${maxMs / 1_000} s`,
    { remediation: 'Send it without a pause.' },
  );
}
