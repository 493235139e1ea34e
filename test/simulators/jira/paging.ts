import { asText, type Exchange } from '#test/simulators';
import type { User } from './site.js';

type Call = Exchange<User>;
type Json = Record<string, unknown>;

export interface Page {
  self: string;
  nextPage?: string;
  maxResults: number;
  startAt: number;
  total: number;
  isLast: boolean;
  values: unknown[];
}

/** Returns a PageBean. */
export function page(call: Call, all: unknown[]): Page {
  const { startAt, maxResults } = window(call, 50);
  const isLast = startAt + maxResults >= all.length;
  const next = new URL(call.url);
  next.searchParams.set('startAt', String(startAt + maxResults));
  return {
    self: call.url.href,
    ...(!isLast && { nextPage: next.href }),
    maxResults,
    startAt,
    total: all.length,
    isLast,
    values: all.slice(startAt, startAt + maxResults),
  };
}

/** Returns a page without the fields that only a PageBean has. */
export function paging({ maxResults, startAt, total }: Omit<Page, 'values'>): Json {
  return { maxResults, startAt, total };
}

export function window(
  { query }: Call,
  defaultSize: number,
): { startAt: number; maxResults: number } {
  return windowOf(query, defaultSize, 100);
}

export function windowOf(query: Json, defaultSize: number, maxSize: number) {
  const startAt = Math.max(0, Number(query['startAt'] ?? 0));
  return {
    startAt,
    maxResults: Math.min(Number(query['maxResults'] ?? defaultSize), maxSize),
  };
}

/** Splits `a,b` and `a&b` in the same way. */
export function names(value: unknown, defaults: string[]): string[] {
  const given = [value ?? []].flat().flatMap((each) => asText(each).split(','));
  return given.length === 0 ? defaults : given.map((name) => name.trim());
}
