import type { Value } from '@onefold/mapping';

/** A zone whose offset has minutes, and which does not change in summer. */
const offsetMinutes = 345;
const localTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(:?)(\d\d)$/;

/** The value with its times, if they are written with an offset, as a vendor writes them for a user in Nepal. */
export function inZone(value: Value): Value {
  if (typeof value === 'string') return value.length > 32 ? value : rewrite(value);
  if (Array.isArray(value)) return value.map(inZone);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inZone(one as Value)]));
}

function rewrite(text: string): string {
  const found = localTime.exec(text);
  if (found === null) return text;
  const [, second = '', fraction = '', sign, hours, colon, minutes] = found;
  const own = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const at = Date.parse(`${second}Z`) + (offsetMinutes - own) * 60_000;
  return `${new Date(at).toISOString().slice(0, 19)}${fraction}+05${colon}45`;
}
