/** The forms of HTTP dates (RFC 9110, 5.6.7), and that of e-mail with an offset; names of days and months are English. */
const httpDate =
  /^(?:[a-z]{3,9},? +)?\d{1,2}[ -][a-z]{3}[ -](?:\d{4}|\d{2}) \d{1,2}:\d\d:\d\d(?: *(gmt|utc|z|[+-]\d\d:?\d\d))?$/i;
const asctime = /^[a-z]{3} [a-z]{3} \d{1,2} \d\d:\d\d:\d\d \d{4}$/i;
const isoDate =
  /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(z|utc|gmt|[+-]\d\d(?::?\d\d)?))?$/i;

/**
 * Reads a time of another system: RFC 3339, a part of ISO 8601 and the dates of HTTP; UTC where no zone is written. `Date.parse` alone
 * takes nearly any text, such as "-3", and reads times without a zone in that of the machine.
 * @returns epoch milliseconds; undefined for what is not a time
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim().replace(/ +/g, ' ');
  const ms = isoDate.test(trimmed) ? readIso(trimmed) : readHttpDate(trimmed);
  return Number.isNaN(ms) ? undefined : ms;
}

function readIso(text: string): number {
  const zone = isoDate.exec(text)?.[1] ?? '';
  const local = text.slice(0, text.length - zone.length).trim();
  const offset = /^[+-]/.test(zone) ? zone.replace(':', '').padEnd(5, '0') : '+0000';
  const iso = local.replace(' ', 'T').replace(',', '.');
  return Date.parse(`${iso}${offset.slice(0, 3)}:${offset.slice(3)}`);
}

function readHttpDate(text: string): number {
  if (asctime.test(text)) return Date.parse(`${text} GMT`);
  const found = httpDate.exec(text);
  if (found === null) return NaN;
  return Date.parse(found[1] === undefined ? `${text} GMT` : text);
}
