import { ApiError } from '#contract';
import { storableText } from '#store';
import { isTooLarge } from './retry.js';

/** Maximum number of characters that a job keeps of a failure. */
const maxMessageLength = 2_000;

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
    super(storableText(message, maxMessageLength), { cause });
    this.reason = `${at}_${kindOf(cause, isFinal)}`;
  }
}

function kindOf(cause: unknown, isFinal: boolean) {
  if (isTooLarge(cause)) return 'too_large';
  if (cause instanceof ApiError && cause.status === 429) return 'limited';
  if (isFinal || (cause instanceof ApiError && cause.status < 500)) return 'refused';
  return cause === undefined ? 'refused' : 'unavailable';
}
