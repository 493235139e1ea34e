import { RunError } from '../language/run-error.js';
import { floorDivide, offsetText, Timestamp, zoneOffset } from '../language/timestamp.js';

const months = [
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
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** What a moment looks like in its zone. */
interface Parts {
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
  zone: string;
  unix: bigint;
}

const two = (value: number): string => String(value).padStart(2, '0');
const three = (value: number): string => String(value).padStart(3, '0');

function partsOf(time: Timestamp): Parts {
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
    zone: zoneName(time),
    unix: floorDivide(time.nanoseconds, 1_000_000_000n),
    yearDay:
      Math.floor(
        (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
          Date.UTC(date.getUTCFullYear(), 0, 1)) /
          86_400_000,
      ) + 1,
  };
}

function zoneName(time: Timestamp): string {
  if (time.zone === 'UTC') return 'UTC';
  if (/^[+-]/.test(time.zone)) return offsetText(time.offsetMinutes).replace(':', '');
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: time.zone,
    timeZoneName: 'short',
  }).formatToParts(Number(time.nanoseconds / 1_000_000n));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? time.zone;
}

/** The tokens of Go's reference time, the longer before the shorter. */
const goTokens =
  /January|Jan|Monday|Mon|MST|2006|Z07:00:00|Z07:00|Z0700|Z07|-07:00:00|-07:00|-0700|-07|[.,]0+(?!\d)|[.,]9+(?!\d)|002|__2|01|02|03|04|05|06|15|PM|pm|_2|1|2|3|4|5/g;

function fraction(parts: Parts, token: string): string {
  const digits = String(parts.nanosecond)
    .padStart(9, '0')
    .slice(0, token.length - 1);
  if (token[1] === '0') return token.charAt(0) + digits;
  const trimmed = digits.replace(/0+$/, '');
  return trimmed === '' ? '' : token.charAt(0) + trimmed;
}

function zoneToken(parts: Parts, token: string): string {
  if (token.startsWith('Z') && parts.offset === 0) return 'Z';
  const text = offsetText(parts.offset);
  if (token.endsWith(':00:00')) return `${text}:00`;
  if (token.includes(':')) return text;
  return token.endsWith('0700') ? text.replace(':', '') : text.slice(0, 3);
}

function goToken(parts: Parts, token: string): string {
  if (/^[.,]/.test(token)) return fraction(parts, token);
  if (/07/.test(token)) return zoneToken(parts, token);
  const hour12 = parts.hour % 12 === 0 ? 12 : parts.hour % 12;
  const table: Record<string, string> = {
    January: months[parts.month] ?? '',
    Jan: (months[parts.month] ?? '').slice(0, 3),
    Monday: days[parts.weekday] ?? '',
    Mon: (days[parts.weekday] ?? '').slice(0, 3),
    MST: parts.zone,
    '2006': String(parts.year).padStart(4, '0'),
    '06': two(parts.year % 100),
    '01': two(parts.month + 1),
    '1': String(parts.month + 1),
    '02': two(parts.day),
    '2': String(parts.day),
    _2: String(parts.day).padStart(2),
    '002': three(parts.yearDay),
    __2: String(parts.yearDay).padStart(3),
    '15': two(parts.hour),
    '03': two(hour12),
    '3': String(hour12),
    '04': two(parts.minute),
    '4': String(parts.minute),
    '05': two(parts.second),
    '5': String(parts.second),
    PM: parts.hour < 12 ? 'AM' : 'PM',
    pm: parts.hour < 12 ? 'am' : 'pm',
  };
  return table[token] ?? token;
}

/** Formats by a Go reference-time layout such as `2006-01-02T15:04:05Z07:00`. */
export function formatGo(time: Timestamp, layout: string): string {
  const parts = partsOf(time);
  return layout.replace(goTokens, (token) => goToken(parts, token));
}

