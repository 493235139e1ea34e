import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Page } from '../document/fake-document.js';
import type { MadeRow } from '../state/made-rows.js';
import type { Cursors } from './cursor.js';
import { type Cut, type WholeList, wholeNumber } from './cut-page.js';
import { relayPage } from './relay-page.js';
import type { RequestScope } from './request-scope.js';

/** A page: its records, and `this.page`. */
export interface RowPage {
  rows: readonly MadeRow[];
  facts: Readonly<Record<string, Value>>;
}

/** Cuts the page that the request asks for. @throws FakeRefusal bad_cursor, ExpressionFailure */
export function pageOf(whole: WholeList, scope: RequestScope, cursors: Cursors): RowPage {
  const { rows: all, page, order } = whole;
  if (page === undefined)
    return {
      rows: all,
      facts: { total: all.length, count: all.length, more: false, next: null },
    };
  const list = { ...whole, rows: all.slice(0, page.ends) };
  const { rows } = list;
  const size = sizeOf(page, scope);
  const place = page.at?.value(scope) ?? null;
  const cut = {
    offset: () => byOffset(rows, page, size, place),
    number: () => byNumber(rows, page, size, place),
    cursor: () => byCursor(list, page, { size, place }, scope, cursors),
    values: () => byValues(list, page, size, place),
    relay: () => relayPage(list, page, { size, after: place }, scope, cursors),
  }[page.kind]();
  const link = (value?: Value) => linkOf(scope, page, value);
  const { next = null } = cut.links;
  const shown = seenRows(cut.rows, page, scope);
  return {
    rows: shown,
    facts: {
      ...cut.facts,
      total: cut.total + all.length - rows.length,
      count: shown.length,
      size,
      more: cut.more,
      next,
      link: link(next),
      previous_link: link(cut.links.previous),
      first_link: link(cut.links.first),
      last_link: link(cut.links.last),
      values: shown.map((row) => order.values(row)),
    },
  };
}

/** Leaves out the records of a page that the caller may not see. */
function seenRows(
  rows: readonly MadeRow[],
  { unseen }: Page,
  scope: RequestScope,
): readonly MadeRow[] {
  if (unseen === undefined) return rows;
  return scope.during({ row: null }, () =>
    rows.filter(({ row }) => {
      scope.set('row', row);
      return !unseen.holds(scope);
    }),
  );
}

function sizeOf({ size, defaultSize, maxSize }: Page, scope: RequestScope): number {
  const value = size?.value(scope) ?? null;
  if (value === null || value === '') return defaultSize;
  return Math.min(wholeNumber(value, size?.place ?? '', 0), maxSize);
}

function byOffset(rows: readonly MadeRow[], page: Page, size: number, place: Value): Cut {
  const offset = place === null ? 0 : wholeNumber(place, page.at?.place ?? '', 0);
  const shown = rows.slice(offset, offset + size);
  const end = offset + shown.length;
  const more = size > 0 && end < rows.length;
  return {
    rows: shown,
    total: rows.length,
    more,
    facts: { offset },
    links: {
      ...(more ? { next: end } : {}),
      ...(offset > 0 ? { previous: Math.max(0, offset - size) } : {}),
      first: 0,
      last: size === 0 ? 0 : Math.max(0, Math.ceil(rows.length / size) - 1) * size,
    },
  };
}

function byNumber(rows: readonly MadeRow[], page: Page, size: number, place: Value): Cut {
  const { first } = page;
  const number = place === null ? first : wholeNumber(place, page.at?.place ?? '', first);
  const start = (number - first) * size;
  const shown = rows.slice(start, start + size);
  const pages = size === 0 ? 0 : Math.ceil(rows.length / size);
  const last = first + Math.max(0, pages - 1);
  const more = number < last;
  return {
    rows: shown,
    total: rows.length,
    more,
    facts: { number, pages },
    links: {
      ...(more ? { next: number + 1 } : {}),
      ...(number > first ? { previous: Math.min(number - 1, last) } : {}),
      first,
      last,
    },
  };
}

function byCursor(
  { rows, order, query }: WholeList,
  page: Page,
  { size, place }: { size: number; place: Value },
  scope: RequestScope,
  cursors: Cursors,
): Cut {
  const { now } = scope;
  const begun = place === null || place === '' ? undefined : cursors.read(place, query, now);
  const newest = begun ? begun.newest : page.frozen ? scope.rows.state.newest : null;
  const seen = newest === null ? rows : rows.filter(({ number }) => number <= newest);
  const start = begun === undefined ? 0 : order.placeAfter(seen, begun.values, begun.number);
  const shown = seen.slice(start, start + size);
  const more = start + shown.length < seen.length;
  const last = shown.at(-1);
  const expires = page.expiresSeconds === undefined ? null : now + page.expiresSeconds * 1_000;
  // An endless list without new records goes on from where it was, at first from its beginning.
  const next =
    last === undefined
      ? { values: begun?.values ?? [], number: begun?.number ?? -1, newest }
      : { values: order.values(last), number: last.number, newest };
  const goesOn = more || page.endless;
  return {
    rows: shown,
    total: seen.length,
    more,
    facts: { offset: start },
    links: goesOn ? { next: cursors.write(next, query, expires) } : {},
  };
}

function byValues({ rows, order }: WholeList, page: Page, size: number, place: Value): Cut {
  if (place !== null && !Array.isArray(place))
    throw new ExpressionFailure(page.at?.place ?? '', 'the sort values must be a list');
  const start = place === null ? 0 : order.placeAfter(rows, place, Infinity);
  const shown = rows.slice(start, start + size);
  const more = start + shown.length < rows.length;
  const last = shown.at(-1);
  return {
    rows: shown,
    total: rows.length,
    more,
    facts: { offset: start },
    links: more && last !== undefined ? { next: order.values(last) } : {},
  };
}

/** The address of the request with another value of the parameter. */
function linkOf(scope: RequestScope, { parameter }: Page, value?: Value): Value {
  if (value === undefined || value === null || parameter === undefined) return null;
  const url = new URL(scope.facts.url);
  url.searchParams.set(parameter, typeof value === 'string' ? value : JSON.stringify(value));
  return url.href;
}
