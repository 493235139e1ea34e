import { isDeepStrictEqual } from 'node:util';
import httpLinkHeader from 'http-link-header';
import { ApiError } from '#contract';
import type { Limits, Value } from '@onefold/mapping';
import { type CompiledOperation, type CompiledQuery, evaluate, textOf } from '#provider-document';
import type { ProviderResponse } from '#provider-http';
import type { ProviderRecord } from '../provider-record.js';

/** The value of `this` in expressions of a step. */
export interface StepContext {
  [key: string]: Value;
  steps: Record<string, Value>;
}

/** Position of a page of the provider's list. */
export interface PagePosition {
  offset?: number;
  number?: number;
  token?: string;
  url?: string;
  /** Key of the last row of the page before. */
  key?: Value;
  limit: number;
}

/** Returns what expressions about a response see. */
export function answerInput(context: StepContext, answer: ProviderResponse): Record<string, Value> {
  const { status, headers, body } = answer;
  // In a patch or create `body` is the request body; here it is the response body.
  return Object.assign({}, context, { sent: context['body'], status, headers, body });
}

/** Returns the position of the first page of a list. */
export function firstPage({ page }: CompiledOperation, limit: number): PagePosition | undefined {
  if (page === undefined) return undefined;
  const size = Math.min(page.source.size, Math.max(1, limit));
  switch (page.source.kind) {
    case 'offset':
      return { offset: 0, limit: size };
    case 'page':
      return { number: 1, limit: size };
    default:
      return { limit: size };
  }
}

/** Returns the position of the next page, if the response says it; by keyset the rows say it. */
export function nextPage(
  { page, place: at }: CompiledOperation,
  context: StepContext,
  answer: ProviderResponse,
  position: PagePosition,
  steps: Record<string, Value>,
  limits: Limits | undefined,
): PagePosition | undefined {
  if (page === undefined) return undefined;
  const { kind } = page.source;
  const place = `${at}.page`;
  const input = { ...answerInput(context, answer), page: position as unknown, steps };
  const ask = (key: 'count' | 'total' | 'more' | 'next') => {
    const query = page[key];
    return query && evaluate(query, input, `${place}.${key}`, limits);
  };
  switch (kind) {
    case 'token': {
      const token = textOf(ask('next')) ?? '';
      if (token === '' || ask('more') === false) return undefined;
      if (token === position.token) throw noProgress(place);
      return { token, limit: position.limit };
    }
    case 'link': {
      const { link } = answer.headers;
      const [next] = link === undefined ? [] : httpLinkHeader.parse(link).rel('next');
      const url = page.next === undefined ? next?.uri : textOf(ask('next'));
      if (!url || ask('more') === false) return undefined;
      if (url === position.url) throw noProgress(place);
      return { url, limit: position.limit };
    }
    case 'keyset':
      return undefined;
    case 'offset':
    case 'page': {
      const count = Number(ask('count') ?? 0);
      const offset = position.offset ?? 0;
      const seen = kind === 'offset' ? offset + count : (position.number ?? 1) * position.limit;
      if (count === 0 || !hasMore(ask('more'), ask('total'), seen, count, position.limit))
        return undefined;
      return kind === 'offset'
        ? { offset: offset + count, limit: position.limit }
        : { number: (position.number ?? 1) + 1, limit: position.limit };
    }
  }
}

/** Returns the position under which a page can be read again without the effects of reading it first. */
export function samePage(
  { page, place }: CompiledOperation,
  answer: ProviderResponse,
  position: PagePosition,
  limits: Limits | undefined,
): PagePosition | undefined {
  if (page?.again === undefined) return undefined;
  const input = { ...answerInput({ steps: {} }, answer), page: position as unknown };
  const token = textOf(evaluate(page.again, input, `${place}.page.again`, limits));
  return token ? { token, limit: position.limit } : undefined;
}

/**
 * Returns the functions that tell where a list that is read by keys goes on: behind a row, and behind the last one if there may be more.
 * @param rows rows of the page, each with a key of its own
 */
export function keysetPages(
  { page, place: at }: CompiledOperation,
  context: StepContext,
  answer: ProviderResponse,
  position: PagePosition,
  rows: readonly ProviderRecord[],
  limits: Limits | undefined,
): { next: PagePosition | undefined; after: (index: number) => PagePosition } | undefined {
  const { key } = page ?? {};
  if (page === undefined || key === undefined) return undefined;
  const place = `${at}.page`;
  const input = { ...answerInput(context, answer), page: position as unknown };
  const after = (index: number): PagePosition => {
    const value = evaluate(key, { ...input, row: rows[index] }, `${place}.key`, limits);
    return { key: storedKey(value, `${place}.key`), limit: position.limit };
  };
  const ask = (query: CompiledQuery | undefined, name: string) =>
    query && evaluate(query, input, `${place}.${name}`, limits);
  const count = Number(ask(page.count, 'count') ?? rows.length);
  const more = ask(page.more, 'more') ?? count >= position.limit;
  if (more !== true) return { next: undefined, after };
  if (rows.length === 0) throw noKey(place);
  const next = after(rows.length - 1);
  if (isDeepStrictEqual(next.key, position.key)) throw noProgress(place);
  return { next, after };
}

/** Makes a key that cursors can store. @throws ApiError 502 for null */
function storedKey(key: Value, place: string): Value {
  if (key === null || key === undefined)
    throw new ApiError(502, `the provider document failed at ${place}: the row has no key`, {
      remediation: 'Read a field that each row has, and by which the provider orders the list.',
    });
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

/** A page that refers to itself as the next one would be read until the deadline. */
function noProgress(place: string): ApiError {
  return new ApiError(502, `the provider returned the same page as the next page`, {
    remediation: `Correct ${place} of the provider document if it reads the wrong place.`,
  });
}

function hasMore(more: Value, total: Value, seen: number, count: number, limit: number): boolean {
  if (typeof more === 'boolean') return more;
  if (typeof total === 'number' || typeof total === 'bigint') return seen < Number(total);
  return count >= limit;
}
