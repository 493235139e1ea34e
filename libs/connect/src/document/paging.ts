import httpLinkHeader from 'http-link-header';
import { ApiError } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import { type CompiledPage, evaluate, textOf } from '#provider-document';
import type { ProviderResponse } from '#provider-http';
import type { ProviderRecord } from '../provider-record.js';
import {
  addEmptyPages,
  addNumberedPage,
  addPlace,
  dropRepeatedRows,
  nothingRead,
} from './list-progress.js';
import {
  type AskWindow,
  dropEdgeRows,
  firstWindow,
  isBehindBound,
  moveEdge,
  nextWindow,
} from './page-windows.js';
import type { ListProgress, PagePlace, PagePosition } from './page-position.js';

/** The value of `this` in expressions of a step. */
export interface StepContext {
  [key: string]: Value;
  steps: Record<string, Value>;
  /** Status and headers of the responses, for operations that read them. */
  answers?: Record<string, Value>;
}

/** A page that was read. */
export interface PageRead {
  page: CompiledPage;
  context: StepContext;
  answer: ProviderResponse;
  position: PagePosition;
  limits: Limits | undefined;
}

/** The rows of a page, and where the list goes on. */
export interface Continuation {
  rows: ProviderRecord[];
  /** Undefined on the last page. */
  next: PagePosition | undefined;
  /** Returns the position behind a row of the page, for lists that are read by keys. */
  after?: (index: number) => PagePosition;
}

/** Returns what expressions about a response see. */
export function answerInput(context: StepContext, answer: ProviderResponse): Record<string, Value> {
  const { status, headers, body } = answer;
  // In a patch or create `body` is the request body; here it is the response body.
  return Object.assign({}, context, { sent: context['body'], status, headers, body });
}

/** Returns the position of the first page of a list. @param limit number of rows that are needed */
export function firstPage(
  page: CompiledPage,
  limit: number,
  input: Record<string, Value>,
  limits: Limits | undefined,
): PagePosition {
  const { kind, size, fixed_size: isFixed = false } = page.source;
  const position = { limit: isFixed ? size : Math.min(size, Math.max(1, limit)) };
  const bounds =
    page.window && firstWindow(page.window, askWindow(page, input, limits), nowOf(input));
  return { ...firstPlace(kind), ...position, ...bounds };
}

function firstPlace(kind: CompiledPage['source']['kind']): PagePlace {
  if (kind === 'offset') return { offset: 0 };
  return kind === 'page' ? { number: 1 } : {};
}

/** Returns the position under which a page can be read again without the effects of reading it first. */
export function samePage(read: PageRead): PagePosition | undefined {
  const { page, position, limits } = read;
  if (page.again === undefined) return undefined;
  const token = textOf(evaluate(page.again, inputOf(read), `${page.place}.again`, limits));
  return token ? { ...position, token } : undefined;
}

/**
 * Returns the rows of a page that no page before has given, and where the list goes on.
 * @param rows rows of the page, each with a key of its own if it is read by keys @throws ApiError 502 for a list that does not end
 */
export function continueList(read: PageRead, rows: readonly ProviderRecord[]): Continuation {
  const { page, position } = read;
  const before = position.progress ?? nothingRead;
  const isNumbered = position.offset !== undefined || position.number !== undefined;
  const fresh = dropEdgeRows(isNumbered ? dropRepeatedRows(rows, before) : rows, before);
  const count = numberOf(ask(read, 'count')) ?? rows.length;
  const seen = before.rows + Math.max(0, count - (rows.length - fresh.length));
  const edge =
    page.window && moveEdge(askWindow(page, inputOf(read), read.limits), rows, before.edge);
  const follow = (next: PagePlace, rowsRead: number): PagePosition => {
    const numbered = isNumbered
      ? addNumberedPage(before, rows, {
          count,
          isShort: next.offset !== undefined && count < position.limit,
          place: page.place,
        })
      : addPlace(before, JSON.stringify(next), page.place);
    const progress = { ...numbered, rows: rowsRead, ...(edge === undefined ? {} : { edge }) };
    const { from, until } = position;
    return {
      ...next,
      limit: position.limit,
      ...(page.window ? { from: from ?? null, until: until ?? null } : {}),
      progress: addEmptyPages(before, progress, count === 0 && isEmpty(read), page.place),
    };
  };
  const place = nextPlace(read, fresh, count, seen);
  const next =
    endOfWindow(read, place, seen, edge) ?? (place === undefined ? undefined : follow(place, seen));
  const list = { rows: [...fresh], next: next === 'end' ? undefined : next };
  if (page.key === undefined) return list;
  const after = (index: number) =>
    follow({ key: keyOf(read, fresh[index]) }, before.rows + index + 1);
  return { ...list, after };
}

/** Returns where the next window begins, if this page ends one. */
function endOfWindow(
  read: PageRead,
  place: PagePlace | undefined,
  seen: number,
  edge: ListProgress['edge'],
): PagePosition | 'end' | undefined {
  const { page, position, context } = read;
  const { window } = page;
  if (window === undefined) return undefined;
  const askIt = askWindow(page, inputOf(read), read.limits);
  if (isBehindBound(window, askIt, edge)) return 'end';
  const { max_rows: maxRows = Infinity } = window.source;
  const reached =
    place?.offset !== undefined
      ? place.offset + position.limit
      : place?.number !== undefined
        ? place.number * position.limit
        : seen;
  const isCut = reached > maxRows || seen >= maxRows;
  if (place !== undefined && !isCut) return undefined;
  const end = { position, edge, isCut, now: nowOf(context) };
  const next = nextWindow({ window, place: page.place }, askIt, end);
  if (next === undefined) return 'end';
  return { ...firstPlace(page.source.kind), limit: position.limit, ...next };
}

