import type { SelectQueryBuilder } from 'typeorm';
import { badRequest } from '#contract';
import { type Fields, type Filter, parseFilter, parseOrder } from '#query';
import { filterCondition, understood } from '#store';

/** Fields that the list can be filtered by. */
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
  request_id: { type: 'string', orders: false },
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Reads the direction of the order; `created_at` is the only field to order by. @throws ApiError 400 */
export function readDirection(order: string | null | undefined): 'ASC' | 'DESC' {
  if (order === undefined || order === null) return 'ASC';
  const { direction } = understood('order', () => parseOrder(order, auditFields));
  return direction === 'asc' ? 'ASC' : 'DESC';
}

/** Checks the time to start after, which is that of the last record, to the microsecond. @throws ApiError 400 */
export function checkTime(text: string): string {
  if (time.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw badRequest({
    location: 'query',
    pointer: 'start_after',
    message: 'is not a valid RFC 3339 time',
    remediation: 'Send created_at of the last record of the previous page, unchanged.',
    value: text,
  });
}

/** Adds the conditions of the caller's filters to a query of the records `r`. @throws ApiError 400 */
export function addFilters(
  query: SelectQueryBuilder<object>,
  filters: readonly string[] | null | undefined,
): void {
  for (const [index, text] of (filters ?? []).entries()) {
    const filter = understood('filter', () => parseFilter(text, auditFields));
    const { condition, values } = filterCondition(filter, index, {
      fields: auditFields,
      column: (field) => field, // the table is asked without an entity
    });
    query.andWhere(condition, isExact(filter) ? withExactTime(values, text) : values);
  }
}

/** A filter that compares one time. */
function isExact({ field, operator }: Filter): boolean {
  return field === 'created_at' && !operator.endsWith('in');
}

/** Returns the time as the caller wrote it: milliseconds would lose the microseconds. */
function withExactTime(values: Record<string, unknown>, filter: string): Record<string, unknown> {
  const written = filter
    .slice(filter.indexOf(']') + 1)
    .replaceAll('"', '')
    .trim();
  if (!time.test(written)) return values;
  return Object.fromEntries(Object.keys(values).map((name) => [name, written]));
}
