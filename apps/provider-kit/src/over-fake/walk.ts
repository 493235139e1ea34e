import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { type OperationId, operations, type Problem } from '#contract';
import { hasFields } from './has-fields.js';

/** One call of a walk, and its expectations. `$name.field` is replaced by a value, `$: $name` by all fields of a result. */
export interface Step {
  call: OperationId;
  path?: object;
  query?: Record<string, unknown>;
  body?: unknown;
  /** Skips the step if the system does not support this operation. */
  when?: OperationId;
  /** The name of the result for later steps. */
  as?: string;
  /** The status of an expected error. */
  refused?: number;
  /** Pointers of the sent fields that the provider does not keep; the response names each and no others, so none when absent. */
  loses?: string[];
  /** True if the error must contain the message of the provider, if there is one. */
  details?: boolean;
  /** The whole expected result, or some of its fields. */
  equals?: unknown;
  matches?: object;
  /** Fields that are absent or empty. */
  empty?: string[];
  /** For lists: the number of rows, their ids, and fields that all rows have. */
  count?: number;
  more_than?: number;
  ids?: unknown[];
  each?: Record<string, unknown>;
  /** Records that a list has among others. */
  includes?: object[];
  /** Reads all pages and expects every row once, in order of a time if one is given, and as many as stats/count returns. */
  all_pages?: { limit: number; more_than: number; ordered_by?: string };
}

export interface WalkTest {
  name: string;
  when?: OperationId;
  /** Makes the first step so many times before the others. */
  before?: { rows: number } & Step;
  steps: Step[];
}

/** Calls operations for a walk. */
export interface WalkCaller {
  /** @returns the body of the response @throws Error if the call fails, or breaks the contract */
  call(id: OperationId, parts: never): Promise<unknown>;
  /** @throws Error if the call does not fail with the status */
  refuse(id: OperationId, status: number, parts: never): Promise<Problem>;
}

/**
 * Reads `mocks.yaml` of a vendor's folder: valid input of the operations of each mock, in the order in which they are called on a new
 * integration.
 */
export function readMockSteps(text: string): Record<string, Step[]> {
  const walks = parse(text, { merge: true }) as Record<string, Step[]>;
  checked(Object.entries(walks).map(([name, steps]) => ({ name, steps })));
  return walks;
}

/** The steps of a walk that a provider takes by itself: some operations are several calls of others, made by their domain. */
export function stepsOf(
  operations: { readonly [Id in OperationId]?: unknown },
  steps: readonly Step[],
): Step[] {
  return steps.filter(({ call, refused }) => refused !== undefined || operations[call]);
}

const stepKeys = new Set([
  'call',
  'path',
  'query',
  'body',
  'when',
  'as',
  'refused',
  'loses',
  'details',
  'equals',
  'matches',
  'empty',
  'count',
  'more_than',
  'ids',
  'each',
  'includes',
  'all_pages',
]);

/** Refuses misspelt expectations, which would never fail. @throws Error that names the key */
export function checked(tests: readonly Pick<WalkTest, 'name' | 'steps'>[]): void {
  for (const { name, steps } of tests)
    for (const step of steps)
      for (const key of Object.keys(step))
        if (!stepKeys.has(key)) throw new Error(`unknown key "${key}" of a step of "${name}"`);
}

type Row = Record<string, unknown>;

interface Page {
  result?: Row[];
  cursor?: string;
  /** PENDING while the provider works: the list goes on with the cursor. */
  status?: string;
  meta?: { stats?: { count?: object } };
}

interface Messages {
  messages?: { problems?: { instance?: string; context?: { parameter?: { id?: string } } }[] };
}

/** The fields that a response says were sent and are not kept. */
function lossesOf(body: unknown): (string | undefined)[] {
  const problems = (isObject(body) ? (body as Messages).messages?.problems : undefined) ?? [];
  return problems
    .filter(({ instance = '' }) => ['field-not-written', 'value-not-kept'].includes(instance))
    .map(({ context }) => context?.parameter?.id);
}

/** Runs the tests of a walk on one system. */
export class Walker {
  constructor(
    private readonly client: WalkCaller,
    private readonly system: {
      values: Record<string, unknown>;
      offers: (id: OperationId) => boolean;
      hasProvider: boolean;
      /** Called with the path parameters of each call that succeeded. */
      onPath?: (path: Record<string, string>) => void;
    },
  ) {}

  async run({ before, steps }: WalkTest): Promise<void> {
    const known = { unique: `Needle ${Date.now()}`, ...this.system.values };
    if (before !== undefined)
      for (let made = 0; made < before.rows; made += 1) await this.step(before, known);
    for (const step of steps)
      if (step.when === undefined || this.system.offers(step.when)) await this.step(step, known);
  }

  private async step(step: Step, known: Record<string, unknown>): Promise<void> {
    const { call, path, query, body: sent } = fill(step, known) as Step;
    const parts = { path, query, body: sent } as never;
    if (step.refused !== undefined) {
      const problem = await this.client.refuse(call, step.refused, parts);
      const isSilent = problem.context?.provider_details === undefined;
      if (step.details && this.system.hasProvider && isSilent)
        fail(call, 'the error contains nothing that the provider said', problem);
      return;
    }
    if (step.all_pages !== undefined)
      return await this.allPages(call, { path, query }, step.all_pages);
    const body = await this.whole(call, { path, query, body: sent });
    const [lost, loses] = [lossesOf(body), step.loses ?? []];
    if (!isDeepStrictEqual(lost, loses)) fail(call, `it does not keep ${lost.join()}`, loses);
    this.system.onPath?.((path ?? {}) as Record<string, string>);
    // Some responses are the record itself, or a file.
    const result = isObject(body) && 'result' in body ? body['result'] : body;
    if (step.as !== undefined) known[step.as] = result;
    checkResult(result, fill(step, known) as Step);
  }

