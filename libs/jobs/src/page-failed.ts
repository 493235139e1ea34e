import { ApiError } from '#contract';
import { isTooLarge } from './retry.js';

/** Where a page failed and why, for metrics. */
export type FailureReason =
  `${'reading' | 'writing'}_${'limited' | 'refused' | 'too_large' | 'unavailable'}`;

/** The failure of a page, and whether another attempt would fail as well. */
export class PageFailed extends Error {
  readonly reason: FailureReason;

  constructor(
    at: 'reading' | 'writing',
    message: string,
    readonly isFinal: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
    this.reason = `${at}_${kindOf(cause, isFinal)}`;
  }
}

function kindOf(cause: unknown, isFinal: boolean) {
  if (isTooLarge(cause)) return 'too_large';
  if (cause instanceof ApiError && cause.status === 429) return 'limited';
  if (isFinal || (cause instanceof ApiError && cause.status < 500)) return 'refused';
  return cause === undefined ? 'refused' : 'unavailable';
}
