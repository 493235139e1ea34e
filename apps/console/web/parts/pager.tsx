import { place, setSearch } from '../location.js';

export const pageSize = 50;

/**
 * The names or ids after which the pages before this one begin; the address has them, so that a link leads to the same page.
 * @param list names the list on a screen with several
 */
export function usePages(list = '') {
  const parameter = list === '' ? 'after' : `${list}-after`;
  const after = (place.value.search.get(parameter) ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map(decodeURIComponent);
  const show = (names: readonly string[]) =>
    setSearch({ [parameter]: names.map(encodeURIComponent).join(',') });
  return {
    label: list === '' ? 'Pages' : `Pages of ${list}`,
    number: after.length + 1,
    startAfter: after.at(-1),
    next: (last: string) => show([...after, last]),
    previous: () => show(after.slice(0, -1)),
  };
}

interface Props {
  pages: ReturnType<typeof usePages>;
  /** Number of records of this page. */
  size: number;
  /** Cursor of the last record of this page. */
  last: string | undefined;
}

export function Pager({ pages, size, last }: Props) {
  if (pages.number === 1 && size < pageSize) return null;
  return (
    <nav class="pager" aria-label={pages.label}>
      <button type="button" disabled={pages.number === 1} onClick={pages.previous}>
        Previous
      </button>
      <span>Page {pages.number}</span>
      <button
        type="button"
        disabled={size < pageSize || last === undefined}
        onClick={() => last !== undefined && pages.next(last)}
      >
        Next
      </button>
    </nav>
  );
}