/** Finds the place of the next page, by what the response says. */
function nextPlace(
  read: PageRead,
  rows: readonly ProviderRecord[],
  count: number,
  seen: number,
): PagePlace | undefined {
  const { page, position, answer } = read;
  const { offset = 0, number = 1 } = position;
  const more = () => hasMore(read, count, seen);
  switch (page.source.kind) {
    case 'token': {
      const token = textOf(ask(read, 'next')) ?? '';
      return token !== '' && more() ? { token } : undefined;
    }
    case 'link': {
      const { link } = answer.headers;
      const [next] = link === undefined ? [] : httpLinkHeader.parse(link).rel('next');
      const url = page.next === undefined ? next?.uri : textOf(ask(read, 'next'));
      return url && more() ? { url } : undefined;
    }
    case 'keyset':
      if (!more()) return undefined;
      if (rows.length === 0) throw noKey(page.place);
      return { key: keyOf(read, rows.at(-1)) };
    case 'offset': {
      if (!more()) return undefined;
      // Without a new row the page is one that the provider has thinned out, so its place goes on by as many rows as a page can have.
      const step = rows.length > 0 ? count : windowOf(read, count);
      return { offset: offset + (numberOf(ask(read, 'advance')) ?? step) };
    }
    case 'page':
      return more() ? { number: number + 1 } : undefined;
  }
}

/** Rows that the provider looks at for a page, as far as its pages show it: it may cap them below the size that it was asked for. */
function windowOf({ position: { progress, limit } }: PageRead, count: number): number {
  return Math.max(progress?.maxPageRows ?? 0, count) || limit;
}

/** True if there are rows behind a page: by `more`, else by `total`, else by the rows of the page. A short page is not the last one by itself. */
function hasMore(read: PageRead, count: number, seen: number): boolean {
  const { page, position } = read;
  const more = flagOf(ask(read, 'more'));
  if (more !== undefined) return more;
  const total = numberOf(ask(read, 'total'));
  const { offset, number, limit } = position;
  const byPlace = page.source.kind === 'token' || page.source.kind === 'link';
  if (total !== undefined) {
    const window = windowOf(read, count);
    const reached = offset !== undefined ? offset + window : (number ?? 1) * window;
    return seen < total && (byPlace || count > 0 || reached < total);
  }
  if (byPlace) return true;
  return count > 0 && !(page.source.short_page_is_last === true && count < limit);
}

/** Evaluates an expression of a page about its response. */
function ask(read: PageRead, key: 'count' | 'total' | 'more' | 'next' | 'advance'): Value {
  const { page, limits } = read;
  const query = page[key];
  return query && evaluate(query, inputOf(read), `${page.place}.${key}`, limits);
}

function askWindow(
  { window, place }: CompiledPage,
  input: Record<string, Value>,
  limits: Limits | undefined,
): AskWindow {
  return (key, row) => {
    const query = window?.[key];
    if (query === undefined) return undefined;
    const seen = row === undefined ? input : { ...input, row };
    return evaluate(query, seen, `${place}.window.${key}`, limits);
  };
}

function inputOf({ context, answer, position }: PageRead): Record<string, Value> {
  return { ...answerInput(context, answer), page: position };
}

/** Returns the key of a row, as cursors can store it. @throws ApiError 502 for null */
function keyOf(read: PageRead, row: ProviderRecord | undefined): Value {
  const { page, limits } = read;
  const key =
    page.key && evaluate(page.key, { ...inputOf(read), row }, `${page.place}.key`, limits);
  if (key === null || key === undefined)
    throw new ApiError(
      502,
      `the provider document failed at ${page.place}.key: the row has no key`,
      {
        remediation: 'Read a field that each row has, and by which the provider orders the list.',
      },
    );
  return JSON.parse(
    JSON.stringify(key, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one)),
  ) as Value;
}

/** Without a row the key of the next page is unknown, and to end here would lose the rows that follow. */
function noKey(place: string): ApiError {
  return new ApiError(502, 'the provider has more rows, and returned none to continue from', {
    remediation: `Let rows contain each row of the page, and drop rows by their mapping; or correct ${place}.`,
  });
}

/** True if an answer has no items, so that its page is not one whose rows were all left out by the document. */
function isEmpty({ page, answer }: PageRead): boolean {
  return page.count !== undefined || !hasItems(answer.body);
}

function hasItems(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasItems);
}

function nowOf(context: Record<string, Value>): number {
  return Date.parse(String(context['now']));
}

/** Reads a number that some providers write as a text; undefined for other values, and for -1, which says that it is unknown. */
function numberOf(value: Value): number | undefined {
  const isNumber =
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && value.trim() !== '');
  const number = isNumber ? Number(value) : NaN;
  return number >= 0 ? number : undefined;
}

function flagOf(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
}
