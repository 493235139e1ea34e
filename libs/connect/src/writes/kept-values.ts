import { isDeepStrictEqual } from 'node:util';
import { instantOf } from '#query';

/** Part of a record that was sent, and what the record has after it was written. */
export interface LostValue {
  /** Path in the record, such as `['custom_fields', 'severity']`. */
  path: readonly string[];
  sent: unknown;
  kept: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Maximum depth that is compared; what is deeper is compared as a whole. */
const maxDepth = 20;

/** Finds the values of a new record that it does not have when it is read back. Fields without a value were not sent. */
export function findLostValues(sent: Fields, kept: Fields): LostValue[] {
  return compareFields([], undefined, sent, kept);
}

/** The same for a patch: only what it changed or removed is compared. */
export function findLostChanges(before: Fields, sent: Fields, kept: Fields): LostValue[] {
  return compareFields([], before, sent, kept);
}

function compareFields(
  path: readonly string[],
  before: Fields | undefined,
  sent: Fields,
  kept: Fields,
): LostValue[] {
  const names = new Set([...Object.keys(sent), ...Object.keys(before ?? {})]);
  return [...names].flatMap((name) => {
    const at = [...path, name];
    const now = before && (own(before, name) ?? null);
    return compare(at, now, own(sent, name), own(kept, name));
  });
}

/** @param before undefined of a new record */
function compare(
  path: readonly string[],
  before: unknown,
  sent: unknown,
  kept: unknown,
): LostValue[] {
  if (before === undefined ? isEmpty(sent) : isDeepStrictEqual(before, sent ?? null)) return [];
  if (isFields(sent) && path.length < maxDepth) {
    const inner = before === undefined ? undefined : isFields(before) ? before : {};
    return compareFields(path, inner, sent, isFields(kept) ? kept : {});
  }
  return isSame(sent, kept) ? [] : [{ path, sent, kept }];
}

/** Tells whether a provider kept a value: times are instants, the blanks and order of texts and lists do not count. */
function isSame(sent: unknown, kept: unknown): boolean {
  if (isEmpty(sent) || isEmpty(kept)) return isEmpty(sent) && isEmpty(kept);
  if (Array.isArray(sent)) return Array.isArray(kept) && isSameList(sent, kept);
  if (isFields(sent)) {
    const other = isFields(kept) ? kept : {};
    return Object.keys(sent).every(
      (name) => isEmpty(sent[name]) || isSame(sent[name], own(other, name)),
    );
  }
  if (typeof kept === 'object') return false;
  if (textOf(sent) === textOf(kept)) return true;
  const [number, otherNumber] = [numberOf(sent), numberOf(kept)];
  if (number !== undefined && number === otherNumber) return true;
  const seconds = secondsOf(sent);
  return seconds !== undefined && seconds === secondsOf(kept);
}

/** Providers keep many lists, such as labels, as sets. */
function isSameList(sent: readonly unknown[], kept: readonly unknown[]): boolean {
  const isPlain = [...sent, ...kept].every((one) => typeof one !== 'object');
  if (isPlain) {
    const [one, other] = [new Set(sent.map(textOf)), new Set(kept.map(textOf))];
    return one.size === other.size && [...one].every((text) => other.has(text));
  }
  return sent.length === kept.length && sent.every((one, index) => isSame(one, kept[index]));
}

function textOf(value: unknown): string {
  return String(value).replace(/\s+/g, ' ').trim();
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'bigint') return undefined; // would lose digits
  return /^-?\d{1,15}(?:\.\d+)?$/.test(textOf(value)) ? Number(value) : undefined;
}

/** Milliseconds since 1970 are times from here on; smaller numbers are numbers. */
const minTimeMs = 1e11;

/** Whole seconds of a time, which many providers keep without its fraction; undefined of other values. */
function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number' && value < minTimeMs) return undefined;
  const ms = instantOf(value);
  return ms === undefined ? undefined : Math.floor(ms / 1000);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}
