import { dateOfDay, dayNumber, daysOfMonth, digitsAt, four, fractionAt, two } from './calendar.js';
import { zoneOffset } from './zones.js';

const [second, day] = [1_000_000_000, 86_400];

/** A moment to the nanosecond, with the zone it is shown in: `UTC`, an IANA name, or an offset such as `+02:00`. */
export class Timestamp {
  constructor(
    /** Whole seconds since 1970-01-01T00:00:00Z. */
    readonly epochSecond: number,
    /** Nanoseconds since then, 0 to 999,999,999. */
    readonly nanosecond = 0,
    readonly zone = 'UTC',
  ) {}

  /** The moment so many nanoseconds after 1970-01-01T00:00:00Z. */
  static ofNanoseconds(nanoseconds: bigint, zone = 'UTC'): Timestamp {
    const seconds = floorDivide(nanoseconds, 1_000_000_000n);
    return new Timestamp(Number(seconds), Number(nanoseconds - seconds * 1_000_000_000n), zone);
  }

  /** Since 1970-01-01T00:00:00Z. */
  get nanoseconds(): bigint {
    return BigInt(this.epochSecond) * 1_000_000_000n + BigInt(this.nanosecond);
  }

  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  get epochMillisecond(): number {
    return this.epochSecond * 1_000 + Math.floor(this.nanosecond / 1_000_000);
  }

  /** Minutes east of UTC at this moment. */
  get offsetMinutes(): number {
    const { zone } = this;
    if (zone === 'UTC') return 0;
    return fixedOffset(zone) ?? zoneOffset(zone, this.epochMillisecond);
  }

  /** RFC 3339 with as many digits of the second as there are. */
  toString(): string {
    const offset = this.offsetMinutes;
    const local = this.epochSecond + offset * 60;
    const shown =
      this.nanosecond === 0
        ? wholeSeconds(local)
        : `${wholeSeconds(local)}.${String(second + this.nanosecond)
            .slice(1)
            .replace(/(?<!0)0+$/, '')}`;
    return offset === 0 ? `${shown}Z` : `${shown}${offsetText(offset)}`;
  }
}

export function isSameMoment(a: Timestamp, b: Timestamp): boolean {
  return a.epochSecond === b.epochSecond && a.nanosecond === b.nanosecond;
}

function wholeSeconds(local: number): string {
  const days = Math.floor(local / day);
  const { year, month, day: date } = dateOfDay(days);
  if (!(year >= 0 && year <= 9_999)) return new Date(local * 1000).toISOString().slice(0, 19);
  const rest = local - days * day;
  const [hour, minute] = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60];
  return `${four(year)}-${two(month)}-${two(date)}T${two(hour)}:${two(minute)}:${two(rest % 60)}`;
}

/** The minutes of an offset such as `+02:00`; undefined for the name of a zone. */
export function fixedOffset(zone: string): number | undefined {
  const sign = zone.charCodeAt(0);
  if ((sign !== 0x2b && sign !== 0x2d) || zone.length !== 6 || zone.charCodeAt(3) !== 0x3a)
    return undefined;
  const [hours, minutes] = [digitsAt(zone, 1, 2), digitsAt(zone, 4, 2)];
  if (hours < 0 || minutes < 0) return undefined;
  return (sign === 0x2d ? -1 : 1) * (hours * 60 + minutes);
}

export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** A time of day on a date; undefined when there is no such. A month is 1 to 12. */
export function epochSecondOf(
  year: number,
  month: number,
  date: number,
  hour: number,
  minute: number,
  seconds: number,
): number | undefined {
  if (hour > 23 || minute > 59 || seconds > 59 || !(month >= 1 && month <= 12)) return undefined;
  if (date < 1 || date > daysOfMonth(year, month)) return undefined;
  return dayNumber(year, month, date) * day + hour * 3_600 + minute * 60 + seconds;
}

/** Reads RFC 3339; undefined when the text is none. */
export function parseRfc3339(text: string): Timestamp | undefined {
  const [year, month, date] = [digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2)];
  const [hour, minute] = [digitsAt(text, 11, 2), digitsAt(text, 14, 2)];
  const seconds = digitsAt(text, 17, 2);
  if (year < 0 || month < 0 || date < 0 || hour < 0 || minute < 0 || seconds < 0) return undefined;
  if (!hasSeparators(text)) return undefined;
  let [at, nanosecond] = [19, 0];
  if (text[19] === '.' || text[19] === ',') {
    const fraction = fractionAt(text, 20, 9);
    if (fraction === undefined) return undefined;
    ({ nanosecond, end: at } = fraction);
    while (digitsAt(text, at, 1) >= 0) at += 1;
  }
  const found = epochSecondOf(year, month, date, hour, minute, seconds);
  if (found === undefined) return undefined;
  const zone = text.slice(at);
  if (zone === 'Z' || zone === 'z' || zone === '+00:00') return new Timestamp(found, nanosecond);
  const offset = fixedOffset(zone);
  return offset === undefined ? undefined : new Timestamp(found - offset * 60, nanosecond, zone);
}

function hasSeparators(text: string): boolean {
  return (
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    (text[10] === 'T' || text[10] === 't' || text[10] === ' ') &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a
  );
}
