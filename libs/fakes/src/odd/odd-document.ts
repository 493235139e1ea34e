import type { FakeDocument, Limit, Page, Route } from '../document/fake-document.js';

/** Maximum number of records of a page, fewer than callers ask for. */
const maxPageSize = 10;
/** Requests in a window of the smallest tier, as a part of those of the document. */
const tierShare = 20;
const minRequests = 10;

const known = new WeakMap<FakeDocument, FakeDocument>();

/** The document of a fake for the dataset ODD: capped pages, the limits of the smallest tier. */
export function oddDocument(document: FakeDocument): FakeDocument {
  const made = known.get(document) ?? makeDocument(document);
  known.set(document, made);
  return made;
}

/** Changes the pages of all lists, those left out that the vendor fills. */
export function alterPages(
  document: FakeDocument,
  alter: (page: Page) => Partial<Page>,
): FakeDocument {
  const routes = document.routes.map((route): Route => {
    const { list } = route;
    if (list?.page === undefined || list.page.isWhole) return route;
    return { ...route, list: { ...list, page: { ...list.page, ...alter(list.page) } } };
  });
  return { ...document, routes };
}

/** Reduces the pages of all lists to so many records, those left out that the vendor fills. */
export function capPages(document: FakeDocument, size: number): FakeDocument {
  return alterPages(document, ({ maxSize }) => ({ maxSize: Math.min(maxSize, size) }));
}

/** The scope of the part that is not licensed; none where each customer has all. */
export function unlicensedScopes({ odd, routes }: FakeDocument): string[] {
  if (odd.unlicensed !== undefined) return odd.unlicensed === null ? [] : [odd.unlicensed];
  const counts = new Map<string, number>();
  for (const { access, methods } of routes)
    if (typeof access === 'string' && methods.includes('GET'))
      counts.set(access, (counts.get(access) ?? 0) + 1);
  if (counts.size < 2) return [];
  const sorted = [...counts].sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1));
  return sorted.slice(0, 1).map(([scope]) => scope);
}

function makeDocument(document: FakeDocument): FakeDocument {
  const { limits, odd, constants } = document;
  const capped = capPages(document, maxPageSize);
  return {
    ...capped,
    // The same object where nothing differs, so that records which were made are found again.
    constants:
      Object.keys(odd.constants).length === 0 ? constants : { ...constants, ...odd.constants },
    limits: limits && {
      fallback: limitOfTier(limits.fallback),
      buckets: new Map([...limits.buckets].map(([name, limit]) => [name, limitOfTier(limit)])),
    },
  };
}

function limitOfTier({ requests, seconds }: Limit): Limit {
  return {
    requests: Math.min(requests, Math.max(minRequests, Math.ceil(requests / tierShare))),
    seconds,
  };
}
