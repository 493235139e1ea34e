import type { Value } from '@onefold/mapping';
import type { Page } from '../document/fake-document.js';
import type { MadeRow } from '../state/made-rows.js';
import type { CursorPlace, Cursors } from './cursor.js';
import { type Cut, type WholeList, wholeNumber } from './cut-page.js';
import type { RequestScope } from './request-scope.js';

/**
 * Cuts a page of a connection of GraphQL: what is between two cursors, of that the first records, or the last.
 * https://relay.dev/graphql/connections.htm#sec-Pagination-algorithm
 * @param size the value of `first`, or its default
 * @throws FakeRefusal bad_cursor, ExpressionFailure
 */
export function relayPage(
  { rows, order, query }: WholeList,
  page: Page,
  { size, after }: { size: number; after: Value },
  scope: RequestScope,
  cursors: Cursors,
): Cut {
  const read = (token: Value): CursorPlace | undefined =>
    token === null || token === '' ? undefined : cursors.read(token, query, scope.now);
  const write = (row: MadeRow) =>
    cursors.write({ values: order.values(row), number: row.number, newest: null }, query, null);
  const [from, to] = [read(after), read(page.before?.value(scope) ?? null)];
  const begin = from === undefined ? 0 : order.placeAfter(rows, from.values, from.number);
  const limit = to === undefined ? rows.length : order.placeAfter(rows, to.values, to.number - 1);
  const last = page.last?.value(scope) ?? null;
  const isBackwards = last !== null && (page.size?.value(scope) ?? null) === null;
  const end = Math.max(begin, isBackwards ? limit : Math.min(limit, begin + size));
  const count = last === null ? Infinity : wholeNumber(last, page.last?.place ?? '', 0);
  const start = Math.max(begin, end - Math.min(count, page.maxSize));
  const shown = rows.slice(start, end);
  const marks = shown.map(write);
  const info = {
    hasNextPage: end < rows.length,
    hasPreviousPage: start > 0,
    startCursor: marks[0] ?? null,
    endCursor: marks.at(-1) ?? null,
  };
  return {
    rows: shown,
    total: rows.length,
    more: info.hasNextPage,
    facts: { offset: start, cursors: marks, info },
    links: {
      ...(info.hasNextPage ? { next: info.endCursor } : {}),
      ...(info.hasPreviousPage ? { previous: info.startCursor } : {}),
    },
  };
}
