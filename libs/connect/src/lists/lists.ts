import { fieldReader, matcher } from '#query';
import type { Cursors } from '#secrets';
import type { ListQuery } from './list-query.js';
import type { ProviderRecord } from '../provider-record.js';
import { limitOf, pageOf, type PageParameters, readCursor } from './page.js';
import type { ListPages, ProviderResult, ProviderOperation } from '../provider.js';
import { type OperationRun, reservedMs } from '../operation-run.js';
import { mapInSlices } from '../records/slices.js';
import { readAllRows, readPagesOnce, scan, type ScanPosition, wholeListPageSize } from './scan.js';

/** Reading rows that the filters drop ends after this time, with a short page. */
const scanMs = 20_000;

export type ListResult = Exclude<
  ProviderResult,
  | { none: true }
  | { record: unknown }
  | { file: unknown }
  | { value: unknown }
  | { paused: unknown }
>;

/** A row of a list, with its record in our shape if a filter, an order or a count needed it. */
export interface Row {
  providerRecord: ProviderRecord;
  record?: ProviderRecord;
}

/**
 * Maps a record of the provider to what the caller gets; undefined if a mapping drops it, or if it is left out.
 * @param isNamed false if a page before has named what is left out
 */
export type MapRecord = (
  providerRecord: ProviderRecord,
  isNamed?: boolean,
) => ProviderRecord | undefined;

type MappedRow = Required<Row>;

export interface ListPage {
  rows: Row[];
  /** Absent if the operation has no cursor. */
  cursor?: string;
  /** True if the provider has not finished, so that the caller has to continue later. */
  waits?: boolean;
}

/** Reads the page that the caller requested from the list of a provider. Filters, orders and counts are about the mapped records. */
export class Lists {
  constructor(private readonly cursors: Cursors) {}

  /** Returns the rows of the page, with a cursor if the operation has one. Counts records for meta functions. */
  async page(run: OperationRun, found: ListResult, map: MapRecord): Promise<ListPage> {
    const { operation, meta, query } = run;
    const isPaged = operation.query['cursor'] !== undefined;
    if ('records' in found || !isPaged) {
      const whole = await this.whole(found, 'Ask the provider directly.');
      const isPlain = query.orders.length === 0 && query.filters.length === 0;
      if (isPlain && !meta.wantsCounts)
        return { rows: whole.map((providerRecord) => ({ providerRecord })) };
      const limit = whole.length + 1; // such a list has no pages
      const { rows, matching } = await this.cut(run, whole, map, { limit });
      return { rows: isPlain ? matching : rows };
    }
    const remedy = wholeListRemedy(run.offered, query);
    if ('pages' in found && query.streams)
      return meta.wantsCounts
        ? await this.streamAndCount(run, found.pages, map, remedy)
        : await this.stream(run, found.pages, map);
    const whole = await this.whole(found, remedy);
    const parameters = run.call.query as PageParameters;
    return await this.cut(run, whole, map, {
      limit: limitOf(parameters, operation),
      cursor: parameters.cursor,
    });
  }

  private async whole(found: ListResult, remedy: string): Promise<ProviderRecord[]> {
    if ('records' in found) return found.records;
    return 'all' in found ? found.all : await readAllRows(found.pages, remedy);
  }

  /** Cuts the page out of all rows. */
  private async cut(
    run: OperationRun,
    whole: readonly ProviderRecord[],
    map: MapRecord,
    place: { limit: number; cursor?: string | null | undefined },
  ): Promise<{ rows: MappedRow[]; matching: MappedRow[]; cursor: string }> {
    const read = fieldReader(run.query.fields);
    const rows: MappedRow[] = [];
    await mapInSlices(whole, run.usage, (providerRecord) => {
      const record = map(providerRecord, !place.cursor);
      if (record !== undefined) rows.push({ providerRecord, record });
    });
    const page = run.usage.work(() =>
      pageOf(rows, place, run.query, {
        read: ({ record }, field) => read(record, field),
        cursors: this.cursors,
        context: cursorContext(run),
      }),
    );
    if (run.meta.wantsCounts) for (const { record } of page.matching) run.meta.count(record);
    return page;
  }

