import type { Value } from '@onefold/mapping';

/** A zone whose offset has minutes, and which does not change in summer. */
const offsetMinutes = 345;
const localTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(:?)(\d\d)$/;

const anyTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)((?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))$/;
const maxTimeLength = 40;

/** The value with its times, if they are written with an offset, as a vendor writes them for a user in Nepal. */
export function inZone(value: Value): Value {
  return rewriteTexts(value, rewrite);
}

/** The value with the times that are written as text so much earlier. */
export function moveBack(value: Value, byMs: number): Value {
  return rewriteTexts(value, (text) => {
    const [, seconds = '', rest = ''] = anyTime.exec(text) ?? [];
    if (seconds === '') return text;
    return `${new Date(Date.parse(`${seconds}Z`) - byMs).toISOString().slice(0, 19)}${rest}`;
  });
}

function rewriteTexts(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return value.length > maxTimeLength ? value : change(value);
  if (Array.isArray(value)) return value.map((one: Value) => rewriteTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, rewriteTexts(one as Value, change)]),
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
