import type { Provider, ProviderOperation, ProviderResult } from '#connect';
import type { OperationId } from '#contract';
import { formatJson } from '@onefold/mapping';
import { type Mistake, PlantedFake } from './plant.js';

type ListPages = Extract<ProviderResult, { pages: unknown }>['pages'];
type ProviderPage = Awaited<ReturnType<ListPages['read']>>;

/** Lies that a provider or its fake may tell. */
export const lies = [
  'a wrong type',
  'a lost page',
  'an invented field in the fake',
  'a filter that is ignored',
  'a time in another zone',
  'a severity turned round',
  'a row twice',
  'a swallowed error',
  'an empty list for a refusal',
  'a write that does nothing',
] as const;

/** More lies of fakes, which a few providers tell: the checks that find them are the same for all. */
export const fakeLies = [
  'a page that comes again',
  'the last row of a page left out',
  'a list that ends early',
  'an order that is reversed',
  'an unknown id that is found',
  'a success with a failing status',
] as const;
export type Lie = (typeof lies)[number] | (typeof fakeLies)[number];

/** A provider and its fake, one of which lies. */
export class PlantedLie {
  /** How often something was another than without the lie. */
  changes = 0;
  private readonly fake: PlantedFake | undefined;

  /** @param id the operation that lies; a lie of the fake is told to all */
  constructor(
    private readonly lie: Lie,
    private readonly id: OperationId,
  ) {
    const mistake = mistakesOfFakes[lie];
    this.fake = mistake && new PlantedFake(mistake);
  }

  /** Makes the fake lie, if it is a lie of fakes. */
  get alter(): PlantedFake['alter'] | undefined {
    return this.fake?.alter;
  }

  get isTold(): boolean {
    return this.changes + (this.fake?.planted ?? 0) > 0;
  }

  /** Makes the provider lie, if it is a lie of providers. */
  readonly alterProvider = (provider: Provider): Provider => {
    const operation = provider.operations[this.id];
    if (operation === undefined) return provider;
    return {
      ...provider,
      operations: { ...provider.operations, [this.id]: this.alterOperation(operation) },
    };
  };

  private alterOperation(operation: ProviderOperation): ProviderOperation {
    switch (this.lie) {
      case 'a wrong type':
        return this.alterRecords(operation, changeType);
      case 'a time in another zone':
        return this.alterRecords(operation, shiftTimes);
      case 'a severity turned round':
        return this.alterRecords(operation, turnRound);
      case 'a lost page':
        return this.alterPages(operation, (page, position) =>
          position === undefined ? page : { ...page, rows: [] },
        );
      case 'a row twice':
        return this.alterPages(operation, (page) =>
          page.rows.length === 0 ? page : { ...page, rows: [...page.rows, ...page.rows.slice(-1)] },
        );
      case 'a swallowed error':
        return this.swallowErrors(operation);
      case 'an empty list for a refusal':
        return this.emptyLists(operation);
      default:
        return operation;
    }
  }

  private alterRecords(
    operation: ProviderOperation,
    change: (record: unknown) => unknown,
  ): ProviderOperation {
    const { response } = operation;
    if (response === undefined) return operation;
    return {
      ...operation,
      response: (source, context) => {
        const record = response(source, context);
        if (record === undefined) return record;
        const text = formatJson(record);
        const changed = change(JSON.parse(text));
        if (JSON.stringify(changed) === JSON.stringify(JSON.parse(text))) return record;
        this.changes += 1;
        return changed;
      },
    };
  }

  private alterPages(
    operation: ProviderOperation,
    change: (page: ProviderPage, position: unknown) => ProviderPage,
  ): ProviderOperation {
    const alter = (page: ProviderPage, position: unknown) => {
      const changed = change(page, position);
      if (changed.rows.length !== page.rows.length) this.changes += 1;
      return changed;
    };
    return withResult(operation, (result) => {
      if ('all' in result)
        return { all: alter({ rows: result.all, next: undefined }, undefined).rows };
      if ('records' in result)
        return { records: alter({ rows: result.records, next: undefined }, undefined).rows };
      if (!('pages' in result)) return result;
      const { size, maxPages, path } = result.pages;
      const read = async (position: unknown, limit: number) =>
        alter(await result.pages.read(position, limit), position);
      return { pages: { size, maxPages, path, read } };
    });
  }

  /** Returns what the operation returned before. */
  private swallowErrors(operation: ProviderOperation): ProviderOperation {
    let last: ProviderResult = { none: true };
    return {
      ...operation,
      run: async (call, request) => {
        try {
          last = await operation.run(call, request);
        } catch {
          this.changes += 1;
        }
        return last;
      },
    };
  }

  private emptyLists(operation: ProviderOperation): ProviderOperation {
    const orEmpty = async <T>(work: () => Promise<T>, empty: T): Promise<T> => {
      try {
        return await work();
      } catch {
        this.changes += 1;
        return empty;
      }
    };
    return {
      ...operation,
      run: async (call, request) => {
        const result = await orEmpty<ProviderResult>(() => operation.run(call, request), {
          all: [],
        });
        if (!('pages' in result)) return result;
        const { size, maxPages, path } = result.pages;
        const read = (position: unknown, limit: number) =>
          orEmpty(() => result.pages.read(position, limit), { rows: [], next: undefined });
        return { pages: { size, maxPages, path, read } };
      },
    };
  }
}

const mistakesOfFakes: Partial<Record<Lie, Mistake>> = {
  'an invented field in the fake': 'an unknown field',
  'a filter that is ignored': 'no filter',
  'a write that does nothing': 'no write',
  'a page that comes again': 'a page again',
  'the last row of a page left out': 'a row less',
  'a list that ends early': 'an early end',
  'an order that is reversed': 'a reversed order',
  'an unknown id that is found': 'an unknown id',
  'a success with a failing status': 'a failing status',
};

function withResult(
  operation: ProviderOperation,
  alter: (result: ProviderResult) => ProviderResult,
): ProviderOperation {
  return {
    ...operation,
    run: async (call, request) => alter(await operation.run(call, request)),
  };
}

/** Makes the first text of a record a number. */
function changeType(record: unknown): unknown {
  const fields = Object.entries(record as object);
  const first = fields.findIndex(([name, value]) => typeof value === 'string' && name !== 'id');
  return Object.fromEntries(
    fields.map(([name, value], index) => [name, index === first ? 5 : (value as unknown)]),
  );
}

const zoneMs = 2 * 3_600_000;

function shiftTimes(value: unknown, name = ''): unknown {
  if (typeof value === 'number' && /(?:^|_)time$/.test(name)) return value + zoneMs;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*$/.test(value))
    return new Date(Date.parse(value) + zoneMs).toISOString();
  return mapFields(value, shiftTimes);
}

const opposites: Readonly<Record<string, string>> = {
  critical: 'Informational',
  informational: 'Critical',
  high: 'Low',
  low: 'High',
  urgent: 'PLANNING',
  planning: 'URGENT',
};

function turnRound(value: unknown, name = ''): unknown {
  const isRank = /severity|priority|urgency|criticality|level|impact|^name$/.test(name);
  if (isRank && typeof value === 'number' && value >= 1 && value <= 5) return 6 - value;
  if (isRank && typeof value === 'string') return opposites[value.toLowerCase()] ?? value;
  return mapFields(value, turnRound);
}

/** Changes each value in an object or list, with its name; what is kept of the vendor's is not changed. */
function mapFields(value: unknown, change: (one: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => change(one, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'raw_data' || name === 'unmapped' ? (one as unknown) : change(one, name),
    ]),
  );
}