  /**
   * Reads the page as without counts, so that the cursor goes on with and without them, and counts the rows of the whole list. Both see
   * the same rows: each page of the provider is read once, and each record is mapped once.
   */
  private async streamAndCount(
    run: OperationRun,
    pages: ListPages,
    map: MapRecord,
    remedy: string,
  ): Promise<ListPage> {
    const read = readPagesOnce(pages);
    const records = new Map<ProviderRecord, ProviderRecord | undefined>();
    const mapOnce: MapRecord = (providerRecord) => {
      if (!records.has(providerRecord)) records.set(providerRecord, map(providerRecord));
      return records.get(providerRecord);
    };
    const page = await this.stream(run, read, mapOnce);
    const whole = await readAllRows(read, remedy);
    const passes = passesFilters(run);
    await mapInSlices(whole, run.usage, (providerRecord) => {
      const record = mapOnce(providerRecord);
      if (record !== undefined && passes(record)) run.meta.count(record);
    });
    return page;
  }

  /** Reads only as many pages of the provider as the caller's page needs. */
  private async stream(run: OperationRun, pages: ListPages, map: MapRecord): Promise<ListPage> {
    const { call, clock, deadline, query } = run;
    const parameters = call.query as PageParameters;
    const context = `${cursorContext(run)} ${JSON.stringify([query.orders, query.filters])}`;
    const limit = limitOf(parameters, run.operation);
    if (limit === 0) return { rows: [], cursor: parameters.cursor ?? '' };
    const from = parameters.cursor
      ? (readCursor(this.cursors, context, parameters.cursor) as ScanPosition)
      : undefined;
    const { wantsCounts } = run.meta;
    const isMapped = query.filters.length > 0 || wantsCounts;
    const passes = passesFilters(run);
    // Where more rows than those of the page are read, the provider's largest pages need the fewest calls.
    const pageSize = wantsCounts
      ? wholeListPageSize(pages)
      : query.filters.length > 0
        ? (pages.size ?? limit)
        : limit;
    const until = Math.min(clock.now() + scanMs, deadline - reservedMs);
    const { rows, next, waits } = await scan<Row>(
      pages,
      (providerRecord) => {
        if (!isMapped) return { providerRecord };
        return run.usage.work(() => {
          const record = map(providerRecord);
          return record !== undefined && passes(record) ? { providerRecord, record } : undefined;
        });
      },
      { limit, from, pageSize, isOver: () => clock.now() > until },
    );
    return { rows, cursor: next === undefined ? '' : this.cursors.issue(context, next), waits };
  }
}

function passesFilters({ query }: OperationRun): (record: ProviderRecord) => boolean {
  return matcher<ProviderRecord>(query.filters, query.fields, fieldReader(query.fields));
}

function cursorContext({ integration, operation }: OperationRun): string {
  return `${integration.id} ${operation.id}`;
}

/** Suggests orders and filters that the provider applies, because the list is too long to be sorted here. */
function wholeListRemedy(offered: ProviderOperation, { orders, fields: named }: ListQuery): string {
  const { pushes } = offered;
  const fields = { ...offered.fields, ...named };
  const orderable = Object.keys(fields).filter((field) =>
    orders.every(({ direction }) => pushes?.order({ field, direction })),
  );
  const filterable = Object.keys(fields).filter((field) =>
    (['eq', 'gt', 'gte'] as const).some((operator) =>
      pushes?.filter({ field, operator, values: [] }),
    ),
  );
  const parts = [
    ...(orderable.length > 0 ? [`order by ${orderable.join(', ')}`] : []),
    ...(filterable.length > 0 ? [`filter by ${filterable.join(', ')}`] : []),
  ];
  return parts.length === 0
    ? 'The provider can neither filter nor order this list by itself.'
    : `The provider can by itself ${parts.join(' and ')}.`;
}
