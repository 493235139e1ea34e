import { LimitError, RunError } from '../language/run-error.js';
import { floorDivide, offsetText, Timestamp, zoneOffset } from '../language/timestamp.js';
import { payParts } from '../language/meter.js';
import { kept } from './kept.js';

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The fields of a moment in its zone. */
export interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  weekday: number;
  yearDay: number;
  offset: number;
  /** Its abbreviation, or its offset where none is known. */
  zone: string;
  unix: bigint;
}

export const two = (value: number): string => String(value).padStart(2, '0');
export const three = (value: number): string => String(value).padStart(3, '0');

export function partsOf(time: Timestamp): Parts {
  const offset = time.offsetMinutes;
  const local = time.nanoseconds + BigInt(offset) * 60_000_000_000n;
  const second = floorDivide(local, 1_000_000_000n);
  const date = new Date(Number(second) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond: Number(local - second * 1_000_000_000n),
    weekday: date.getUTCDay(),
    offset,
    get zone() {
      return zoneName(time);
    },
    unix: floorDivide(time.nanoseconds, 1_000_000_000n),
    yearDay:
      Math.floor(
        (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
          Date.UTC(date.getUTCFullYear(), 0, 1)) /
          86_400_000,
      ) + 1,
  };
}

/** Places that call zones by a name; elsewhere the same zones are written as an offset. */
const places = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja'];

const namesOf = kept((zone: string) =>
  places.map((place) => new Intl.DateTimeFormat(place, { timeZone: zone, timeZoneName: 'short' })),
);

/** Steps of asking the host for the name of a zone. */
const zoneNameSteps = 100;

function zoneName(time: Timestamp): string {
  if (time.zone === 'UTC') return 'UTC';
  const offset = offsetText(time.offsetMinutes).replace(':', '');
  if (/^[+-]/.test(time.zone)) return offset;
  const milliseconds = Number(time.nanoseconds / 1_000_000n);
  for (const format of namesOf(time.zone.toLowerCase())) {
    payParts(zoneNameSteps);
    const parts = format.formatToParts(milliseconds);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value as string;
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  return time.offsetMinutes % 60 === 0 ? offset.slice(0, 3) : offset;
}

/** The same moment in another zone. @throws RunError for a zone that does not exist. */
export function inZone(time: Timestamp, zoneId: string): Timestamp {
  if (zoneId === 'UTC' || zoneId === '') return new Timestamp(time.nanoseconds, 'UTC');
  const id = zoneId === 'Local' ? 'UTC' : zoneId;
  try {
    zoneOffset(id, 0);
  } catch (error) {
    if (error instanceof LimitError) throw error;
    throw new RunError(`unknown time zone ${zoneId.slice(0, 60)}`);
  }
  return new Timestamp(time.nanoseconds, id);
}