/** Formats by strftime verbs. */
export function formatStrftime(time: Timestamp, layout: string): string {
  const parts = partsOf(time);
  const hour12 = parts.hour % 12 === 0 ? 12 : parts.hour % 12;
  const verb: Record<string, () => string> = {
    Y: () => String(parts.year),
    y: () => two(parts.year % 100),
    m: () => two(parts.month + 1),
    d: () => two(parts.day),
    e: () => String(parts.day).padStart(2),
    H: () => two(parts.hour),
    I: () => two(hour12),
    M: () => two(parts.minute),
    S: () => two(parts.second),
    f: () => String(Math.floor(parts.nanosecond / 1000)).padStart(6, '0'),
    L: () => three(Math.floor(parts.nanosecond / 1e6)),
    p: () => (parts.hour < 12 ? 'AM' : 'PM'),
    B: () => months[parts.month] ?? '',
    b: () => (months[parts.month] ?? '').slice(0, 3),
    h: () => (months[parts.month] ?? '').slice(0, 3),
    A: () => days[parts.weekday] ?? '',
    a: () => (days[parts.weekday] ?? '').slice(0, 3),
    j: () => three(parts.yearDay),
    Z: () => parts.zone,
    z: () => offsetText(parts.offset).replace(':', ''),
    s: () => String(parts.unix),
    u: () => String(parts.weekday || 7),
    w: () => String(parts.weekday),
    n: () => '\n',
    t: () => '\t',
    '%': () => '%',
    F: () => `${parts.year}-${two(parts.month + 1)}-${two(parts.day)}`,
    T: () => `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`,
    R: () => `${two(parts.hour)}:${two(parts.minute)}`,
    D: () => `${two(parts.month + 1)}/${two(parts.day)}/${two(parts.year % 100)}`,
    C: () => two(Math.floor(parts.year / 100)),
    c: () => formatStrftime(time, '%v %X'),
    v: () =>
      `${String(parts.day).padStart(2)}-${(months[parts.month] ?? '').slice(0, 3)}-${parts.year}`,
    X: () => `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`,
    x: () => `${two(parts.month + 1)}/${two(parts.day)}/${two(parts.year % 100)}`,
  };
  return layout.replace(/%(.)/gs, (all, letter: string) => {
    const write = Object.hasOwn(verb, letter) ? verb[letter] : undefined;
    if (write === undefined)
      throw new RunError(`failed to parse format: unknown specification ${all}`);
    return write();
  });
}

/** What is read while parsing, before it is a moment. */
interface Draft {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  pm?: boolean;
  zone?: string;
  unix?: bigint;
  yearDay?: number;
}

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
type Reader = [pattern: string, read: (draft: Draft, text: string) => void];

const number = (pattern: string, field: 'year' | 'day' | 'hour' | 'minute' | 'second'): Reader => [
  pattern,
  (draft, text) => void (draft[field] = Number(text)),
];
const name = (list: string[], short: boolean): Reader => {
  const known = short ? list.map((one) => one.slice(0, 3)) : list;
  return [
    `(?:${known.join('|')})`,
    (draft, text) => {
      const found = known.findIndex((one) => one.toLowerCase() === text.toLowerCase());
      if (list === months) draft.month = found;
    },
  ];
};
const month = (pattern: string): Reader => [
  pattern,
  (draft, text) => void (draft.month = Number(text) - 1),
];
const shortYear: Reader = [
  '\\d{2}',
  (draft, text) => void (draft.year = Number(text) + (Number(text) < 69 ? 2000 : 1900)),
];
const fractionReader: Reader = [
  '[.,]\\d{1,9}',
  (draft, text) => void (draft.nanosecond = Number(text.slice(1).padEnd(9, '0'))),
];
const half: Reader = ['[AaPp][Mm]', (draft, text) => void (draft.pm = /p/i.test(text))];
const zone = (pattern: string): Reader => [
  pattern,
  (draft, text) => {
    if (/^[Zz]$/.test(text) || text === 'UTC' || text === 'GMT') draft.zone = 'UTC';
    else {
      const digits = text.replace(/[^\d]/g, '').padEnd(4, '0');
      draft.zone = /^[+-]/.test(text)
        ? `${text.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2, 4)}`
        : 'UTC';
    }
  },
];

const goReaders: Record<string, Reader> = {
  January: name(months, false),
  Jan: name(months, true),
  Monday: name(days, false),
  Mon: name(days, true),
  MST: zone('[A-Z]{3,5}|[+-]\\d{2,4}'),
  '2006': number('\\d{4}', 'year'),
  '06': shortYear,
  '01': month('\\d{2}'),
  '1': month('\\d{1,2}'),
  '02': number('\\d{2}', 'day'),
  '2': number('\\d{1,2}', 'day'),
  _2: number(' ?\\d{1,2}', 'day'),
  '15': number('\\d{2}', 'hour'),
  '03': number('\\d{2}', 'hour'),
  '3': number('\\d{1,2}', 'hour'),
  '04': number('\\d{2}', 'minute'),
  '4': number('\\d{1,2}', 'minute'),
  '05': number('\\d{2}', 'second'),
  '5': number('\\d{1,2}', 'second'),
  PM: half,
  pm: half,
  'Z07:00': zone('Z|[+-]\\d{2}:\\d{2}'),
  Z0700: zone('Z|[+-]\\d{4}'),
  Z07: zone('Z|[+-]\\d{2}'),
  '-07:00': zone('[+-]\\d{2}:\\d{2}'),
  '-0700': zone('[+-]\\d{4}'),
  '-07': zone('[+-]\\d{2}'),
  '002': ['\\d{3}', (draft, text) => void (draft.yearDay = Number(text))],
};

