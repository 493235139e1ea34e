import type { Value } from '@onefold/mapping';

/** A record, as query languages see it. */
export type Row = Readonly<Record<string, Value>>;
export type Predicate = (row: Row) => boolean;

/** Reads one field of records. A path through lists gives a list of all values. */
export type Read = (field: string) => (row: Row) => Value;

export interface LanguageOptions {
  /** Milliseconds since 1970. Results that depend on it are not cached. */
  now: () => number;
  read: Read;
  /** The fields that can be filtered by; every field when absent. */
  fields?: ReadonlySet<string>;
  /** The operators that are allowed, by the names that the language gives them; all when absent. */
  operators?: ReadonlySet<string>;
}

/**
 * A query language of vendors. It has no state.
 * @throws QueryFault when the text is not valid, or names a field or operator that is not allowed
 */
export type Language = (text: Value, options: LanguageOptions) => Predicate;

/** A mistake in a query, as vendors report it to the caller. */
export class QueryFault extends Error {
  constructor(
    message: string,
    /** Character from 0. */
    readonly position = 0,
  ) {
    super(message);
    this.name = 'QueryFault';
  }
}
