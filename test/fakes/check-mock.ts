import { type OperationId, operationOf } from '#contract';
import { isPushed, listFaults } from '../harness/list-checks.js';
import { MockClient, stepsOf } from '../harness/mock-over-fake.js';
import type { OverFake } from '../harness/over-fake.js';
import type { MockWalk } from '../walks/mock-walks.js';
import { Walker } from '../walks/walk.js';
import { Coverage } from './coverage.js';

/** A list of a mock that is compared with itself. */
export interface CheckedList {
  id: OperationId;
  path: Record<string, string>;
}

/** The result of the checks of a mock. */
export interface CheckResult {
  /** The first thing that is wrong; undefined if nothing is. */
  fault: string | undefined;
  coverage: Coverage;
  /** Lists that the walk called, each once for a path. */
  lists: CheckedList[];
}

/**
 * Runs the walk of a mock on its first records. Every response is held against the contract, records against the lint of OCSF, and the
 * fake reports its own faults.
 */
export async function runChecks(over: OverFake, { type, steps }: MockWalk): Promise<CheckResult> {
  resetAll(over);
  const coverage = new Coverage();
  const lists = new Map<string, CheckedList>();
  const client = new MockClient(over);
  client.onResult = (id, result, { path = {} }) => {
    coverage.add(id, result);
    if (isList(id))
      lists.set(`${id} ${JSON.stringify(path)}`, { id, path: path as Record<string, string> });
  };
  const walker = new Walker(client, {
    values: { unique: 'Planted' },
    offers: () => true,
    hasProvider: true,
  });
  let fault: string | undefined;
  try {
    await walker.run({ name: type, steps: stepsOf(over, steps) });
  } catch (error) {
    fault = messageOf(error);
  }
  return { fault, coverage, lists: [...lists.values()] };
}

/** The first page of a list: what is wrong with it, the fields that it fills, and its records. */
export async function checkPage(
  over: OverFake,
  { id, path }: CheckedList,
): Promise<{ fault: string | undefined; coverage: Coverage; records: unknown[] }> {
  resetAll(over);
  const coverage = new Coverage();
  const client = new MockClient(over);
  const records: unknown[] = [];
  client.onResult = (_id, result) => {
    coverage.add(id, result);
    records.push(...[result].flat());
  };
  try {
    await client.call(id, { path });
    return { fault: undefined, coverage, records };
  } catch (error) {
    return { fault: messageOf(error), coverage, records };
  }
}

/**
 * Compares a list with itself on the first records: its pages, or these filters.
 * @param fields with filters that the vendor applies; the pages are compared without them
 * @param expected the number of its rows, if it is known: a page of the vendor may hold the whole list, so that all pages of ours lack the
 * same row
 * @returns the first difference, and the number of its rows, if they can be read
 */
export async function compareList(
  over: OverFake,
  { id, path }: CheckedList,
  fields: readonly string[] = [],
  expected?: number,
): Promise<{ fault: string | undefined; count: number | undefined }> {
  resetAll(over);
  let count: number | undefined;
  try {
    const rows = await over.all(id, {}, path);
    count = rows.length;
    // Rows that are missing are a fault already: the list is not read again to find another one.
    if (expected !== undefined && count !== expected)
      return { fault: `${count} records, not ${expected}`, count };
    const parts = [fields.length === 0 ? ('pages' as const) : ('filters' as const)];
    const faults = await listFaults(over, id, { path, only: fields, parts, rows, maxFaults: 1 });
    return { fault: faults[0], count };
  } catch (error) {
    return { fault: messageOf(error), count };
  }
}

/** The fields of a list whose filters or orders the vendor applies. */
export function pushedFields({ provider }: OverFake, { id }: CheckedList): string[] {
  const { fields = {}, pushes } = provider.operations[id] ?? {};
  return Object.keys(fields).filter((name) => isPushed(pushes, name));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Starts again, without the vendor's limits: those are another test's. */
function resetAll(over: OverFake): void {
  over.reset();
  over.fake.limits.override = { requests: 1_000_000, seconds: 60 };
}

function isList(id: OperationId): boolean {
  const { method, response } = operationOf(id);
  return method === 'GET' && response.cursor;
}
