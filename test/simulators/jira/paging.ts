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

/** A PageBean. */
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

/** Without what only a PageBean has. */
export function paging({ maxResults, startAt, total }: Omit<Page, 'values'>): Json {
  return { maxResults, startAt, total };
}

export function window({ query }: Call, usual: number): { startAt: number; maxResults: number } {
  return windowOf(query, usual, 100);
}

export function windowOf(query: Json, usual: number, largest: number) {
  const startAt = Math.max(0, Number(query['startAt'] ?? 0));
  return { startAt, maxResults: Math.min(Number(query['maxResults'] ?? usual), largest) };
}

/** `a,b` and `a&b` alike. */
export function names(value: unknown, usual: string[]): string[] {
  const given = [value ?? []].flat().flatMap((each) => asText(each).split(','));
  return given.length === 0 ? usual : given.map((name) => name.trim());
}
