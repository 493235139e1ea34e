import type { Value } from '@onefold/mapping';
import { type LanguageOptions, type Predicate, QueryFault, type Row } from './language.js';

export const every =
  (all: readonly Predicate[]): Predicate =>
  (row) =>
    all.every((one) => one(row));

export const some =
  (all: readonly Predicate[]): Predicate =>
  (row) =>
    all.some((one) => one(row));

export const not =
  (one: Predicate): Predicate =>
  (row) =>
    !one(row);

/** All values of a field: none where it is null, several where it is a list. */
export function valuesOf(value: Value): readonly Value[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** True for records of which one value of the field passes. */
export function anyValue(reader: (row: Row) => Value, test: (value: Value) => boolean): Predicate {
  return (row) => {
    const value = reader(row);
    if (value === null || value === undefined) return false;
    return Array.isArray(value) ? value.some(test) : test(value);
  };
}

/** The reader of a field. @throws QueryFault where it cannot be filtered by */
export function fieldReader(
  { read, fields }: LanguageOptions,
  field: string,
  at: number,
): (row: Row) => Value {
  if (fields !== undefined && !fields.has(field))
    throw new QueryFault(`cannot filter by "${field}"`, at);
  return read(field);
}

/** @throws QueryFault where the operator is not allowed */
export function checkOperator({ operators }: LanguageOptions, operator: string, at: number): void {
  if (operators !== undefined && !operators.has(operator))
    throw new QueryFault(`the operator "${operator}" is not supported`, at);
}

const isoTime =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The time that a text is, in milliseconds; undefined for other texts. */
export function timeOf(text: string): number | undefined {
  if (!isoTime.test(text)) return undefined;
  // A time without a zone is UTC, as a date is.
  const zoned = text.length > 10 && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text;
  const time = Date.parse(zoned.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}

/** A literal of a query, read once for all records. */
export class Literal {
  private readonly number: number | undefined;
  private readonly time: number | undefined;
  private readonly folded: string;

  /** @param isCaseSensitive false compares texts in lower case */
  constructor(
    readonly value: Value,
    private readonly isCaseSensitive = false,
  ) {
    const text = typeof value === 'string' ? value : String(value);
    this.number = typeof value === 'number' ? value : toNumber(text);
    this.time = typeof value === 'string' ? timeOf(value) : undefined;
    this.folded = this.fold(text);
  }

  equals(other: Value): boolean {
    if (typeof other === 'string') {
      if (this.time !== undefined) {
        const time = timeOf(other);
        if (time !== undefined) return time === this.time;
      }
      return this.fold(other) === this.folded;
    }
    if (typeof other === 'number') return other === this.number;
    return String(other) === this.folded;
  }

  /** Below 0 where the other value is less than the literal; undefined where they cannot be compared. */
  compare(other: Value): number | undefined {
    if (typeof other === 'number')
      return this.number === undefined ? undefined : other - this.number;
    if (typeof other !== 'string') return undefined;
    if (this.time !== undefined) {
      const time = timeOf(other);
      if (time !== undefined) return time - this.time;
    }
    const text = this.fold(other);
    return text < this.folded ? -1 : text > this.folded ? 1 : 0;
  }

  /** Compares by one of < <= > >=. */
  test(operator: string): (other: Value) => boolean {
    const wanted = comparisons[operator];
    if (wanted === undefined) throw new TypeError(`unknown comparison ${operator}`);
    return (other) => {
      const compared = this.compare(other);
      return compared !== undefined && wanted(compared);
    };
  }

  contains(other: Value, where: 'start' | 'end' | 'anywhere'): boolean {
    if (typeof other !== 'string' && typeof other !== 'number') return false;
    const text = this.fold(String(other));
    if (where === 'start') return text.startsWith(this.folded);
    return where === 'end' ? text.endsWith(this.folded) : text.includes(this.folded);
  }

  private fold(text: string): string {
    return this.isCaseSensitive ? text : text.toLowerCase();
  }
}

const comparisons: Readonly<Record<string, (compared: number) => boolean>> = {
  '<': (compared) => compared < 0,
  '<=': (compared) => compared <= 0,
  '>': (compared) => compared > 0,
  '>=': (compared) => compared >= 0,
};

/** A pattern in which `*` stands for any text, and perhaps `?` for one character. */
export function wildcard(
  text: string,
  options: { single?: boolean; exact?: boolean } = {},
): RegExp {
  const escaped = text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^]*');
  const source = escaped.replaceAll('?', options.single ? '[^]' : '\\?');
  return new RegExp(`^${source}$`, options.exact ? '' : 'i');
}

function toNumber(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
