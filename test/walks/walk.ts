import { readFileSync } from 'node:fs';
import { expect } from 'expect'; // without Jest too: `npm run fuzz:http` makes its requests from walks
import { parse } from 'yaml';
import type { OperationId } from '#contract';
import type { Client } from '../e2e/client.js';

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
  seed?: { rows: number; without_seed: { rows: number } & Step };
  steps: Step[];
}

/** The walk of a domain as data, which runs on every system of the domain. */
export interface Walk {
  domain: string;
  tests: WalkTest[];
  shown: Step;
  bodies: Partial<Record<OperationId, unknown>>;
}

export function readWalk(domain: string): Walk {
  const file = new URL(`../../../test/walks/${domain}.yaml`, import.meta.url);
  const walk = parse(readFileSync(file, 'utf8')) as Walk;
  checked(walk.tests);
  return walk;
}

const stepKeys = new Set([
  ...['call', 'path', 'query', 'body', 'when', 'as', 'refused', 'loses', 'details', 'equals'],
  ...['matches', 'empty', 'count', 'more_than', 'ids', 'each', 'includes', 'all_pages'],
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
    private readonly client: Pick<Client, 'call' | 'refuse'>,
    private readonly system: {
      values: Record<string, unknown>;
      offers: (id: OperationId) => boolean;
      hasProvider: boolean;
      seed?: ((count: number) => Promise<void>) | undefined;
      /** Called with the path parameters of each call that succeeded. */
      onPath?: (path: Record<string, string>) => void;
    },
  ) {}

  async run({ seed, steps }: WalkTest): Promise<void> {
    const known = { unique: `Needle ${Date.now()}`, ...this.system.values };
    if (seed !== undefined && this.system.seed !== undefined) await this.system.seed(seed.rows);
    else if (seed !== undefined)
      for (let made = 0; made < seed.without_seed.rows; made += 1)
        await this.step(seed.without_seed, known);
    for (const step of steps)
      if (step.when === undefined || this.system.offers(step.when)) await this.step(step, known);
  }

  private async step(step: Step, known: Record<string, unknown>): Promise<void> {
    const { call, path, query, body: sent } = fill(step, known) as Step;
    const parts = { path, query, body: sent } as never;
    if (step.refused !== undefined) {
      const problem = await this.client.refuse(call, step.refused, parts);
      if (step.details && this.system.hasProvider)
        expect(problem.context?.provider_details).toBeDefined();
      return;
    }
    if (step.all_pages !== undefined)
      return await this.allPages(call, { path, query }, step.all_pages);
    const body = await this.whole(call, { path, query, body: sent });
    expect([call, lossesOf(body)]).toEqual([call, step.loses ?? []]);
    this.system.onPath?.((path ?? {}) as Record<string, string>);
    // Some responses are the record itself, or a file.
    const result = isObject(body) && 'result' in body ? body['result'] : body;
    if (step.as !== undefined) known[step.as] = result;
    check(result, fill(step, known) as Step);
  }

  /** Calls, and goes on with the cursor as long as the provider works. */
  private async whole(
    call: OperationId,
    parts: { path: unknown; query: Step['query']; body: unknown },
  ): Promise<unknown> {
    let body: unknown = await this.client.call(call, parts as never);
    while (isObject(body) && body['status'] === 'PENDING' && body['cursor']) {
      const query = { ...parts.query, cursor: body['cursor'] };
      body = await this.client.call(call, { ...parts, query } as never);
    }
    return body;
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
      expect(page.result?.length ?? 0).toBeLessThanOrEqual(limit);
      rows.push(...(page.result ?? []));
      cursor = page.cursor ?? '';
    } while (cursor !== '');
    expect(new Set(rows.map((row) => row['id'] ?? JSON.stringify(row))).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(more_than);
    if (ordered_by !== undefined) {
      const times = rows.map((row) => timeOf(row[ordered_by]));
      expect(times).not.toContainEqual(NaN);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    }
    const { meta } = await read({ limit: 0, meta: ['stats/count'] });
    expect(meta?.stats?.count).toEqual({ '*': rows.length });
  }
}

/** Milliseconds since the epoch: OCSF records have the number, others a text of ISO 8601. NaN for anything else. */
function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : Date.parse(String(value));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check(result: unknown, step: Step): void {
  const rows = result as Row[];
  if (step.equals !== undefined) expect(result).toEqual(step.equals);
  if (step.matches !== undefined) expect(result).toMatchObject(step.matches);
  for (const name of step.empty ?? []) expect((result as Row)[name] ?? '').toBe('');
  if (step.count !== undefined) expect(rows).toHaveLength(step.count);
  if (step.more_than !== undefined) expect(rows.length).toBeGreaterThan(step.more_than);
  if (step.ids !== undefined) expect(rows.map(({ id }) => id)).toEqual(step.ids);
  for (const one of step.includes ?? [])
    expect(rows).toEqual(expect.arrayContaining([partial(one)]));
  for (const [name, value] of Object.entries(step.each ?? {}))
    for (const row of rows) expect(row[name]).toEqual(value);
}

/** Matches what has these fields, at any depth, among others. */
function partial(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(partial));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, partial(one)]);
  return expect.objectContaining(Object.fromEntries(fields) as object);
}

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
