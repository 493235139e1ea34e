import type { ProviderOperation } from '#connect';
import { type OperationId, operationOf } from '#contract';
import { type Field, type Operator } from '#query';
import { identityOf } from '../record-identity.js';
import { readWhole, type WholeList } from './sent-rows.js';
import type { OverFake } from './over-fake.js';
import type { Json } from './over-provider.js';

/** Options of reads whose records were held against the contract when all rows were read. */
const again = { checked: false };

/**
 * Compares a list with itself: every row is on one of its pages exactly once, and every filter and order that the vendor applies has the
 * result that filtering and ordering all rows here has, and has the vendor send fewer rows. What it does not apply is the same code for all
 * lists, with tests of its own.
 * @param options `except`: fields to leave out, because their values are others at every call; `only`: the fields to compare, if not all;
 * `maxFields`: how many of them, evenly spread; `narrows`: whether a filter of the field has to make the vendor send fewer rows; `parts`: what to compare, if not everything; `whole`: the list, if it has been read already; `maxFaults`: ends with so many differences
 * @returns one text for each difference
 */
export async function listFaults(
  over: OverFake,
  id: OperationId,
  {
    path = {},
    except = [],
    only,
    parts = ['pages', 'filters', 'orders'],
    whole,
    maxFaults = Infinity,
    maxFields = Infinity,
    narrows = () => false,
  }: {
    path?: Record<string, string>;
    except?: readonly string[];
    only?: readonly string[] | undefined;
    parts?: readonly ('pages' | 'filters' | 'orders')[];
    whole?: WholeList;
    maxFaults?: number;
    maxFields?: number | undefined;
    narrows?: (field: string) => boolean;
  } = {},
): Promise<string[]> {
  // The limits of the vendor are another test's.
  over.fake.limits.override = { requests: 1e6, seconds: 60 };
  const { rows, sent } = whole ?? (await readWhole(over, () => over.all(id, {}, path)));
  if (rows.length < 2) return [`${id} has ${rows.length} rows, too few to compare`];
  const faults = parts.includes('pages') ? await pageFaults(over, id, path, rows) : [];
  const hasOrder = operationOf(id).query['order'] !== undefined;
  const { fields = {}, pushes } = over.provider.operations[id] ?? {};
  const compared = Object.entries(fields).filter(
    ([name]) => isPushed(pushes, name) && !except.includes(name) && only?.includes(name) !== false,
  );
  const step = Math.max(1, Math.ceil(compared.length / maxFields));
  for (const [name, field] of compared.filter((_one, index) => index % step === 0)) {
    if (faults.length >= maxFaults) break;
    const values = [...new Set(rows.flatMap((row) => valuesOf(row, field.path ?? name)))];
    if (values.length === 0) {
      faults.push(`${name}: no row has a value`);
      continue;
    }
    if (parts.includes('filters'))
      faults.push(
        ...(await filterFaults(over, id, path, rows, {
          name,
          field,
          values,
          maxFaults,
          // Bounds at the one value that all rows have may leave none out.
          sent: narrows(name) && values.length > 1 ? sent : Infinity,
        })),
      );
    if (parts.includes('orders') && field.orders !== false && hasOrder)
      faults.push(...(await orderFaults(over, id, path, rows, { name, field })));
  }
  return faults;
}

const operators: readonly Operator[] = ['eq', 'neq', 'in', 'gt', 'gte', 'lt', 'lte'];

/** Whether the vendor applies a filter or an order of the field. */
export function isPushed(pushes: ProviderOperation['pushes'], field: string): boolean {
  return (
    pushes !== undefined &&
    (operators.some((operator) => pushes.filter({ field, operator, values: [] })) ||
      (['asc', 'desc'] as const).some((direction) => pushes.order({ field, direction })))
  );
}

async function pageFaults(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  rows: Json[],
): Promise<string[]> {
  const limit = Math.max(2, Math.ceil(rows.length / 4));
  const pages = await over.pages(id, { limit }, path, again);
  const paged = pages.flat().map(identityOf);
  return [
    ...(pages.length < 2 ? [`there is one page of ${rows.length} rows`] : []),
    ...(new Set(paged).size === paged.length ? [] : ['a row is on two pages']),
    ...(paged.join() === rows.map(identityOf).join()
      ? []
      : ['the pages have other rows than the list']),
  ];
}

