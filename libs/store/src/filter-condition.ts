import { type Fields, type Filter, likePattern } from '#query';
import type { Condition } from './limits.js';
import { camelCase, snakeCase } from './naming.js';

const comparisons: Record<string, string> = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** The beginning of the names of fields of the account that a record belongs to. */
const accountPrefix = 'account.';

/** A filter as a condition on the row `r`. @param index distinguishes its parameters from those of other filters */
export function filterCondition(
  { field, operator, values }: Filter,
  index: number,
  {
    fields,
    account,
    overlaps: overlapsOf = {},
    column: columnOf = camelCase,
  }: {
    fields: Fields;
    account?: string;
    overlaps?: Readonly<Record<string, (values: string) => string>>;
    column?: (field: string) => string;
  },
): Condition {
  const isOfAccount = field.startsWith(accountPrefix);
  const column = isOfAccount ? `a.${field.slice(accountPrefix.length)}` : `r.${columnOf(field)}`;
  const type = fields[field]?.type;
  const name = `filter_${index}`;
  const one = (condition: string, value: unknown): Condition => ({
    condition: isOfAccount ? onAccount(account, condition) : condition,
    values: { [name]: value },
  });
  const negative = operator === 'neq' || operator.startsWith('not');
  const all = values.map((value) => (type === 'datetime' ? new Date(value as number) : value));
  if (type === 'list') {
    const overlaps = overlapsOf[field]?.(`:${name}`) ?? `${column} && :${name}`;
    return one(negative ? `not (${overlaps})` : overlaps, values.map(String));
  }
  switch (operator) {
    case 'in':
      return one(`${column} = any(:${name})`, all);
    case 'not in':
      return one(`(${column} is null or not ${column} = any(:${name}))`, all);
    case 'like':
    case 'not like': {
      const alike = `${column} ilike :${name}`;
      const pattern = toLikePattern(String(values[0]));
      return one(negative ? `(${column} is null or not ${alike})` : alike, pattern);
    }
    case 'neq':
      return one(`${column} is distinct from :${name}`, all[0]);
    default:
      return one(`${column} ${comparisons[operator]} :${name}`, all[0]);
  }
}

/** The pattern of PostgreSQL's `ilike` for the value of a filter by `like`. */
export function toLikePattern(value: string): string {
  const pieces = likePattern(value);
  return pieces.map((piece) => piece.replaceAll(/[\\%_]/g, '\\$&')).join('%');
}

/** A condition on the account `a` as one on the row `r`, which does not pass without an account. */
function onAccount(account = 'accountId', condition: string): string {
  return `exists (select 1 from accounts a where a.id = r.${snakeCase(account)} and ${condition})`;
}
