import type { SelectQueryBuilder } from 'typeorm';
import { badRequest } from '#contract';
import { type Fields, type Filter, likePattern, parseFilter, parseOrder } from '#query';
import { understood } from '#store';

/** What the list filters by. */
export const auditFields: Fields = {
  created_at: { type: 'datetime' },
  environment: { type: 'string', orders: false },
  remote_addr: { type: 'string', orders: false },
  user_agent: { type: 'string', orders: false },
  audit_type: { type: 'enum', values: ['ALARM', 'ERROR', 'API', 'UNKNOWN'], orders: false },
  method: {
    type: 'enum',
    values: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'],
    orders: false,
  },
  path: { type: 'string', orders: false },
  code: { type: 'string', orders: false },
  status: { type: 'string', orders: false },
  member_id: { type: 'string', orders: false },
  account_id: { type: 'string', orders: false },
  integration_id: { type: 'string', orders: false },
  bridge_group_id: { type: 'string', orders: false },
};

const comparisons: Record<string, string> = {
  eq: '=',
  neq: 'is distinct from',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** The direction of an order: there is one field to order by. @throws ApiError 400 */
export function readDirection(order: string | null | undefined): 'ASC' | 'DESC' {
  if (order === undefined || order === null) return 'ASC';
  const { direction } = understood('order', () => parseOrder(order, auditFields));
  return direction === 'asc' ? 'ASC' : 'DESC';
}

/** Start-after is the time of the last record, to the microsecond. @throws ApiError 400 */
export function checkTime(text: string): string {
  if (time.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw badRequest({
    location: 'query',
    pointer: 'start_after',
    message: 'is no time',
    remediation: 'Send created_at of the last record of the page before, as it came.',
    value: text,
  });
}

/** Adds the conditions of a caller's filters on the records `r`. @throws ApiError 400 */
export function addFilters(
  query: SelectQueryBuilder<object>,
  filters: readonly string[] | null | undefined,
): void {
  for (const [index, text] of (filters ?? []).entries()) {
    const filter = understood('filter', () => parseFilter(text, auditFields));
    const name = `filter_${index}`;
    const { condition, value } = conditionOf(filter, text, name);
    query.andWhere(condition, { [name]: value });
  }
}

function conditionOf(
  { field, operator, values }: Filter,
  text: string,
  name: string,
): { condition: string; value: unknown } {
  const column = `r.${field}`;
  const [first] = values;
  switch (operator) {
    case 'in':
    case 'not in': {
      const listed = `${column} = any(:${name})`;
      const condition = operator === 'in' ? listed : `(${column} is null or not ${listed})`;
      const times = () => values.map((one) => new Date(one as number));
      return { condition, value: field === 'created_at' ? times() : values };
    }
    case 'like':
    case 'not like': {
      const like = `${column} ilike :${name}`;
      const pieces = likePattern(String(first)).map((one) => one.replaceAll(/[\\%_]/g, '\\$&'));
      const condition = operator === 'like' ? like : `(${column} is null or not ${like})`;
      return { condition, value: pieces.join('%') };
    }
    default:
      return {
        condition: `${column} ${comparisons[operator]} :${name}`,
        // As it was written: numbers of milliseconds would lose its microseconds.
        value: field === 'created_at' ? exactTime(text, first) : first,
      };
  }
}

function exactTime(filter: string, milliseconds: unknown): unknown {
  const written = filter
    .slice(filter.indexOf(']') + 1)
    .replaceAll('"', '')
    .trim();
  return time.test(written) ? written : new Date(milliseconds as number);
}
