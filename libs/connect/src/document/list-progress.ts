import { ApiError } from '#contract';
import { formatJson } from '@onefold/mapping';
import type { ProviderRecord } from '../provider-record.js';
import { identityOf, shortHash } from '../records/row-identity.js';
import type { ListProgress, Trail } from './page-position.js';

/** Pages without rows, one behind the other, after which a list counts as one that does not end. */
const maxEmptyPages = 100;
/** Equal pages, one behind the other, that are left out before the provider is taken not to page at all. */
const maxRepeatedPages = 3;
/** Rows of a short page that are kept in the cursor; those that come twice are its last ones. */
const maxRowsBefore = 300;
/** Places before a page that are known one by one; a longer cycle is found by the mark. */
const maxRecentPlaces = 8;

export const nothingRead: ListProgress = { rows: 0 };

/**
 * Leaves out rows of the page before. A provider that removes rows from a page gives fewer than were asked for, and counts the removed ones
 * too; one that caps its pages does not. Going on behind as many rows as came is right for both, and gives some rows of the first kind twice.
 */
export function dropRepeatedRows(
  rows: readonly ProviderRecord[],
  { before, print }: ListProgress,
): readonly ProviderRecord[] {
  if (rows.length === 0) return rows;
  if (print !== undefined && print === printOf(rows)) return [];
  if (before === undefined) return rows;
  const known = new Set(before);
  return rows.filter((row) => !known.has(identityOf(row)));
}

/** Adds a page to the progress of a list that is paged by numbers. @throws ApiError 502 if the provider gives the same page again and again */
export function addNumberedPage(
  progress: ListProgress,
  rows: readonly ProviderRecord[],
  { count, isShort, place }: { count: number; isShort: boolean; place: string },
): ListProgress {
  const print = rows.length === 0 ? undefined : printOf(rows);
  const isRepeated = print !== undefined && print === progress.print;
  const repeatedPages = isRepeated ? (progress.repeatedPages ?? 0) + 1 : 0;
  if (repeatedPages === maxRepeatedPages) throw samePage(place);
  return {
    rows: progress.rows,
    maxPageRows: Math.max(progress.maxPageRows ?? 0, count),
    ...(print === undefined ? {} : { print }),
    ...(repeatedPages === 0 ? {} : { repeatedPages }),
    ...(isShort && rows.length > 0 ? { before: rows.slice(-maxRowsBefore).map(identityOf) } : {}),
  };
}

/** Adds the place of the next page to the progress of a list. @throws ApiError 502 if the list was there before */
export function addPlace(progress: ListProgress, next: string, place: string): ListProgress {
  const { recent, mark, pages }: Trail = progress.trail ?? { recent: [], pages: 0 };
  const hash = shortHash(next);
  if (mark === hash || recent.includes(hash)) throw samePage(place);
  const isPowerOfTwo = (pages & (pages + 1)) === 0;
  return {
    ...progress,
    trail: {
      recent: [...recent, hash].slice(-maxRecentPlaces),
      mark: isPowerOfTwo ? hash : mark,
      pages: pages + 1,
    },
  };
}

/** Counts pages without rows. @throws ApiError 502 for too many, one behind the other */
export function addEmptyPages(
  before: ListProgress,
  progress: ListProgress,
  isEmpty: boolean,
  place: string,
): ListProgress {
  if (!isEmpty) return progress;
  const emptyPages = (before.emptyPages ?? 0) + 1;
  if (emptyPages >= maxEmptyPages)
    throw new ApiError(
      502,
      `the provider returned ${emptyPages} pages without rows one after the other, and says that there are more`,
      { remediation: `Correct ${place} of the provider document, or narrow the list by a filter.` },
    );
  return { ...progress, emptyPages };
}

/** A list that comes back to a page would be read until the deadline. */
function samePage(place: string): ApiError {
  return new ApiError(502, 'the provider returned the same page as the next page', {
    remediation: `Correct ${place} of the provider document if it reads the wrong place, or if this list has a single page.`,
  });
}

/** Stands for a page: its length, and its first and last row. */
function printOf(rows: readonly ProviderRecord[]): string {
  const ends = [rows[0], rows.at(-1)].map((row) => formatJson(row));
  return shortHash([rows.length, ...ends].join(' '));
}
