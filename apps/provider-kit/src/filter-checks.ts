import { isDeepStrictEqual } from 'node:util';
import { faultsOfResponse } from './validate-response.js';
import type { Check } from './named-check.js';
import type { NamedFixture } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { identityOf } from './record-identity.js';
import { withReplay } from './replay.js';
import type { Ran } from './engine.js';

type Row = Record<string, unknown>;
type Fields = Record<string, { type: string }>;

const maxRows = 100;

/**
 * Checks filters and orders with a provider that ignores them: the engine then applies them, or refuses them by name.
 * The whole list is the one whose pages were recorded.
 */
export function filterChecks(
  folder: ProviderFolder,
  fixtures: readonly NamedFixture[],
  operations: Record<string, { fields?: object }>,
): Check[] {
  const lists = fixtures.filter((fixture) => fixture.operation.query['filter'] !== undefined);
  const whole = lists.filter(
    ({ case: name, operation: { id } }) =>
      name === 'pages' ||
      (name === 'works' && !lists.some((one) => one.operation.id === id && one.case === 'pages')),
  );
  return whole.flatMap((fixture) => {
    const { id } = fixture.operation;
    const fields = Object.entries((operations[id]?.fields ?? {}) as Fields);
    const each = async (check: (rows: Row[], name: string, type: string) => Promise<string[]>) => {
      const rows = await wholeList(folder, fixture);
      return (await Promise.all(fields.map(([name, { type }]) => check(rows, name, type)))).flat();
    };
    return [
      {
        name: `${id} applies every filter, or refuses it by name`,
        run: () => each((rows, name, type) => checkFilter(folder, fixture, rows, name, type)),
      },
      {
        name: `${id} loses no row to an order, or refuses it by name`,
        run: () => each((rows, name) => checkOrder(folder, fixture, rows, name)),
      },
      {
        name: `${id} refuses an unknown filter and an unknown order by name`,
        run: () => checkRefusal(folder, fixture),
      },
    ];
  });
}

/** Returns the rows with the value of the first row that has one. */
async function checkFilter(
  folder: ProviderFolder,
  fixture: NamedFixture,
  rows: Row[],
  name: string,
  type: string,
): Promise<string[]> {
  const read = (row: Row) => row[name === 'time' ? 'created_at' : name];
  const first = rows.flatMap(read).find((value) => value !== undefined && value !== null);
  if (first === undefined) return [];
  const isSame = (value: unknown) =>
    type === 'datetime'
      ? Date.parse(value as string) === Date.parse(first as string)
      : value === first;
  const passes = (row: Row) => [read(row)].flat().some(isSame);
  const filter = [`${name}[eq]${JSON.stringify(first)}`];
  return await runList(folder, fixture, { filter }, ({ answer }) => {
    if (answer.status !== 200) return namesIt(answer, name);
    const given = rowsOf(answer);
    const ids = given.map(identityOf);
    return [
      ...faultsOfResponse(fixture.operation, answer.status, answer.body),
      ...rows
        .filter((row) => passes(row) && !ids.includes(identityOf(row)))
        .map((row) => `${filter.join()} loses the row ${identityOf(row)}`),
      ...given
        .filter((row) => !passes(row))
        .map((row) => `${filter.join()} does not exclude the row ${identityOf(row)}`),
    ];
  });
}

async function checkOrder(
  folder: ProviderFolder,
  fixture: NamedFixture,
  rows: Row[],
  name: string,
): Promise<string[]> {
  if (fixture.operation.query['order'] === undefined) return [];
  const all = rows.map(identityOf).sort();
  return await runList(folder, fixture, { order: [name] }, ({ answer }) => {
    if (answer.status !== 200) return namesIt(answer, name);
    const ids = rowsOf(answer).map(identityOf).sort();
    return isDeepStrictEqual(ids, all) ? [] : [`in the order of ${name} it returns ${ids.join()}`];
  });
}

async function checkRefusal(folder: ProviderFolder, fixture: NamedFixture): Promise<string[]> {
  const queries = [
    { filter: ['no_such_field[eq]x'] },
    ...(fixture.operation.query['order'] === undefined ? [] : [{ order: ['no_such_field'] }]),
  ];
  const found = await Promise.all(
    queries.map((query) =>
      runList(folder, fixture, query, ({ answer }) => namesIt(answer, 'no_such_field')),
    ),
  );
  return found.flat();
}

async function wholeList(folder: ProviderFolder, fixture: NamedFixture): Promise<Row[]> {
  return await runList(folder, fixture, {}, ({ answer }) => rowsOf(answer));
}

async function runList<T>(
  folder: ProviderFolder,
  fixture: NamedFixture,
  query: Record<string, unknown>,
  read: (ran: Ran) => T,
): Promise<T> {
  return await withReplay(folder, fixture, { lenient: true }, async (replay) =>
    read(await replay.run({ ...fixture.request.query, limit: maxRows, ...query })),
  );
}

function namesIt({ status, body }: Ran['answer'], name: string): string[] {
  const text = JSON.stringify(body);
  return status === 400 && text.includes(name)
    ? []
    : [`${name} is not refused by its name: ${status} ${text}`];
}

function rowsOf(answer: Ran['answer']): Row[] {
  return (answer.body as { result?: Row[] }).result ?? [];
}
