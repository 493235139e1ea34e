import { refuse } from './refusals.js';
import type { Operand } from './jql-syntax.js';
import type { User } from './site.js';

const units = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000 } as const;

/** Reads a date of JQL as epoch milliseconds: days and minutes (never seconds), offsets from now, or milliseconds. */
export function readDate(field: string, operand: Operand): number {
  if (operand.kind === 'function' && operand.name === 'now') return Date.now();
  const text = operand.kind === 'value' ? operand.value : '';
  if (/^\d{10,}$/.test(text)) return Number(text);
  const moment = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?: (\d{1,2}):(\d{2}))?$/.exec(text);
  if (moment !== null) {
    const [year = 0, month = 1, day = 1, hours = 0, minutes = 0] = moment
      .slice(1)
      .map((part?: string) => Number(part ?? 0));
    return Date.UTC(year, month - 1, day, hours, minutes);
  }
  if (/^[-+]?(?:\d+[wdhm]\s*)+$/.test(text)) return Date.now() + distance(text);
  throw refuse(400, [
    `Date value '${text}' for field '${field}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', ` +
      "'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
  ]);
}

function distance(text: string): number {
  const sum = [...text.matchAll(/(\d+)([wdhm])/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * units[unit as keyof typeof units],
    0,
  );
  return text.startsWith('-') ? -sum : sum;
}

/** Returns the text of an operand; `currentUser()` is the account of the caller. */
export function readText(operand: Operand, user: User): string {
  if (operand.kind === 'value') return operand.value;
  if (operand.kind === 'function' && operand.name === 'currentuser') return user.accountId;
  throw refuse(400, ['The operand is not supported by the field.']);
}

/** `~`: every word occurs, `word*` as a prefix, and text in quotes occurs unchanged. */
export function containsWords(text: string, pattern: string): boolean {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const phrase = /^"(.*)"$/.exec(pattern)?.[1];
  const wanted: string[] = (phrase ?? pattern).toLowerCase().match(/[\p{L}\p{N}_*]+/gu) ?? [];
  if (phrase !== undefined) return ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `);
  return wanted.every((want) =>
    want.endsWith('*')
      ? words.some((word) => word.startsWith(want.slice(0, -1)))
      : words.includes(want),
  );
}
