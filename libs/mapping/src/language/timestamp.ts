import { payParts } from './meter.js';

/** A moment to the nanosecond, with the zone it is shown in: `UTC`, an IANA name, or an offset such as `+02:00`. */
export class Timestamp {
  constructor(
    /** Since 1970-01-01T00:00:00Z. */
    readonly nanoseconds: bigint,
    readonly zone = 'UTC',
  ) {}

  /** Minutes east of UTC at this moment. */
  get offsetMinutes(): number {
    if (this.zone === 'UTC') return 0;
    const fixed = /^([+-])(\d\d):(\d\d)$/.exec(this.zone);
    if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3]));
    return zoneOffset(this.zone, Number(this.nanoseconds / 1_000_000n));
  }

  /** RFC 3339 with as many digits of the second as there are. */
  toString(): string {
    const offset = this.offsetMinutes;
    const local = this.nanoseconds + BigInt(offset) * 60_000_000_000n;
    const second = floorDivide(local, 1_000_000_000n);
    const fraction = (local - second * 1_000_000_000n)
      .toString()
      .padStart(9, '0')
      .replace(/0+$/, '');
    const base = new Date(Number(second) * 1000).toISOString().slice(0, 19);
    const shown = fraction === '' ? base : `${base}.${fraction}`;
    return offset === 0 ? `${shown}Z` : `${shown}${offsetText(offset)}`;
  }
}

export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(Z|z|[+-]\d\d:\d\d)$/;

/** Reads RFC 3339; undefined when the text is none. */
export function parseRfc3339(text: string): Timestamp | undefined {
  const [all, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] =
    rfc3339.exec(text) ?? [];
  if (all === undefined) return undefined;
  const date = new Date(0);
  // Date.UTC takes the years before 100 for years of the 20th century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  if (
    date.getUTCMonth() !== Number(month) - 1 ||
    date.getUTCDate() !== Number(day) ||
    date.getUTCHours() !== Number(hour) ||
    date.getUTCMinutes() !== Number(minute)
  )
    return undefined;
  const isUtc = zone === 'Z' || zone === 'z' || zone === '+00:00';
  const offset = isUtc ? 0 : new Timestamp(0n, zone).offsetMinutes;
  const nanoseconds =
    BigInt(date.getTime()) * 1_000_000n +
    BigInt(fraction.padEnd(9, '0')) -
    BigInt(offset) * 60_000_000_000n;
  return new Timestamp(nanoseconds, isUtc ? 'UTC' : zone);
}

/** Steps of asking the host for the offset of a zone. */
const zoneSteps = 80;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC in an IANA zone. @throws RangeError for a zone that does not exist. */
export function zoneOffset(zone: string, milliseconds: number): number {
  // Zones have a name in any case: a few hundred, however they are written.
  const name = zone.toLowerCase();
  payParts(zoneSteps);
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(name, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(
    parts['year'] ?? 0,
    (parts['month'] ?? 1) - 1,
    parts['day'],
    parts['hour'],
    parts['minute'],
    parts['second'],
  );
  return Math.round((local - Math.floor(milliseconds / 1000) * 1000) / 60_000);
}
