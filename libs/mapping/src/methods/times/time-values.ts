import { RunError } from '../../language/run-error.js';
import { parseRfc3339, Timestamp } from '../../language/timestamp.js';
import { type Value, wrongType } from '../../language/values.js';

// The years 0 to 9999, which are those that RFC 3339 can write.
const [earliest, latest] = [-62_167_219_200, 253_402_300_799];

/** A moment that can be written. @throws RunError */
function checked(time: Timestamp): Timestamp {
  if (time.epochSecond < earliest || time.epochSecond > latest)
    throw new RunError('the time is out of range: years are 0 to 9999');
  return time;
}

/** A moment by its nanoseconds since 1970. @throws RunError for one that cannot be written */
export function momentAt(nanoseconds: bigint, zone = 'UTC'): Timestamp {
  return checked(Timestamp.ofNanoseconds(nanoseconds, zone));
}

/** The moment so many milliseconds after 1970-01-01T00:00:00Z. */
export function atMillisecond(milliseconds: number): Timestamp {
  const seconds = Math.floor(milliseconds / 1_000);
  return new Timestamp(seconds, (milliseconds - seconds * 1_000) * 1_000_000);
}

/** A timestamp out of a timestamp, a number of unix seconds, or RFC 3339. */
export function timestampOf(value: Value): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return momentAt(value * 1_000_000_000n);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RunError(`the number ${value} is not a time`);
    const whole = Math.floor(value);
    const micros = Math.round((value - whole) * 1e6);
    return checked(micros < 1e6 ? new Timestamp(whole, micros * 1_000) : new Timestamp(whole + 1));
  }
  const text =
    typeof value === 'string'
      ? value
      : value instanceof Uint8Array
        ? Buffer.from(value).toString()
        : undefined;
  if (text === undefined) throw wrongType('timestamp', value);
  const parsed = parseRfc3339(text);
  if (parsed === undefined)
    throw new RunError(`parsing time ${JSON.stringify(text.slice(0, 60))} as RFC 3339 failed`);
  return parsed;
}

/** A number of a duration and its unit. */
const isoField = (unit: string): string => String.raw`(?:(\d+(?:[.,]\d+)?)${unit})?`;
const [isoDays, isoTimes] = ['YMWD', 'HMS'].map((units) => [...units].map(isoField).join(''));
const iso = new RegExp(`^([+-]?)P${isoDays}(?:T${isoTimes})?$`);

/**
 * The fields of an ISO 8601 duration: years, months, weeks, days, hours, minutes, seconds. As in the reference, a fraction has one
 * digit: others are ignored.
 */
export function isoDuration(text: string): number[] {
  const [whole, sign, ...found] = (iso.exec(text) ?? []) as (string | undefined)[];
  const factor = sign === '-' ? -1 : 1;
  const fields = found.map((one) =>
    one === undefined ? 0 : factor * Number(one.replace(',', '.').replace(/(\.\d)\d+$/, '$1')),
  );
  if (whole === undefined || /[PT]$/.test(text))
    throw new RunError(`${JSON.stringify(text.slice(0, 60))} is not an ISO 8601 duration`);
  const last = fields.findLastIndex((_one, index) => found[index] !== undefined);
  if (fields.some((field, index) => index !== last && !Number.isInteger(field)))
    throw new RunError('only the last field of a duration may have a fraction');
  return fields;
}

const goUnits: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

/** Returns the nanoseconds of a duration such as `1h30m`. */
export function goDuration(text: string): bigint {
  const [sign = ''] = /^[+-]?/.exec(text) as string[];
  if (text === `${sign}0`) return 0n;
  // Each part begins where the last one ended: a search would read a long number again from each of its digits.
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
  part.lastIndex = sign.length;
  let total = 0n;
  do {
    const [, number, unit] = part.exec(text) ?? [];
    if (unit === undefined)
      throw new RunError(`time: invalid duration ${JSON.stringify(text.slice(0, 60))}`);
    const nanoseconds = Math.round(Number(number) * (goUnits[unit] as number));
    if (!Number.isFinite(nanoseconds)) throw new RunError('the duration is too long');
    total += BigInt(nanoseconds);
  } while (part.lastIndex < text.length);
  return sign === '-' ? -total : total;
}
