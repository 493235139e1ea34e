import { parseExact } from '../../parts/mappings/exact-json.js';
import { leavesOf } from '../../parts/mappings/fields.js';

/** Characters of an answer that are compared at most. */
const maxCompared = 2_000_000;
/** Texts of values that say nothing. */
const empty = new Set(['null', '""', '[]', '{}']);

/** Records of an answer that can be compared, or the reason why there are none. */
export type Content = { records: readonly object[] } | 'too large' | 'no records';

/** Reads the records of an answer; a single one is a list of one. */
export function contentOf(text: string): Content {
  if (text.length > maxCompared) return 'too large';
  try {
    const { result } = parseExact(text) as { result?: unknown };
    const all = Array.isArray(result) ? (result as unknown[]) : [result];
    return all.every(isObject) ? { records: all } : 'no records';
  } catch {
    return 'no records'; // a text that is not JSON, such as a file
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Verdict = 'differs' | 'first' | 'second' | 'same';

/** A field of the records of two systems. */
export interface ComparedField {
  /** `custom_fields.site` */
  field: string;
  /** Numbers of records of each system in which it is filled. */
  counts: readonly [first: number, second: number];
  /** Its values in the two records that are compared; undefined where it is not filled. */
  values: readonly [first: string | undefined, second: string | undefined];
  /** `first` and `second`: only that system fills it, in whatever record. */
  verdict: Verdict;
}

/** Values of the filled fields of a record. */
export type Filled = ReadonlyMap<string, string>;

/** Reads the filled fields of records: values that are not empty, down to those that are not objects. */
export function filledFields(records: readonly object[]): readonly Filled[] {
  return records.map(
    (one) => new Map([...leavesOf(one)].filter(([name, text]) => name !== '' && !empty.has(text))),
  );
}

/**
 * Compares two records field by field, and says which fields only one of the systems fills in any of its records.
 * @param order names of fields in the order of the contract; others come after them
 */
export function compareFields(
  all: readonly [first: readonly Filled[], second: readonly Filled[]],
  pair: readonly [first: number, second: number],
  order: readonly string[],
): ComparedField[] {
  const names = new Set(all.flat().flatMap((one) => [...one.keys()]));
  const placeOf = (field: string) => {
    const at = order.indexOf(field.split('.')[0] ?? '');
    return at === -1 ? order.length : at;
  };
  return [...names]
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((field) => {
      const [first, second] = all.map((records) => records.filter((one) => one.has(field)).length);
      const counts = [first ?? 0, second ?? 0] as const;
      const values = [all[0][pair[0]]?.get(field), all[1][pair[1]]?.get(field)] as const;
      return { field, counts, values, verdict: verdictOf(counts, values) };
    });
}

function verdictOf(
  [first, second]: ComparedField['counts'],
  [one, other]: ComparedField['values'],
): Verdict {
  if (second === 0) return 'first';
  if (first === 0) return 'second';
  return one !== undefined && one === other ? 'same' : 'differs';
}

/** The place of the record with the same id, or else of the first one. */
export function counterpartOf(record: object | undefined, others: readonly object[]): number {
  const idOf = (one: object | undefined) => (one as { id?: unknown } | undefined)?.id;
  const id = idOf(record);
  return id === undefined
    ? 0
    : Math.max(
        0,
        others.findIndex((one) => idOf(one) === id),
      );
}
