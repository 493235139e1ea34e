import { type Operation, type OperationId, operations } from '#contract';
import { actionOf } from './operation-names.js';
import type { Action, DocumentSource, OperationSource, PageSource } from './source.js';

/**
 * The names that an expression can read from `this`, each with the names below it. Undefined where these are not known beforehand, such as
 * those of a response.
 */
export type VisibleNames = Readonly<Record<string, readonly string[] | undefined>> & {
  /** Steps whose result is null where their `when` leaves them out, each with its `when`. */
  readonly [conditionalSteps]?: ReadonlyMap<string, string>;
};

/** Key of the steps that may have been left out. */
export const conditionalSteps = Symbol('conditional steps');

const any = undefined;
const response = { status: [], headers: any, body: any } as const;

/** Names that expressions outside of operations can read. */
export function documentNames(source: DocumentSource) {
  const config = configurationNames(source);
  /** Headers are written for the requests of all operations. */
  const request = {
    config,
    path: any,
    query: any,
    now: [],
    steps: any,
    item: any,
    limit: [],
    filters: any,
    orders: any,
    page: any,
    current: any,
    body: any,
    changes: any,
    file: any,
  };
  /** Calls that others use know as little of these, and their input. */
  const shared = { ...request, answers: any, batch_id: [], marker: [], since: [], input: any };
  return {
    configuration: { config },
    credential: { config, credential: any },
    session: { config, credential: any, session: any },
    logout: { config, session: any },
    response: { config, ...response },
    request,
    shared,
    sharedResponse: { ...shared, ...response, sent: any },
  } satisfies Record<string, VisibleNames>;
}

/** Names that the first step of an operation of the contract can read. */
export function visibleNames(id: OperationId): VisibleNames {
  const source = { steps: [] };
  const names = new OperationNames(
    { http: { base_url: '' }, operations: {} } as unknown as DocumentSource,
    id,
    source,
    actionOf(id),
    [],
  );
  const { steps: _steps, answers: _answers, ...visible } = names.request();
  return visible;
}

/** Names that expressions about a webhook message of the provider can read. */
export function messageNames(source: DocumentSource): VisibleNames {
  return { config: configurationNames(source), headers: any, body: any, text: [], url: [] };
}

/** Names that the expressions of an operation can read. */
export class OperationNames {
  private readonly always: VisibleNames;

  /** @param id id of an operation of the contract; another one is a read that several operations use */
  constructor(
    document: DocumentSource,
    id: string,
    private readonly source: OperationSource,
    private readonly action: Action,
    private readonly steps: readonly string[],
  ) {
    const known = operations.get(id as OperationId);
    const config = configurationNames(document);
    const shared = { config, now: [] };
    this.always =
      known === undefined
        ? { ...documentNames(document).request, ...shared, item: [] }
        : { ...shared, ...requestNames(known), ...this.contentNames() };
  }

  /** @param index the step, which sees those before it; all steps when absent */
  request(index = this.steps.length): VisibleNames {
    const { page } = this.source.steps[index] ?? {};
    const names = this.condition(index);
    return page === undefined ? names : { ...names, page: pageNames(page) };
  }

  /** Names of `when` and `each` of a step, which run before its own page. */
  condition(index: number): VisibleNames {
    const { item: _item, ...always } = this.always;
    const { each } = this.source.steps[index] ?? {};
    const steps = this.steps.slice(0, index);
    return {
      ...always,
      steps,
      answers: steps,
      ...(each === undefined ? {} : { item: any }),
      [conditionalSteps]: this.conditional(index),
    };
  }

  /** Finds the steps before one that may have been left out when it runs. */
  private conditional(index: number): ReadonlyMap<string, string> {
    const certain = new Set(this.testedSteps()[index]);
    return new Map(
      this.steps.slice(0, index).flatMap((name, at) => {
        const when = this.whenOf(at);
        return when === '' || certain.has(name) ? [] : [[name, when] as const];
      }),
    );
  }

  /** For each step, the steps that ran if it runs: those that its `when` names or repeats, and those that ran if these did. */
  private testedSteps(): readonly (readonly string[])[] {
    const tested: string[][] = [];
    for (const index of this.steps.keys()) {
      const when = this.whenOf(index);
      const isTested = (name: string, at: number) =>
        new RegExp(`\\bsteps\\.${name}\\b`).test(when) ||
        (this.whenOf(at) !== '' && when.includes(this.whenOf(at)));
      const found = this.steps
        .slice(0, index)
        .flatMap((name, at) => (isTested(name, at) ? [name, ...(tested[at] ?? [])] : []));
      tested.push([...new Set(found)]);
    }
    return tested;
  }

  private whenOf(index: number): string {
    return String(this.source.steps[index]?.when ?? '').trim();
  }

  /** Names of expressions that look at the response of a step. */
  response(index?: number): VisibleNames {
    return { ...this.request(index), ...response, sent: any };
  }

  /** Names of expressions under `page`. @param index the step whose answers are paged; the operation when absent */
  page(index?: number): VisibleNames {
    const names = this.response(index);
    if (index !== undefined) return names;
    return { ...names, page: pageNames(this.source.page) };
  }

  private contentNames(): VisibleNames {
    const { action, source } = this;
    if (action === 'query')
      return {
        limit: [],
        filters: any,
        orders: any,
        ...(source.page === undefined ? {} : { page: pageNames(source.page) }),
      };
    if (action === 'patch') return { current: any, body: any, changes: any };
    return action === 'create'
      ? { body: any, batch_id: [], marker: [], since: [], file: ['filename', 'type', 'size'] }
      : {};
  }
}

function pageNames(page: PageSource | undefined): readonly string[] {
  const own = { offset: 'offset', page: 'number', token: 'token', link: 'url', keyset: 'key' };
  if (page === undefined) return ['limit'];
  return ['limit', own[page.kind], ...(page.window === undefined ? [] : ['from', 'until'])];
}

function requestNames({ path, query }: Operation): VisibleNames {
  // Operations can also be called through /v1/custom, whose lists have query parameters of their own.
  const custom = operations.get('custom_query')?.query ?? {};
  return {
    path: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: [...new Set([...Object.keys(query), ...Object.keys(custom)])],
  };
}

interface ObjectSchema {
  properties?: object;
  additionalProperties?: unknown;
  patternProperties?: unknown;
}

/** Names of the configuration; undefined if the document does not declare them all. */
function configurationNames({
  configuration,
  providers = {},
  credentials = {},
}: DocumentSource): readonly string[] | undefined {
  const schemas = [configuration, ...Object.values(providers).map((one) => one.configuration)]
    .filter((one) => one !== undefined)
    .map((one): ObjectSchema => one);
  const isOpen = (schema: ObjectSchema) =>
    Object.keys(schema).some((key) => !['type', 'properties', 'required'].includes(key)) &&
    schema.additionalProperties !== false;
  if (schemas.length === 0 || schemas.some(isOpen)) return undefined;
  const properties = schemas.flatMap((schema) => Object.keys(schema.properties ?? {}));
  const slots = Object.keys(credentials).map((slot) => slot.split('.')[0] ?? '');
  return ['type', ...properties, ...slots];
}
