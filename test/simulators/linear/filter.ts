import { failure } from './errors.js';

type Input = Record<string, unknown>;
type Test = (actual: unknown, wanted: unknown) => boolean;

const lower = (value: unknown) => String(value).toLowerCase();
const text = (test: (actual: string, wanted: string) => boolean): Test => {
  return (actual, wanted) =>
    typeof actual === 'string' && typeof wanted === 'string' && test(actual, wanted);
};
const ordered = (test: (difference: number) => boolean): Test => {
  return (actual, wanted) => actual !== null && test(comparable(actual) - comparable(wanted));
};
const equal: Test = (actual, wanted) =>
  actual === wanted || (actual instanceof Date && comparable(actual) === comparable(wanted));
const among: Test = (actual, wanted) => (wanted as unknown[]).some((each) => equal(actual, each));

const comparators: Record<string, Test> = {
  eq: equal,
  neq: (actual, wanted) => !equal(actual, wanted),
  in: among,
  nin: (actual, wanted) => !among(actual, wanted),
  gt: ordered((difference) => difference > 0),
  gte: ordered((difference) => difference >= 0),
  lt: ordered((difference) => difference < 0),
  lte: ordered((difference) => difference <= 0),
  eqIgnoreCase: (actual, wanted) => lower(actual) === lower(wanted),
  neqIgnoreCase: (actual, wanted) => lower(actual) !== lower(wanted),
  contains: text((actual, wanted) => actual.includes(wanted)),
  notContains: text((actual, wanted) => !actual.includes(wanted)),
  containsIgnoreCase: text((actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase())),
  notContainsIgnoreCase: text(
    (actual, wanted) => !actual.toLowerCase().includes(wanted.toLowerCase()),
  ),
  startsWith: text((actual, wanted) => actual.startsWith(wanted)),
  startsWithIgnoreCase: text((actual, wanted) =>
    actual.toLowerCase().startsWith(wanted.toLowerCase()),
  ),
  endsWith: text((actual, wanted) => actual.endsWith(wanted)),
  null: (actual, wanted) => (actual === null) === wanted,
};

/** True if a record matches a filter of Linear: nested filters, comparators, `and`, `or`, and `some` of a list. */
export function fits(record: unknown, filter: Input): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    if (wanted === null) throw failure('INPUT_ERROR', `Argument Validation Error: ${key} is null`);
    if (key === 'and') return (wanted as Input[]).every((each) => fits(record, each));
    if (key === 'or') return (wanted as Input[]).some((each) => fits(record, each));
    if (Array.isArray(record)) return fitsList(record, key, wanted);
    const compare = comparators[key];
    if (compare !== undefined) return compare(record, wanted);
    if (record === null || typeof record !== 'object') return false;
    if (!(key in record)) throw failure('INPUT_ERROR', `The simulator does not filter by ${key}.`);
    return fits((record as Input)[key] ?? null, wanted as Input);
  });
}

/** A condition on a list is true if one of its members matches, unless it says otherwise. */
function fitsList(list: unknown[], key: string, wanted: unknown): boolean {
  if (key === 'length') return fits(list.length, wanted as Input);
  if (key === 'every') return list.every((each) => fits(each, wanted as Input));
  if (key === 'null') return (list.length === 0) === wanted;
  const condition = key === 'some' ? (wanted as Input) : { [key]: wanted };
  return list.some((each) => fits(each, condition));
}

function comparable(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  const period = /^(-?)P(\d+)([DW])$/.exec(String(value));
  if (period !== null) {
    const days = Number(period[2]) * (period[3] === 'W' ? 7 : 1);
    return Date.now() + (period[1] === '-' ? -days : days) * 86_400_000;
  }
  return Date.parse(String(value)); // NaN for an invalid date, which is equal to nothing.
}
