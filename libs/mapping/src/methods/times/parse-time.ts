import { RunError } from '../../language/run-error.js';
import { epochSecondOf, fixedOffset, Timestamp } from '../../language/timestamp.js';
import { fixedReader } from './fixed-time.js';
import { goTokens } from './format-time.js';
import { kept } from '../collections/kept.js';
import { days, months } from './time-parts.js';
import { momentAt } from './time-values.js';

/** The parts of a time that are read so far, before they are a moment. */
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

/** A layout as what it reads: a pattern, and what to do with its groups. */
interface Form {
  pattern: RegExp;
  readers: readonly Reader[];
}

/** Fields that may have one digit or two can be read in many ways when there are many of them. */
const maxOpenFields = 12;

function form(pattern: string, readers: readonly Reader[]): Form {
  const open = readers.filter(([one]) => /\{1,|[?+*]/.test(one)).length;
  if (open > maxOpenFields)
    throw new RunError(`a layout has at most ${maxOpenFields} fields without a fixed length`);
  return { pattern: new RegExp(`^${pattern}$`, 'i'), readers };
}

/** Makes a function that reads texts by a Go layout, and throws a RunError for those that do not fit. */
export const goParser = kept((layout: string): ((text: string) => Timestamp) => {
  const form = goForm(layout);
  const readFixed = fixedReader(layout);
  return (text) => readFixed?.(text) ?? read(text, form, layout);
});

const goForm = (layout: string): Form => {
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
  return form(pattern, readers);
};

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
  return read(text, strptimeForm(layout), layout);
}

const strptimeForm = kept((layout: string): Form => {
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
  return form(pattern, readers);
});

function read(text: string, { pattern, readers }: Form, layout: string): Timestamp {
  const refuse = () =>
    new RunError(
      `parsing time ${JSON.stringify(text.slice(0, 60))} as ${JSON.stringify(layout)}: cannot parse`,
    );
  const found = pattern.exec(text);
  if (!found) throw refuse();
  const draft: Draft = { year: 0, month: 0, day: 1, hour: 0, minute: 0, second: 0, nanosecond: 0 };
  for (const [index, [, take]] of readers.entries()) {
    const part = found[index + 1];
    if (part !== undefined) take(draft, part);
  }
  if (draft.unix !== undefined)
    return momentAt(draft.unix * 1_000_000_000n + BigInt(draft.nanosecond));
  if (draft.pm !== undefined) draft.hour = (draft.hour % 12) + (draft.pm ? 12 : 0);
  const { year, month, day, hour, minute, second, yearDay } = draft;
  const seconds =
    yearDay === undefined
      ? epochSecondOf(year, month + 1, day, hour, minute, second)
      : epochSecondOf(year, 1, 1, hour, minute, second);
  if (seconds === undefined)
    throw new RunError(
      `parsing time ${JSON.stringify(text.slice(0, 60))}: a field is out of range`,
    );
  const local = yearDay === undefined ? seconds : seconds + (yearDay - 1) * 86_400;
  const place = draft.zone ?? 'UTC';
  const offset = place === 'UTC' ? 0 : (fixedOffset(place) ?? 0);
  return new Timestamp(local - offset * 60, draft.nanosecond, offset === 0 ? 'UTC' : place);
}
