import { digitsAt, fractionAt } from '../../language/calendar.js';
import { epochSecondOf, fixedOffset, Timestamp } from '../../language/timestamp.js';
import { goTokens } from './format-time.js';
import { months } from './time-parts.js';

/** The parts of a time that are read so far; a month is 1 to 12. */
interface Draft {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  zone: string;
}

/** Reads a part of a text from a place on. @returns where it ends; -1 when it is not there */
type Reader = (text: string, at: number, draft: Draft) => number;

const number =
  (digits: number, set: (draft: Draft, value: number) => void): Reader =>
  (text, at, draft) => {
    const value = digitsAt(text, at, digits);
    if (value < 0) return -1;
    set(draft, value);
    return at + digits;
  };

const zone =
  (length: 3 | 5 | 6, hasZ: boolean): Reader =>
  (text, at, draft) => {
    if (hasZ && text.charCodeAt(at) === 0x5a) return at + 1;
    const end = at + length;
    const hours = text.slice(at, at + 3);
    const name =
      length === 6
        ? text.slice(at, end)
        : `${hours}:${length === 3 ? '00' : text.slice(at + 3, end)}`;
    if (end > text.length || fixedOffset(name) === undefined) return -1;
    draft.zone = name;
    return end;
  };

const shortMonths = months.map((one) => one.slice(0, 3));

const readers: Readonly<Record<string, Reader>> = {
  '2006': number(4, (draft, value) => (draft.year = value)),
  '01': number(2, (draft, value) => (draft.month = value)),
  '02': number(2, (draft, value) => (draft.day = value)),
  '15': number(2, (draft, value) => (draft.hour = value)),
  '04': number(2, (draft, value) => (draft.minute = value)),
  '05': number(2, (draft, value) => (draft.second = value)),
  Jan: (text, at, draft) => {
    draft.month = shortMonths.indexOf(text.slice(at, at + 3)) + 1;
    return draft.month === 0 ? -1 : at + 3;
  },
  'Z07:00': zone(6, true),
  Z0700: zone(5, true),
  Z07: zone(3, true),
  '-07:00': zone(6, false),
  '-0700': zone(5, false),
  '-07': zone(3, false),
};

/** One digit at least, nine at most. */
const fraction: Reader = (text, at, draft) => {
  const mark = text.charCodeAt(at);
  const found = mark === 0x2e || mark === 0x2c ? fractionAt(text, at + 1, 9) : undefined;
  if (found === undefined) return -1;
  draft.nanosecond = found.nanosecond;
  return found.end;
};

const optionalFraction: Reader = (text, at, draft) => {
  const end = fraction(text, at, draft);
  return end < 0 ? at : end;
};

const literal =
  (wanted: string): Reader =>
  (text, at) =>
    text.startsWith(wanted, at) ? at + wanted.length : -1;

/**
 * A reader of texts that have each part of a Go layout in its usual form, undefined for a layout that it does not know. The reader
 * returns undefined for other texts: there is a slower one for them, which says what is wrong.
 */
export function fixedReader(layout: string): ((text: string) => Timestamp | undefined) | undefined {
  const steps: Reader[] = [];
  let last = 0;
  for (const { 0: token, index } of layout.matchAll(goTokens)) {
    if (index > last) steps.push(literal(layout.slice(last, index)));
    last = index + token.length;
    const reader = /^[.,]/.test(token)
      ? token.charAt(1) === '9'
        ? optionalFraction
        : fraction
      : Object.hasOwn(readers, token)
        ? readers[token]
        : undefined;
    if (reader === undefined) return undefined;
    steps.push(reader);
  }
  if (last < layout.length) steps.push(literal(layout.slice(last)));
  return (text) => {
    const draft: Draft = {
      year: 0,
      month: 1,
      day: 1,
      hour: 0,
      minute: 0,
      second: 0,
      nanosecond: 0,
      zone: 'UTC',
    };
    let at = 0;
    for (const step of steps) {
      at = step(text, at, draft);
      if (at < 0) return undefined;
    }
    if (at !== text.length) return undefined;
    const { year, month, day, hour, minute, second, nanosecond, zone: name } = draft;
    const local = epochSecondOf(year, month, day, hour, minute, second);
    const offset = name === 'UTC' ? 0 : (fixedOffset(name) ?? 0);
    if (local === undefined) return undefined;
    return new Timestamp(local - offset * 60, nanosecond, offset === 0 ? 'UTC' : name);
  };
}
