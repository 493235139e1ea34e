import type { OperationId } from '#contract';
import { managementOperations, operationOf } from '../../api/operations.js';

/** Limits of the list; an empty text limits nothing. All of it is in the address. */
export interface AuditFilter {
  what: string;
  operation: string;
  member: string;
  /** Id of a record, or a part of a path. */
  record: string;
  from: string;
  to: string;
}

export const kinds = {
  '': { label: 'Changes', filters: ['audit_type[eq]API', 'status[eq]succeeded'] },
  refused: { label: 'Refused or failed', filters: ['status[in]refused,failed'] },
  alarms: { label: 'Alarms', filters: ['audit_type[eq]ALARM'] },
  all: { label: 'Everything, with reads', filters: [] },
} as const;

/** Fields that records have of their own; other records are found by their path. */
const fieldByPrefix: Record<string, string> = {
  acc_: 'account_id',
  int_: 'integration_id',
};
/** The id of a request, which is the end of `instance` of the problem that was answered. */
const requestId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function readFilter(search: URLSearchParams): AuditFilter {
  const text = (name: string) => search.get(name) ?? '';
  return {
    what: text('what'),
    operation: text('operation'),
    member: text('member'),
    record: text('record'),
    from: text('from'),
    to: text('to'),
  };
}

/** The filters of `audit_list`. */
export function filtersOf(filter: AuditFilter): string[] {
  const { what, operation, member, record, from, to } = filter;
  const isRead = operation !== '';
  return [
    ...(kinds[what as keyof typeof kinds] ?? kinds['']).filters,
    ...(what === '' && !isRead ? ['method[neq]GET'] : []),
    ...(operation === '' ? [] : filtersOfOperation(operation as OperationId)),
    ...(member === '' ? [] : [`member_id[eq]${member}`]),
    ...(record === '' ? [] : [filterOfRecord(record)]),
    ...(from === '' ? [] : [`created_at[gte]${from}`]),
    ...(to === '' ? [] : [`created_at[lte]${to}`]),
  ];
}

function filterOfRecord(record: string): string {
  const [request] = requestId.exec(record) ?? [];
  if (request !== undefined) return `request_id[eq]${request}`;
  const field = Object.entries(fieldByPrefix).find(([prefix]) => record.startsWith(prefix))?.[1];
  return field === undefined ? `path[like]"%${patternOf(record)}%"` : `${field}[eq]${record}`;
}

/** A record of the trail has the path, not the operation: those of the same form are asked for, and those of longer or fixed paths left out. */
function filtersOfOperation(id: OperationId): string[] {
  const { method, path } = operationOf(id);
  const parts = path.split('/');
  if (!path.includes('{')) return [`method[eq]${method}`, `path[eq]${path}`];
  const pattern = parts.map((part) => (part.startsWith('{') ? '%' : part)).join('/');
  const fixed = managementOperations.filter(
    (one) =>
      one.id !== id &&
      one.method === method &&
      one.path.split('/').length === parts.length &&
      one.path.split('/').every((part, at) => part === parts[at] || parts[at]?.startsWith('{')) &&
      !one.path.endsWith('}'),
  );
  return [
    `method[eq]${method}`,
    `path[like]"${pattern}"`,
    ...(pattern.endsWith('%') ? [`path[not like]"${pattern}/%"`] : []),
    ...fixed.map((one) => `path[not like]"${one.path.replaceAll(/\{\w+\}/g, '%')}"`),
  ];
}

/** A text for a pattern, which finds its `%` and `_` as they are. */
function patternOf(text: string): string {
  return text.replaceAll(/["\\%_]/g, '\\$&');
}
