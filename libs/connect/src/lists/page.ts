import type { ResolvedIntegration } from '#bus';
import { badRequest, type Fault, type Operation } from '#contract';
import { CursorRefused, type Cursors } from '#secrets';
import type { ProviderRecord } from '../provider-record.js';
import type { ProviderResult } from '../provider.js';

/** The query values that lists of connectors share. */
export interface PageParameters {
  limit?: number | null;
  cursor?: string | null;
  /** Some operations take one order, others several. */
  order?: string | readonly string[] | null;
  filter?: readonly string[] | null;
}

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

export type MappedRow = Required<Row>;

export interface ListPage {
  rows: Row[];
  /** Absent if the operation has no cursor. */
  cursor?: string;
  /** True if the provider has not finished, so that the caller has to continue later. */
  waits?: boolean;
}

const defaultLimit = 100;
/** Maximum number of rows of a page where the contract names none. A larger `limit` gets a shorter page, with a cursor. */
const maxLimit = 1_000;

/** Returns the number of rows of a page: `limit` of the request, within the maximum that the contract has for the operation. */
export function limitOf(
  limit: PageParameters['limit'],
  { query }: Pick<Operation, 'query'>,
): number {
  const { default: preset, maximum = maxLimit } = query['limit'] ?? {};
  const wanted = limit ?? (typeof preset === 'number' ? preset : defaultLimit);
  return Math.min(wanted, maximum);
}

/** Identifies the list that a cursor belongs to. */
export function cursorContext({ id }: ResolvedIntegration, operation: Operation): string {
  return `${id} ${operation.id}`;
}

/** Reads the content of a cursor. @throws ApiError 400 if it is not a cursor of this list */
export function readCursor(
  cursors: Cursors,
  context: string,
  cursor: string,
  place: Pick<Fault, 'location' | 'pointer'> = { location: 'query', pointer: 'cursor' },
): unknown {
  try {
    return cursors.read(context, cursor);
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error;
    throw badRequest({ ...place, message: error.message, value: cursor }, { cause: error });
  }
}
