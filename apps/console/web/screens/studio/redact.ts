import { parseExact, printExact } from '../../parts/mappings/exact-json.js';

const minTimeLength = 19;

/** A record as JSON in which every text and number is another one of the same kind, so that it can be shown to others. */
export function redact(sample: string): string {
  return printExact(redacted(parseExact(sample)));
}

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redacted(one)]));
  return typeof value === 'string' ? redactText(value) : value;
}

/** Texts keep their length, and times stay times: mappings read them. Numbers are texts of digits here, and stay numbers. */
function redactText(text: string): string {
  if (text.length >= minTimeLength && /^\d{4}-\d{2}-\d{2}T/.test(text))
    return '2000-01-01T00:00:00Z';
  if (text.startsWith('\u0000')) return '\u00000';
  return text.replaceAll(/[\p{L}\p{N}]/gu, (one) => {
    if (/\p{N}/u.test(one)) return '0';
    return /\p{Lu}/u.test(one) ? 'X' : 'x';
  });
}