/** Reads a text by a Go layout. @throws RunError */
export function parseGo(text: string, layout: string): Timestamp {
  const readers: Reader[] = [];
  let pattern = '';
  let last = 0;
  for (const found of layout.matchAll(goTokens)) {
    const [token] = found;
    pattern += escapeRegex(layout.slice(last, found.index));
    last = found.index + token.length;
    const reader = /^[.,]/.test(token) ? fractionReader : goReaders[token];
    if (reader === undefined) throw new RunError(`the layout ${token} cannot be parsed`);
    const optional = /^[.,]9/.test(token) ? '?' : '';
    // Go takes a fraction behind the seconds even where the layout has none.
    const behind = token === '05' && !/^[.,][09]/.test(layout.slice(last)) ? '(?:[.,]\\d+)?' : '';
    pattern += `(${reader[0]})${optional}${behind}`;
    readers.push(reader);
  }
  pattern += escapeRegex(layout.slice(last));
  return read(text, pattern, readers, layout);
}

const strptimeReaders: Record<string, Reader> = {
  Y: number('\\d{4}', 'year'),
  y: shortYear,
  m: month('\\d{1,2}'),
  d: number('\\d{1,2}', 'day'),
  e: number(' ?\\d{1,2}', 'day'),
  H: number('\\d{1,2}', 'hour'),
  I: number('\\d{1,2}', 'hour'),
  M: number('\\d{1,2}', 'minute'),
  S: number('\\d{1,2}', 'second'),
  f: [
    '\\d{1,9}',
    (draft, text) => void (draft.nanosecond = Number(text.padEnd(9, '0').slice(0, 9))),
  ],
  p: half,
  B: name(months, false),
  b: name(months, true),
  h: name(months, true),
  A: name(days, false),
  a: name(days, true),
  j: ['\\d{1,3}', (draft, text) => void (draft.yearDay = Number(text))],
  z: zone('Z|[+-]\\d{2}:?\\d{2}'),
  Z: zone('[A-Z]{3,5}'),
  s: ['-?\\d+', (draft, text) => void (draft.unix = BigInt(text))],
};

/** Reads a text by strptime verbs. @throws RunError */
export function parseStrptime(text: string, layout: string): Timestamp {
  const readers: Reader[] = [];
  const expanded = layout
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%R', '%H:%M')
    .replaceAll('%D', '%m/%d/%y');
  const pattern = expanded
    .split(/(%.)/s)
    .map((part) => {
      if (!/^%./s.test(part)) return escapeRegex(part);
      if (part === '%%') return '%';
      const reader = strptimeReaders[part.charAt(1)];
      if (reader === undefined)
        throw new RunError(`failed to parse format: unknown directive ${part}`);
      readers.push(reader);
      return `(${reader[0]})`;
    })
    .join('');
  return read(text, pattern, readers, layout);
}

function read(text: string, pattern: string, readers: Reader[], layout: string): Timestamp {
  const refuse = () =>
    new RunError(
      `parsing time ${JSON.stringify(text.slice(0, 60))} as ${JSON.stringify(layout)}: cannot parse`,
    );
  const found = new RegExp(`^${pattern}$`, 'i').exec(text);
  if (!found) throw refuse();
  const draft: Draft = { year: 0, month: 0, day: 1, hour: 0, minute: 0, second: 0, nanosecond: 0 };
  if (!/2006|%Y|06|%y/.test(layout)) draft.year = 0;
  for (const [index, [, take]] of readers.entries()) {
    const part = found[index + 1];
    if (part !== undefined) take(draft, part);
  }
  if (draft.unix !== undefined)
    return new Timestamp(draft.unix * 1_000_000_000n + BigInt(draft.nanosecond));
  if (draft.pm !== undefined) draft.hour = (draft.hour % 12) + (draft.pm ? 12 : 0);
  const date = new Date(0);
  date.setUTCFullYear(
    draft.year,
    draft.yearDay === undefined ? draft.month : 0,
    draft.yearDay ?? draft.day,
  );
  date.setUTCHours(draft.hour, draft.minute, draft.second);
  if (
    draft.hour > 23 ||
    draft.minute > 59 ||
    draft.second > 59 ||
    (draft.yearDay === undefined &&
      (date.getUTCMonth() !== draft.month || date.getUTCDate() !== draft.day))
  )
    throw new RunError(
      `parsing time ${JSON.stringify(text.slice(0, 60))}: a field is out of range`,
    );
  const place = draft.zone ?? 'UTC';
  const offset = place === 'UTC' ? 0 : new Timestamp(0n, place).offsetMinutes;
  return new Timestamp(
    BigInt(date.getTime()) * 1_000_000n +
      BigInt(draft.nanosecond) -
      BigInt(offset) * 60_000_000_000n,
    offset === 0 ? 'UTC' : place,
  );
}

/** The same moment in another zone. @throws RunError for a zone that does not exist. */
export function inZone(time: Timestamp, zoneId: string): Timestamp {
  if (zoneId === 'UTC' || zoneId === '') return new Timestamp(time.nanoseconds, 'UTC');
  const id = zoneId === 'Local' ? 'UTC' : zoneId;
  try {
    zoneOffset(id, 0);
  } catch {
    throw new RunError(`unknown time zone ${zoneId.slice(0, 60)}`);
  }
  return new Timestamp(time.nanoseconds, id);
}