  /**
   * Calls, and goes on with the cursor as long as the provider works, or a page of a search is short: it has the rows that were found when
   * the time was over.
   */
  private async whole(
    call: OperationId,
    parts: { path: unknown; query: Step['query']; body: unknown },
  ): Promise<unknown> {
    const limit = Number(
      parts.query?.['limit'] ?? operations.get(call)?.query['limit']?.default ?? 1,
    );
    let body: unknown = await this.client.call(call, parts as never);
    const isSearch = parts.query?.['filter'] !== undefined;
    const rows: Row[] = [];
    while (isObject(body)) {
      const { result, status, cursor } = body as Page;
      if (Array.isArray(result)) rows.push(...result);
      const isShort = isSearch && Array.isArray(result) && rows.length < limit;
      if (!cursor || (status !== 'PENDING' && !isShort)) break;
      const query = { ...parts.query, cursor };
      body = await this.client.call(call, { ...parts, query } as never);
    }
    return isObject(body) && Array.isArray(body['result']) ? { ...body, result: rows } : body;
  }

  private async allPages(
    call: OperationId,
    { path, query: given }: { path: unknown; query: Step['query'] },
    { limit, more_than, ordered_by }: NonNullable<Step['all_pages']>,
  ): Promise<void> {
    const read = async (query: object): Promise<Page> => {
      const parts = { path, query: { ...given, ...query } };
      const page: unknown = await this.client.call(call, parts as never);
      return page as Page;
    };
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ limit, ...(cursor ? { cursor } : {}) });
      const size = page.result?.length ?? 0;
      if (size > limit) fail(call, `a page has ${size} rows`, limit);
      rows.push(...(page.result ?? []));
      cursor = page.cursor ?? '';
    } while (cursor !== '');
    if (new Set(rows.map((row) => row['id'] ?? JSON.stringify(row))).size !== rows.length)
      fail(call, `a row is there twice among ${rows.length}`);
    if (rows.length <= more_than) fail(call, `it has ${rows.length} rows`, `> ${more_than}`);
    if (ordered_by !== undefined) {
      const times = rows.map((row) => timeOf(row[ordered_by]));
      const isOrdered = times.every(
        (time, index) => index === 0 || (times[index - 1] ?? 0) <= time,
      );
      // NaN is in no order.
      if (!isOrdered || times.includes(NaN))
        fail(call, `${ordered_by} is not in order: ${times.join()}`);
    }
    const { meta } = await read({ limit: 0, meta: ['stats/count'] });
    const count = meta?.stats?.count;
    if (!isDeepStrictEqual(count, { '*': rows.length }))
      fail(call, `stats/count is ${JSON.stringify(count)}`, rows.length);
  }
}

/** @throws Error that says which expectation of a walk does not hold */
function fail(call: OperationId, what: string, wanted?: unknown): never {
  const expected = wanted === undefined ? '' : `, expected ${JSON.stringify(wanted)}`;
  throw new Error(`${call}: ${what}${expected}`);
}

/** Milliseconds since the epoch: OCSF records have the number, others a text of ISO 8601. NaN for anything else. */
function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(String(value));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkResult(result: unknown, step: Step): void {
  const rows = result as Row[];
  const shown = JSON.stringify(result)?.slice(0, maxShown);
  const expectThat = (holds: boolean, wanted: unknown) => {
    if (!holds) fail(step.call, `it returned ${shown}`, wanted);
  };
  const { equals, matches, count, more_than, ids } = step;
  if (equals !== undefined) expectThat(isDeepStrictEqual(result, equals), equals);
  if (matches !== undefined) expectThat(hasFields(result, matches, 'same'), matches);
  for (const name of step.empty ?? [])
    expectThat(((result as Row)[name] ?? '') === '', { [name]: '' });
  if (count !== undefined) expectThat(rows.length === count, { count });
  if (more_than !== undefined) expectThat(rows.length > more_than, { more_than });
  if (ids !== undefined)
    expectThat(
      isDeepStrictEqual(
        rows.map(({ id }) => id),
        ids,
      ),
      { ids },
    );
  for (const one of step.includes ?? [])
    expectThat(
      rows.some((row) => hasFields(row, one, 'among')),
      { includes: one },
    );
  for (const [name, value] of Object.entries(step.each ?? {}))
    expectThat(
      rows.every((row) => isDeepStrictEqual(row[name], value)),
      { each: { [name]: value } },
    );
}

/** Characters of a result in an error. */
const maxShown = 1_500;

/** Replaces names by their values. */
export function fill(value: unknown, known: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, known));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) =>
        key === '$' ? Object.entries(fill(one, known) as object) : [[key, fill(one, known)]],
      ),
    );
  if (typeof value !== 'string') return value;
  if (/^\$\w/.test(value)) return valueOf(value.slice(1), known);
  return value.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => String(valueOf(name, known)));
}

function valueOf(name: string, known: Readonly<Record<string, unknown>>): unknown {
  const found = name.split('.').reduce<unknown>((at, key) => (at as Row | undefined)?.[key], known);
  if (found === undefined) throw new Error(`the walk uses $${name}, which no step has returned`);
  return found;
}
