import { ApiError } from '#contract';

/** A page that failed is tried for a day; then the job is cancelled with the reason. */
export const maxFailingMs = 24 * 60 * 60 * 1_000;
const minWaitMs = 2_000;
const maxWaitMs = 10 * 60_000;
/** Maximum number of characters of a provider's response in an error. */
const maxWordsLength = 300;
/** Statuses that another attempt does not change. Others are passed over in a time: limits, failures, deadlines. */
const finalStatuses = new Set([400, 401, 403, 404, 405, 413, 415, 501]);

/** Returns the time to wait before the next attempt: what the provider says, else twice as long as before, with jitter. */
export function waitAfter(error: unknown, failures: number, random: () => number): number {
  const seconds = error instanceof ApiError ? Number(error.options.headers?.['retry-after']) : NaN;
  if (seconds > 0) return Math.min(seconds * 1_000, 60 * 60_000);
  return Math.min(minWaitMs * 2 ** Math.min(failures, 20), maxWaitMs) * (0.75 + random() / 2);
}

/** True for an error of reading that stays. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError && finalStatuses.has(error.status);
}

/** True if the sink or the limits of the service do not take so many bytes. Fewer records may pass. */
export function isTooLarge(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { kind, context } = error.options;
  return (
    error.status === 413 ||
    kind === 'response-too-large' ||
    context?.provider_details?.['status'] === '413'
  );
}

/** The message of an error, and what the provider was asked and answered: the errors of a job have no other place for it. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const context = error instanceof ApiError ? error.options.context : undefined;
  const { status, request } = context?.provider_details ?? {};
  if (status === undefined) return error.message;
  const words = context?.raw_error ? `: ${context.raw_error.slice(0, maxWordsLength)}` : '';
  return `${error.message} (${request} answered ${status}${words})`;
}
