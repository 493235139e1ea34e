import type { Value } from '@onefold/mapping';

/** A zone whose offset has minutes, and which does not change in summer. */
const offsetMinutes = 345;
const localTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(:?)(\d\d)$/;

const anyTime = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)((?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)$/;
const maxTimeLength = 40;
/** Ids that are times: of messages of Teams in milliseconds, and of Slack in seconds. */
const millisecondsText = /^1\d{12}$/;
const secondsText = /^(1\d{9})(\.\d{6})$/;
const timeName = /(?:time(?:stamp)?|date|seen|created|updated|modified|_at|At|_ms)$/;
/** Smallest numbers that are taken for a time: September 2001 in seconds and in milliseconds. */
const [minSeconds, minMilliseconds] = [1e9, 1e12];

/** The value with its times, if they are written with an offset, as a vendor writes them for a user in Nepal. */
export function inZone(value: Value): Value {
  return rewriteTexts(value, rewrite);
}

/** The value with its times so much earlier: texts of ISO 8601 and of numbers that only a time is, and numbers of fields named as times. */
export function moveBack(value: Value, byMs: number): Value {
  return rewriteTexts(
    value,
    (text) => {
      const [, day = '', separator = '', time = '', rest = ''] = anyTime.exec(text) ?? [];
      if (day !== '') {
        const moved = new Date(Date.parse(`${day}T${time}Z`) - byMs).toISOString();
        return `${moved.slice(0, 10)}${separator}${moved.slice(11, 19)}${rest}`;
      }
      if (millisecondsText.test(text)) return String(Number(text) - byMs);
      const [, whole, fraction] = secondsText.exec(text) ?? [];
      return whole === undefined ? text : `${Number(whole) - byMs / 1000}${fraction}`;
    },
    (number, name) => {
      if (!timeName.test(name) || number < minSeconds) return number;
      return number < minMilliseconds ? number - byMs / 1000 : number - byMs;
    },
  );
}

function rewriteTexts(
  value: Value,
  change: (text: string) => string,
  changeNumber: (number: number, name: string) => number = (number) => number,
  name = '',
): Value {
  if (typeof value === 'string') return value.length > maxTimeLength ? value : change(value);
  if (typeof value === 'number') return changeNumber(value, name);
  if (Array.isArray(value))
    return value.map((one: Value) => rewriteTexts(one, change, changeNumber, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      rewriteTexts(one as Value, change, changeNumber, key),
    ]),
  );
}

function rewrite(text: string): string {
  const found = localTime.exec(text);
  if (found === null) return text;
  const [, second = '', fraction = '', sign, hours, colon, minutes] = found;
  const own = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const at = Date.parse(`${second}Z`) + (offsetMinutes - own) * 60_000;
  return `${new Date(at).toISOString().slice(0, 19)}${fraction}+05${colon}45`;
}
