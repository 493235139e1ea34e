const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?([Zz]|[+-]\d\d(?::?\d\d)?))?)?$/;
/** The forms that Date.parse reads likewise, ten times as fast: rows of a list are compared often. Later days than the 28th it lets pass in any month. */
const plainForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** Milliseconds since 1970. Fewer digits would be a year, a date or seconds. */
const epochForm = /^(?:0|-?\d{11,16})$/;

/**
 * Reads a time as epoch milliseconds, in each form that records show: RFC 3339 with any offset, a date, and epoch milliseconds. A time
 * without an offset is UTC, wherever the process runs; Date.parse reads it in the zone of the process. NaN for any other text.
 */
export function parseInstant(text: string): number {
  if (plainForm.test(text)) return Date.parse(text);
  const found = form.exec(text);
  if (found === null) return epochForm.test(text) ? inRange(Number(text)) : Number.NaN;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', offset = ''] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day)); // Date.UTC takes the year 50 for 1950
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return Number.NaN;
  date.setUTCHours(Number(hour), Number(minute), Number(second), millisecondsOf(fraction));
  return date.getTime() - offsetMs(offset);
}

function millisecondsOf(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}

function offsetMs(offset: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function inRange(ms: number): number {
  return Math.abs(ms) <= 8.64e15 ? ms : Number.NaN;
}

/** Reads the value of a time in a record: epoch milliseconds, or a text as above. Undefined if it is none, or missing. */
export function instantOf(value: unknown): number | undefined {
  const ms =
    typeof value === 'number' || typeof value === 'bigint'
      ? inRange(Number(value))
      : parseInstant(typeof value === 'string' ? value : '');
  return Number.isNaN(ms) ? undefined : ms;
}
