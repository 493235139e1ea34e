import type { Value } from '@onefold/mapping';
import { ExpressionFailure } from '../document/expressions.js';
import type { Page } from '../document/fake-document.js';
import type { MadeRow } from '../state/made-rows.js';
import type { RowOrder } from './order.js';

/** A list that a page is cut from. */
export interface WholeList {
  rows: readonly MadeRow[];
  order: RowOrder;
  page: Page | undefined;
  /** Names the query, so that a token belongs to one. */
  query: string;
}

/** A page before its links are known. */
export interface Cut {
  rows: readonly MadeRow[];
  total: number;
  more: boolean;
  facts: Readonly<Record<string, Value>>;
  /** Values of the query parameter of the links. */
  links: Readonly<Partial<Record<'next' | 'previous' | 'first' | 'last', Value>>>;
}

/** @throws ExpressionFailure */
export function wholeNumber(value: Value, place: string, minimum: number): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= minimum)
    return number;
  throw new ExpressionFailure(place, `it is not a whole number from ${minimum} on`);
}
