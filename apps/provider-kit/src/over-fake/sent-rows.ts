import type { FakeResponse } from '#fakes';
import type { OverFake } from './over-fake.js';
import type { Json } from './over-provider.js';

/** A list that was read to its end. */
export interface WholeList {
  rows: Json[];
  /** The number of records that the vendor sent for it. */
  sent: number;
}

/** Reads a list, and counts what the vendor sends meanwhile. */
export async function readWhole(over: OverFake, read: () => Promise<Json[]>): Promise<WholeList> {
  over.answered = [];
  try {
    const rows = await read();
    const sent = over.answered.reduce((sum, { response }) => sum + countRecords(response), 0);
    return { rows, sent };
  } finally {
    over.answered = undefined;
  }
}

/** Counts the records of an answer: the items of its longest list. */
function countRecords({ body, headers }: FakeResponse): number {
  if (!/json/.test(headers['content-type'] ?? '') || body.length === 0) return 0;
  return longestList(JSON.parse(Buffer.from(body).toString()));
}

function longestList(value: unknown): number {
  if (Array.isArray(value)) return rowsOfTables(value) ?? value.length;
  if (typeof value !== 'object' || value === null) return 0;
  // The columns of a table describe its rows.
  const lists = Object.entries(value).filter(([name]) => name !== 'columns');
  return Math.max(0, ...lists.map(([, one]) => longestList(one)));
}

/** Counts the rows of tables, such as those that a query returns; undefined for a list of other values. */
function rowsOfTables(list: unknown[]): number | undefined {
  const tables = list.map((one) => one as { columns?: unknown; rows?: unknown } | null);
  const rows = tables.map((one) => (Array.isArray(one?.columns) ? one.rows : undefined));
  if (rows.length === 0 || !rows.every(Array.isArray)) return undefined;
  return rows.reduce<number>((sum, one) => sum + (one as unknown[]).length, 0);
}