interface Checked {
  name: string;
  field: Field;
}

async function filterFaults(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  rows: Json[],
  {
    name,
    field,
    values,
    maxFaults,
    sent,
  }: Checked & {
    values: unknown[];
    maxFaults: number;
    sent: number;
  },
): Promise<string[]> {
  const value = [...values].sort(compare)[values.length >> 1];
  const written = field.type === 'datetime' ? new Date(value as number).toISOString() : value;
  const tests: Record<string, (one: unknown) => boolean> = {
    eq: (one) => one === value,
    neq: (one) => one !== value,
    in: (one) => one === value,
    gt: (one) => compare(one, value) > 0,
    gte: (one) => compare(one, value) >= 0,
    lt: (one) => compare(one, value) < 0,
    lte: (one) => compare(one, value) <= 0,
  };
  const pushes = over.provider.operations[id]?.pushes;
  const sentBy: number[] = [];
  const faults: string[] = [];
  for (const [operator, test] of Object.entries(tests)) {
    if (faults.length >= maxFaults) break;
    const filterOf = { field: name, operator: operator as Operator, values: [] };
    // Filters that the vendor does not apply are the same code for all fields.
    if (operator !== 'neq' && pushes?.filter(filterOf) !== true) continue;
    const expected = rows.filter((row) => {
      const found = valuesOf(row, field.path ?? name);
      return operator === 'neq' ? found.every(test) : found.some(test);
    });
    const quoted =
      field.type === 'boolean' || field.type === 'number' ? written : `"${String(written)}"`;
    const filter = `${name}[${operator}]${String(quoted)}`;
    const found = await readWhole(over, () => over.all(id, { filter }, path, again));
    if (sorted(found.rows) !== sorted(expected))
      faults.push(`${filter} has ${found.rows.length} rows, not ${expected.length}`);
    const isPushedOn = pushes?.filter(filterOf) === true && expected.length < rows.length;
    if (isPushedOn) sentBy.push(found.sent);
  }
  // Windows of time that overlap may send a row twice, so one operator alone shows nothing.
  if (sentBy.length > 0 && sentBy.every((one) => one >= sent))
    faults.push(`filters of ${name} have the vendor send as many records as none: ${sent}`);
  return faults;
}

async function orderFaults(
  over: OverFake,
  id: OperationId,
  path: Record<string, string>,
  rows: Json[],
  { name, field }: Checked,
): Promise<string[]> {
  const faults: string[] = [];
  const pushes = over.provider.operations[id]?.pushes;
  const { values: ranks } = field;
  const rank = (value: unknown) => (ranks ? ranks.indexOf(value as string) : value);
  for (const [direction, sign] of [
    ['asc', 1],
    ['desc', -1],
  ] as const) {
    if (direction === 'desc' && pushes?.order({ field: name, direction }) !== true) continue;
    const found = await over.all(id, { order: `${name}[${direction}]` }, path, again);
    if (sorted(found) !== sorted(rows)) faults.push(`the order of ${name} loses rows`);
    const values = found.flatMap((row) => valuesOf(row, field.path ?? name)).map(rank);
    const isOrdered = values.every(
      (value, index) => index === 0 || sign * compare(values[index - 1], value) <= 0,
    );
    if (!isOrdered) faults.push(`${name} is not ordered ${direction}`);
  }
  return faults;
}

function compare(one: unknown, other: unknown): number {
  const [a, b] = [one as string, other as string];
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(rows: Json[]): string {
  return rows.map(identityOf).sort().join();
}

function valuesOf(record: unknown, path: string): unknown[] {
  return path
    .split('.')
    .reduce<unknown[]>(
      (found, name) =>
        found
          .flat()
          .map((one) => (one as Json | null | undefined)?.[name] as unknown)
          .filter((one) => one !== undefined && one !== null),
      [record],
    )
    .flat();
}
