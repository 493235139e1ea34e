import { matcher } from '#query';
import type { Cursors } from '#secrets';
import type { ListQuery } from './list-query.js';
import type { ProviderRecord } from './provider-record.js';
import { limitOf, pageOf, type PageParameters, readCursor } from './page.js';
import type { ListPages, ProviderResult, ProviderOperation } from './provider.js';
import { type OperationRun, reservedMs } from './operation-run.js';
import { fieldReader } from './read-field.js';
import { readAllRows, scan, type ScanPosition } from './scan.js';

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

/** A row of a list, with the result of `default:0` if a filter or a count needed it. */
export interface Row {
  providerRecord: ProviderRecord;
  record?: ProviderRecord;
}

export interface ListPage {
  rows: Row[];
  /** Absent if the operation has no cursor. */
  cursor?: string;
  /** True if the provider has not finished, so that the caller has to continue later. */
  waits?: boolean;
}

/** Reads the page that the caller requested from the list of a provider. */
export class Lists {
  constructor(private readonly cursors: Cursors) {}

  /** Returns the rows of the page, with a cursor if the operation has one. Counts records for meta functions. */
  async page(run: OperationRun, found: ListResult): Promise<ListPage> {
    const { call, operation, offered, meta, usage, query } = run;
    if ('records' in found) {
      const rows = found.records.map((providerRecord) => ({ providerRecord }));
      if (meta.wantsCounts)
        for (const row of rows) meta.count(mapRow(run, row.providerRecord).record);
      return { rows };
    }
    const isPaged = operation.query['cursor'] !== undefined;
    if ('pages' in found && !isPaged) {
      const records = await readAllRows(found.pages, 'Ask the provider directly.');
      return await this.page(run, { records });
    }
    if ('pages' in found && query.streams && !meta.wantsCounts)
      return await this.stream(run, found.pages);
    const readField = fieldReader(offered.fields);
    const all =
      'all' in found ? found.all : await readAllRows(found.pages, wholeListRemedy(offered, query));
    const page = usage.work(() =>
      pageOf(
        all.map((providerRecord) => mapRow(run, providerRecord)),
        call.query as PageParameters,
        offered.fields ?? { id: { type: 'string' } },
        {
          read: ({ record }, field) => readField(record, field),
          cursors: this.cursors,
          context: cursorContext(run),
          order: offered.order,
        },
      ),
    );
    if (meta.wantsCounts) for (const { record } of page.matching) meta.count(record);
    return page;
  }

  /** Reads only as many pages of the provider as the caller's page needs. */
  private async stream(run: OperationRun, pages: ListPages): Promise<ListPage> {
    const { call, clock, deadline, offered, query } = run;
    const parameters = call.query as PageParameters;
    const context = `${cursorContext(run)} ${JSON.stringify([query.orders, query.filters])}`;
    const limit = limitOf(parameters);
    if (limit === 0) return { rows: [], cursor: parameters.cursor ?? '' };
    const from = parameters.cursor
      ? (readCursor(this.cursors, context, parameters.cursor) as ScanPosition)
      : undefined;
    const passes = matcher<ProviderRecord>(
      query.filters,
      offered.fields ?? {},
      fieldReader(offered.fields),
    );
    const until = Math.min(clock.now() + scanMs, deadline - reservedMs);
    const { rows, next, waits } = await scan<Row>(
      pages,
      (providerRecord) => {
        if (query.filters.length === 0) return { providerRecord };
        return run.usage.work(() => {
          const row = mapRow(run, providerRecord);
          return passes(row.record) ? row : undefined;
        });
      },
      { limit, from, filters: query.filters.length > 0, isOver: () => clock.now() > until },
    );
    return { rows, cursor: next === undefined ? '' : this.cursors.issue(context, next), waits };
  }
}

function mapRow(
  { offered, context }: OperationRun,
  providerRecord: ProviderRecord,
): Row & { record: ProviderRecord } {
  return {
    providerRecord,
    record: (offered.response?.(providerRecord, context) ?? providerRecord) as ProviderRecord,
  };
}

function cursorContext({ integration, operation }: OperationRun): string {
  return `${integration.id} ${operation.id}`;
}

/** Suggests orders and filters that the provider applies, because the list is too long to be sorted here. */
function wholeListRemedy(
  { fields = {}, pushes }: ProviderOperation,
  { orders }: ListQuery,
): string {
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
