import { LimitError, RunError } from '../../language/run-error.js';
import { dateOfDay, dayNumber } from '../../language/calendar.js';
import { offsetText, Timestamp } from '../../language/timestamp.js';
import { zoneOffset } from '../../language/zones.js';
import { payParts } from '../../language/meter.js';
import { kept } from '../collections/kept.js';

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
export class Parts {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  readonly offset: number;
  private readonly days: number;

  constructor(private readonly time: Timestamp) {
    this.offset = time.offsetMinutes;
    const local = time.epochSecond + this.offset * 60;
    this.days = Math.floor(local / 86_400);
    const { year, month, day } = dateOfDay(this.days);
    const second = local - this.days * 86_400;
    this.year = year;
    this.month = month - 1;
    this.day = day;
    this.hour = Math.floor(second / 3_600);
    this.minute = Math.floor(second / 60) % 60;
    this.second = second % 60;
    this.nanosecond = time.nanosecond;
  }

  /** From 0, which is Sunday; 1970 began on a Thursday. */
  get weekday(): number {
    return (((this.days + 4) % 7) + 7) % 7;
  }

  /** From 1. */
  get yearDay(): number {
    return this.days - dayNumber(this.year, 1, 1) + 1;
  }

  get unix(): number {
    return this.time.epochSecond;
  }

  /** Its abbreviation, or its offset where none is known. */
  get zone(): string {
    return zoneName(this.time);
  }
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
  const milliseconds = time.epochMillisecond;
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
  if (zoneId === 'UTC' || zoneId === '') return new Timestamp(time.epochSecond, time.nanosecond);
  const id = zoneId === 'Local' ? 'UTC' : zoneId;
  try {
    zoneOffset(id, 0);
  } catch (error) {
    if (error instanceof LimitError) throw error;
    throw new RunError(`unknown time zone ${zoneId.slice(0, 60)}`);
  }
  return new Timestamp(time.epochSecond, time.nanosecond, id);
}
