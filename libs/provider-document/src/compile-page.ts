import { suggestName } from '@onefold/mapping';
import type { CompiledPage, CompiledWindow } from './compiled-provider.js';
import type { DocumentReader, Path } from './document-reader.js';
import type { OperationSource, PageSource } from './source.js';
import type { VisibleNames } from './visible-names.js';

/** Compiles how an operation or a step is paged. */
export function compilePage(
  reader: DocumentReader,
  place: Path,
  page: PageSource | undefined,
  names: VisibleNames,
): CompiledPage | undefined {
  if (page === undefined) return undefined;
  checkKeys(reader, place, page);
  const query = (key: string) => reader.query([...place, key], names);
  return {
    source: page,
    place: place.join('.'),
    rows: reader.query([...place, 'rows'], names, 'value'),
    count: query('count'),
    total: query('total'),
    more: query('more'),
    next: query('next'),
    again: query('again'),
    advance: query('advance'),
    key: reader.query([...place, 'key'], { ...names, row: undefined }),
    window: compileWindow(reader, [...place, 'window'], page, names),
  };
}

function compileWindow(
  reader: DocumentReader,
  place: Path,
  { window }: PageSource,
  names: VisibleNames,
): CompiledWindow | undefined {
  if (window === undefined) return undefined;
  const { max_rows: maxRows, span_days: spanDays, earliest } = window;
  if (maxRows === undefined && spanDays === undefined)
    reader.fault(
      place,
      'a window needs max_rows or span_days',
      'Write where the provider ends a list.',
    );
  if (spanDays !== undefined && earliest === undefined)
    reader.fault(place, 'a window with span_days needs earliest', 'Name a day before all records.');
  // Bounds are computed before the first answer.
  const {
    status: _status,
    headers: _headers,
    body: _body,
    sent: _sent,
    page: _page,
    ...request
  } = names;
  const bound = (key: string) => reader.query([...place, key], { ...request, row: undefined });
  return {
    source: window,
    time: bound('time'),
    descending: bound('descending'),
    from: bound('from'),
    until: bound('until'),
  };
}

/** Finds the step that an operation is paged by. */
export function findPagedStep(
  reader: DocumentReader,
  place: Path,
  { page, steps }: OperationSource,
  names: readonly string[],
): number | undefined {
  if (page === undefined) return undefined;
  const step = page.step === undefined ? 0 : names.indexOf(page.step);
  if (step < 0)
    reader.fault(place, `there is no step "${page.step}"`, suggestName(page.step ?? '', names));
  if (steps[step]?.each !== undefined)
    reader.fault(
      place,
      'a step with each cannot be paged',
      'Name the step that returns the pages.',
    );
  if (steps[step]?.page !== undefined)
    reader.fault(
      place,
      'the step reads all of its pages by itself',
      'Remove page of the step, or name another one.',
    );
  if (page.rows !== undefined)
    reader.keyFault(
      [...place.slice(0, -1), 'rows'],
      'rows of page are for steps',
      'Write rows beside page.',
    );
  return step;
}

/** Checks the page of a step, which is read to its end each time the step runs. */
export function checkStepPage(reader: DocumentReader, above: Path, page: PageSource): void {
  const place = [...above, 'page'];
  if (page.rows === undefined)
    reader.fault(place, 'a page of a step needs rows', 'Write where the rows of an answer are.');
  for (const key of ['step', 'again'] as const)
    if (page[key] !== undefined)
      reader.keyFault([...place, key], `a page of a step has no ${key}`, 'Remove it.');
}

const neededKeys = {
  offset: 'count',
  page: 'count',
  token: 'next',
  link: undefined,
  keyset: 'key',
} as const;
/** Keys that have no meaning for paging by keys. */
const otherKeys = ['next', 'again', 'total'] as const;

function checkKeys(reader: DocumentReader, place: Path, page: PageSource): void {
  const { kind, rows } = page;
  const needed = neededKeys[kind];
  if (needed !== undefined && page[needed] === undefined && !(needed === 'count' && rows))
    reader.fault(place, `paging by ${kind} needs ${needed}`);
  if (kind !== 'keyset' && page.key !== undefined)
    reader.keyFault([...place, 'key'], `paging by ${kind} has no key`, 'Write kind: keyset.');
  if (kind !== 'offset' && page.advance !== undefined)
    reader.keyFault(
      [...place, 'advance'],
      `paging by ${kind} has no advance`,
      'Write kind: offset.',
    );
  if (kind !== 'keyset') return;
  for (const name of otherKeys)
    if (page[name] !== undefined)
      reader.keyFault([...place, name], `paging by keyset has no ${name}`, 'Use more and count.');
}
