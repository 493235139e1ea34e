import { badRequest } from '#contract';

/**
 * Reads the order of a list whose ids sort by the time of their creation: the newest first, unless the caller says otherwise.
 * @param remediation says what the list is ordered by @throws ApiError 400
 */
export function readTimeOrder(order: string | null | undefined, remediation: string): string {
  const [, direction = 'desc'] =
    /^\s*created_at\s*(?:\[(asc|desc)\]\s*)?$/i.exec(order ?? 'created_at') ??
    fail(order, remediation);
  return `name[${direction}]`;
}

function fail(order: string | null | undefined, remediation: string): never {
  throw badRequest({
    location: 'query',
    pointer: 'order',
    message: 'is not created_at[asc] or created_at[desc]',
    remediation,
    value: order,
  });
}
