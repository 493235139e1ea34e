import { type Fields, isFields, readFields, readJson, textIn } from './read-fields.js';

/** The refusal of a token endpoint. */
export interface Refusal {
  /** The code, as RFC 6749 (5.2) has it, or one of the vendor. */
  code?: string;
  /** The words for a person. They may repeat a secret. */
  words?: string;
}

const maxLength = 500;
const codes = ['error', 'errorCode', 'error_code', 'code', 'Code', 'status'];
const descriptions = [
  'error_description',
  'errorSummary',
  'error_message',
  'errorMessage',
  'message',
  'Message',
  'detail',
  'details',
  'title',
  'reason',
  'faultstring',
  'description',
  'errorText',
];
const inner = ['error', 'fault', 'errors', 'meta', 'response'];

/**
 * Reads the refusal of a token endpoint in the forms that are in use: that of RFC 6749, lists of errors, an error within an error, a form,
 * the title of a page, and plain text.
 * @param mask takes secrets out of the words. It runs before they are cut, because a part of a secret would not be recognized.
 */
export function readRefusal(
  text: string,
  mask: (words: string) => string = (words) => words,
): Refusal {
  const fields = readFields(text) ?? firstFields(readJson(text));
  if (fields === undefined) {
    const words = mask(wordsOfPage(text)).slice(0, maxLength);
    return words === '' ? {} : { words };
  }
  const places = placesIn(fields);
  const code = firstOf(places, codes);
  const words = firstOf(places, descriptions);
  const said = [code, words].filter((one, at, all) => one !== undefined && all.indexOf(one) === at);
  return {
    ...(code === undefined ? {} : { code }),
    ...(said.length === 0 ? {} : { words: mask(said.join(' ')).slice(0, maxLength) }),
  };
}

/** The fields themselves, then those inside that describe an error. */
function placesIn(fields: Fields): Fields[] {
  const described = inner
    .map((name) => firstFields(fields[name]))
    .filter((one): one is Fields => one !== undefined);
  const listed = Array.isArray(fields['errors']) ? (fields['errors'] as unknown[])[0] : undefined;
  return [fields, ...described, ...(typeof listed === 'string' ? [{ message: listed }] : [])];
}

function firstFields(value: unknown): Fields | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return isFields(one) ? one : undefined;
}

function firstOf(places: readonly Fields[], names: readonly string[]): string | undefined {
  for (const place of places) {
    const found = textIn(place, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The title or the first heading of a page, or the text of anything else, without markup. */
function wordsOfPage(text: string): string {
  const begin = text.slice(0, 20_000);
  const title = /<(title|h1)\b[^<>]{0,200}>([^<]{1,500})</i.exec(begin)?.[2];
  return (title ?? begin.replaceAll(/<[^<>]{0,1000}>/g, ' ')).replaceAll(/\s+/g, ' ').trim();
}
