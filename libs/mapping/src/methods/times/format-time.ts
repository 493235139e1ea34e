import { RunError } from '../../language/run-error.js';
import { offsetText, type Timestamp } from '../../language/timestamp.js';
import { four, three, two } from '../../language/calendar.js';
import { kept } from '../collections/kept.js';
import { days, months, Parts } from './time-parts.js';

/** The tokens of Go's reference time, the longer before the shorter. */
export const goTokens =
  /January|Jan|Monday|Mon|MST|2006|Z07:00:00|Z07:00|Z0700|Z07|-07:00:00|-07:00|-0700|-07|[.,]0+(?!\d)|[.,]9+(?!\d)|002|__2|01|02|03|04|05|06|15|PM|pm|_2|1|2|3|4|5/g;

function fraction(parts: Parts, token: string): string {
  const digits = String(parts.nanosecond)
    .padStart(9, '0')
    .slice(0, token.length - 1);
  if (token[1] === '0') return token.charAt(0) + digits;
  const trimmed = digits.replace(/(?<!0)0+$/, '');
  return trimmed === '' ? '' : token.charAt(0) + trimmed;
}

function zoneToken(parts: Parts, token: string): string {
  if (token.startsWith('Z') && parts.offset === 0) return 'Z';
  const text = offsetText(parts.offset);
  if (token.endsWith(':00:00')) return `${text}:00`;
  if (token.includes(':')) return text;
  return token.endsWith('0700') ? text.replace(':', '') : text.slice(0, 3);
}

const monthOf = ({ month }: Parts): string => months[month] as string;
const dayOf = ({ weekday }: Parts): string => days[weekday] as string;
const hour12 = ({ hour }: Parts): number => (hour % 12 === 0 ? 12 : hour % 12);

const goVerbs = {
  January: monthOf,
  Jan: (parts) => monthOf(parts).slice(0, 3),
  Monday: dayOf,
  Mon: (parts) => dayOf(parts).slice(0, 3),
  MST: (parts) => parts.zone,
  '2006': (parts) => four(parts.year),
  '06': (parts) => two(parts.year % 100),
  '01': (parts) => two(parts.month + 1),
  '1': (parts) => String(parts.month + 1),
  '02': (parts) => two(parts.day),
  '2': (parts) => String(parts.day),
  _2: (parts) => String(parts.day).padStart(2),
  '002': (parts) => three(parts.yearDay),
  __2: (parts) => String(parts.yearDay).padStart(3),
  '15': (parts) => two(parts.hour),
  '03': (parts) => two(hour12(parts)),
  '3': (parts) => String(hour12(parts)),
  '04': (parts) => two(parts.minute),
  '4': (parts) => String(parts.minute),
  '05': (parts) => two(parts.second),
  '5': (parts) => String(parts.second),
  PM: (parts) => (parts.hour < 12 ? 'AM' : 'PM'),
  pm: (parts) => (parts.hour < 12 ? 'am' : 'pm'),
} satisfies Readonly<Record<string, (parts: Parts) => string>>;

/** A part of a layout: a text that stays, or what a token writes. */
type Piece = string | ((parts: Parts) => string);

function goPiece(token: string): Piece {
  if (/^[.,]/.test(token)) return (parts) => fraction(parts, token);
  if (token.includes('07')) return (parts) => zoneToken(parts, token);
  return goVerbs[token as keyof typeof goVerbs];
}

/** Makes a function that writes times by a Go reference-time layout such as `2006-01-02T15:04:05Z07:00`. */
export const goFormatter = kept((layout: string): ((time: Timestamp) => string) => {
  const pieces: Piece[] = [];
  let last = 0;
  for (const { 0: token, index } of layout.matchAll(goTokens)) {
    if (index > last) pieces.push(layout.slice(last, index));
    pieces.push(goPiece(token));
    last = index + token.length;
  }
  if (last < layout.length) pieces.push(layout.slice(last));
  return (time) => {
    const parts = new Parts(time);
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : piece(parts);
    return text;
  };
});

const clock = ({ hour, minute, second }: Parts): string =>
  `${two(hour)}:${two(minute)}:${two(second)}`;
const date = (parts: Parts): string =>
  `${String(parts.day).padStart(2)}-${monthOf(parts).slice(0, 3)}-${parts.year}`;
const american = ({ year, month, day }: Parts): string =>
  `${two(month + 1)}/${two(day)}/${two(year % 100)}`;

const verbs: Readonly<Record<string, (parts: Parts) => string>> = {
  Y: (parts) => String(parts.year),
  y: (parts) => two(parts.year % 100),
  m: (parts) => two(parts.month + 1),
  d: (parts) => two(parts.day),
  e: (parts) => String(parts.day).padStart(2),
  H: (parts) => two(parts.hour),
  I: (parts) => two(hour12(parts)),
  M: (parts) => two(parts.minute),
  S: (parts) => two(parts.second),
  f: (parts) => String(Math.floor(parts.nanosecond / 1000)).padStart(6, '0'),
  L: (parts) => three(Math.floor(parts.nanosecond / 1e6)),
  p: (parts) => (parts.hour < 12 ? 'AM' : 'PM'),
  B: monthOf,
  b: (parts) => monthOf(parts).slice(0, 3),
  h: (parts) => monthOf(parts).slice(0, 3),
  A: dayOf,
  a: (parts) => dayOf(parts).slice(0, 3),
  j: (parts) => three(parts.yearDay),
  Z: (parts) => parts.zone,
  z: (parts) => offsetText(parts.offset).replace(':', ''),
  s: (parts) => String(parts.unix),
  u: (parts) => String(parts.weekday || 7),
  w: (parts) => String(parts.weekday),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
  F: (parts) => `${parts.year}-${two(parts.month + 1)}-${two(parts.day)}`,
  T: clock,
  R: (parts) => `${two(parts.hour)}:${two(parts.minute)}`,
  D: american,
  C: (parts) => two(Math.floor(parts.year / 100)),
  c: (parts) => `${date(parts)} ${clock(parts)}`,
  v: date,
  X: clock,
  x: american,
};

/** Formats by strftime verbs. */
export function formatStrftime(time: Timestamp, layout: string): string {
  const parts = new Parts(time);
  return layout.replace(/%(.)/gs, (all, letter: string) => {
    const write = Object.hasOwn(verbs, letter) ? verbs[letter] : undefined;
    if (write === undefined)
      throw new RunError(`failed to parse format: unknown specification ${all}`);
    return write(parts);
  });
}
