import { parseTime } from './parse-time.js';

/** A header of a provider that says when the next call may come. */
export interface ResetHeader {
  header: string;
  unit: 'seconds' | 'epoch' | 'epoch_ms' | 'date';
}

/** A number of seconds, which may have a fraction or a unit. Two that proxies joined are told apart by a comma. */
const amount = /^\+?(\d{1,15}(?:\.\d{1,9})?)\s*(ms|milliseconds?|s|secs?|seconds?)?$/i;
/** No wait has so many seconds: such a number is a time in seconds since 1970, or in milliseconds. */
const minEpochSeconds = 1e9;
const minEpochMs = 1e12;
/** A limit of which something is left is not the one that was reached: GitHub shows one beside its second limit. */
const remainders = ['x-ratelimit-remaining', 'ratelimit-remaining'];
/** Read where a response has neither Retry-After nor a header of the document, each as a wait or a time. */
const commonResets = [
  'x-ratelimit-reset-after',
  'ratelimit-reset',
  'x-ratelimit-reset',
  'x-rate-limit-reset',
];

/**
 * How long a provider wants us to wait, in milliseconds: `Retry-After` in both forms of RFC 9110 (10.2.3), with the fractions, units and
 * times that are in use, else the first of the vendor's own headers that says something, else one of the usual names.
 * @param resets those headers of a response that says that a limit is reached; undefined for other responses, which may have them too
 * @returns undefined when the provider does not say, or says something that is neither a wait nor a time to come
 */
export function waitMs(
  headers: Readonly<Record<string, string>>,
  resets: readonly ResetHeader[] | undefined,
  now: number,
): number | undefined {
  const after = headers['retry-after'];
  const asked = after === undefined ? undefined : readWait(after, now);
  if (asked !== undefined || resets === undefined) return asked;
  if (remainders.some((name) => Number(headers[name]) > 0)) return undefined;
  for (const { header, unit } of resets) {
    const until = readUntil(headers[header.toLowerCase()], unit, now);
    if (until !== undefined) return until - now;
  }
  for (const name of commonResets) {
    const wait = readWait(headers[name] ?? '', now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

/**
 * How many calls the provider says are left until its count begins anew, by the usual names and by `RateLimit` of the IETF.
 * @returns undefined where it says nothing, or not until when
 */
export function remainingOf(
  headers: Readonly<Record<string, string>>,
  now: number,
): { requests: number; forMs: number } | undefined {
  const [, left, , wait] =
    /;\s*r=(\d{1,15})(.*?;\s*t=(\d{1,10}))?/.exec(headers['ratelimit'] ?? '') ?? [];
  if (left !== undefined && wait !== undefined)
    return { requests: Number(left), forMs: Number(wait) * 1000 };
  const name = remainders.find((one) => /^\d{1,15}$/.test(headers[one] ?? ''));
  if (name === undefined) return undefined;
  for (const reset of commonResets) {
    const forMs = readWait(headers[reset] ?? '', now);
    if (forMs !== undefined) return { requests: Number(headers[name]), forMs };
  }
  return undefined;
}

/** Reads a wait in seconds, or the time of its end. @returns milliseconds; undefined for anything else, and for what is past */
export function readWait(text: string, now: number): number | undefined {
  const waits = text.split(',').map((one) => readAmount(one.trim(), now));
  if (waits.every((one) => one !== undefined)) return Math.max(...waits);
  const until = parseTime(text);
  return until === undefined || until < now ? undefined : until - now;
}

function readAmount(text: string, now: number): number | undefined {
  const [, digits, unit = 's'] = amount.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (unit.toLowerCase().startsWith('m')) return value;
  if (value < minEpochSeconds) return value * 1000;
  const until = value < minEpochMs ? value * 1000 : value;
  return until < now ? undefined : until - now;
}

/** Reads the time in a header of the document; undefined for one that is past, whatever its unit. */
function readUntil(text: string | undefined, unit: ResetHeader['unit'], now: number) {
  if (text === undefined) return undefined;
  const [, digits] = amount.exec(text.split(',')[0]?.trim() ?? '') ?? [];
  const value =
    unit === 'date' ? parseTime(text) : digits === undefined ? undefined : Number(digits);
  if (value === undefined) return undefined;
  const until = {
    seconds: now + value * 1000,
    epoch: value * 1000,
    epoch_ms: value,
    date: value,
  }[unit];
  return until < now ? undefined : until;
}
