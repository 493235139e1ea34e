import type { Value } from '@onefold/mapping';

/** Place of a page within the provider's list, by the kind of paging. */
export interface PagePlace {
  offset?: number;
  number?: number;
  token?: string;
  url?: string;
  /** Key of the last row of the page before. */
  key?: Value;
}

/** Position of a page of the provider's list, which cursors store. */
export interface PagePosition extends PagePlace, Partial<WindowBounds> {
  limit: number;
  progress?: ListProgress;
}

/** Bounds of a window in epoch milliseconds, null where it has none. */
export interface WindowBounds {
  from: number | null;
  until: number | null;
}

/** Where the rows that were read end: a full second, and the rows in it, which the next window gives again. */
export interface WindowEdge {
  at: number;
  rows: readonly string[];
  /** True on the first pages of a window that begins at it. */
  repeats?: boolean;
}

/** Progress of a list before a page. It is a part of cursors, so that a list that does not end is noticed across calls as well. */
export interface ListProgress {
  /** Rows that were read; those of the window, where the list is read by windows. */
  rows: number;
  /** Rows of the largest page: the provider looks at so many for each page, at least. */
  maxPageRows?: number;
  emptyPages?: number;
  repeatedPages?: number;
  /** The rows of the page before, if it was shorter than asked for. */
  before?: readonly string[];
  /** Stands for the page before. */
  print?: string;
  trail?: Trail;
  edge?: WindowEdge;
}

/** The places of the last pages, and one that moves on after 1, 2, 4, 8 … pages, so that a cycle of any length is found (Brent). */
export interface Trail {
  recent: readonly string[];
  mark?: string | undefined;
  pages: number;
}
