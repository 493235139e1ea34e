import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import { type Clock, systemClock } from '#config';
import {
  badRequest,
  type Call,
  forbidden,
  notImplemented,
  type Operation,
  type OperationId,
  operations,
} from '#contract';
import { MetaCollector, MetaError, readMetaCalls } from '#meta';
import { matcher } from '#query';
import { Cursors, Sealer } from '#secrets';
import { Store } from '#store';
import { chainOf, mapAnswer, mappingFailed, mapRequest } from './chains.js';
import { CustomProviders } from './custom-providers.js';
import type { HttpCall } from './document/integration-http.js';
import { ProviderHttp } from './http/provider-http.js';
import { Integrations } from './integrations.js';
import { type ListQuery, readListQuery } from './list-query.js';
import type { MappingContext, Native } from './native.js';
import { once } from './once.js';
import { openCredential } from './open-credential.js';
import { limitOf, pageOf, type PageParameters, readCursor } from './page.js';
import { patchRecord } from './patch-record.js';
import type { ListPages, Outcome, Provider, ProviderCall, ProviderOperation } from './provider.js';
import { Records } from './records.js';
import { everyRow, scan, type ScanPosition } from './scan.js';
import { CallUsage, Usage } from './usage.js';

export const PROVIDERS = Symbol('providers');

/** "Default budget of about 275 seconds" (specification, limits). */
const usualPollSeconds = 275;
/** How long rows that do not pass the filters are read before a short page is given. */
const scanMs = 20_000;
/** What is left of a deadline for mapping and sending the answer. */
const answerMs = 2_000;

/** The answer of every connector operation that has one. */
interface Answer {
  result: unknown;
  cursor?: string;
  meta?: object;
  messages?: object;
}

type ListOutcome = Exclude<Outcome, { none: true } | { record: unknown }>;

interface RunOptions {
  /** Another operation that the call means: the domain `custom` names it in its path. */
  as?: OperationId;
  /** Adds the provider's record to each of ours, as `raw_data`. */
  raw?: boolean;
}

interface Running {
  call: Call;
  raw: boolean;
  operation: Operation;
  offered: ProviderOperation;
  integration: ResolvedIntegration;
  meta: MetaCollector;
  usage: CallUsage;
  context: MappingContext;
  query: ListQuery;
  /** The caller's poll timeout is longer than the deadline lets it be. */
  capped: boolean;
}

/** A row of a list, and what `default:0` makes of it where a filter or a count had to know. */
interface Row {
  native: Native;
  record?: Native;
}

/** Runs an operation on the provider behind the integration of the calling token: resolve, map, call, map back, meta functions. */
@Injectable()
export class Connector {
  private readonly providers: ReadonlyMap<string, Provider>;
  private readonly customs = new CustomProviders();
  private readonly cursors: Cursors;
  readonly clock: Clock = systemClock;

  constructor(
    private readonly integrations: Integrations,
    readonly store: Store,
    readonly sealer: Sealer,
    private readonly http: ProviderHttp,
    private readonly usage: Usage,
    @Inject(PROVIDERS) providers: readonly Provider[],
  ) {
    this.providers = new Map(providers.map((provider) => [provider.type, provider]));
    this.cursors = new Cursors(sealer.derive('cursors'));
  }

  async run(
    call: Call,
    { as = call.operation, raw = false }: RunOptions = {},
  ): Promise<Answer | undefined> {
    const { organizationId, integrationId } = call.caller;
    if (integrationId === undefined)
      throw forbidden('the token belongs to no integration', 'Use an Integration token.');
    const meta = new MetaCollector(metaCalls(call));
    const operation = meantOperation(as);
    const integration = await this.integrations.find(organizationId, integrationId, call.requestId);
    const offered = this.offered(integration, operation);
    const { accountId } = integration;
    const running: Running = {
      call,
      raw,
      usage: new CallUsage(this.usage, { organizationId, accountId, integrationId }),
      operation,
      offered,
      integration,
      meta,
      context: { config: integration.providerConfig, path: call.path },
      query: readListQuery(call.query as PageParameters, offered),
      capped: (meta.calls.pollSeconds ?? 0) * 1000 > call.deadline - this.clock.now(),
    };
    return await once(this, call, accountId, () => this.answered(running));
  }

  private async answered(running: Running): Promise<Answer | undefined> {
    const { offered, usage } = running;
    try {
      const outcome = await offered.run(this.callOf(running));
      const answer = await this.answer(running, outcome);
      usage.succeeded();
      return answer;
    } catch (error) {
      usage.failed(error);
      throw error;
    }
  }

  /** Tries the configuration of an integration on its provider. @throws ApiError that says what is missing */
  async verify(
    integration: ResolvedIntegration,
    deadline: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { organizationId, accountId, id } = integration;
    const usage = new CallUsage(new Usage(), { organizationId, accountId, integrationId: id });
    await this.providerOf(integration)?.verify?.({
      ...this.httpOf(integration, new MetaCollector({ counts: [] }), usage),
      deadline,
      signal,
    });
  }

  private providerOf({
    providerType,
    providerDocument,
  }: ResolvedIntegration): Provider | undefined {
    return providerDocument === undefined
      ? this.providers.get(providerType)
      : this.customs.get(providerDocument);
  }

  private offered(integration: ResolvedIntegration, { id }: Operation): ProviderOperation {
    const { providerType: type } = integration;
    const offered = this.providerOf(integration)?.operations[id];
    if (offered === undefined)
      throw notImplemented(
        `the provider ${type} does not offer ${id}`,
        `GET /v1/capabilities/providers/${type}?expand=operations lists what it offers.`,
      );
    return offered;
  }

  private callOf(running: Running): ProviderCall {
    const { call, operation, offered, integration, meta, usage, context, query } = running;
    const chain = chainOf(integration, operation.id);
    return {
      ...this.httpOf(integration, meta, usage),
      path: call.path,
      query: call.query,
      list: query.pushed,
      clock: this.clock,
      signal: call.signal,
      deadline: call.deadline,
      pollUntil: this.pollUntil(call, meta),
      records: new Records(this.store, integration.organizationId, integration.id, () =>
        usage.calledDatabase(),
      ),
      body: () =>
        usage.work(() => mapRequest((call.body ?? {}) as Native, chain, offered, context)),
      patch: (native) => {
        const record = mapAnswer(native, [{ reference: 'default:0' }], offered, [], context) ?? {};
        const changed = patchRecord(record, call.body as unknown[], {
          readOnly: offered.readOnly ?? [],
          create: operations.get(operation.id.replace('_patch_', '_create_') as OperationId),
        });
        return {
          before: mapRequest(record, chain, offered, context),
          after: mapRequest(changed, chain, offered, context),
        };
      },
    };
  }

  private httpOf(
    integration: ResolvedIntegration,
    meta: MetaCollector,
    usage: CallUsage,
  ): Omit<HttpCall, 'deadline' | 'signal' | 'integration'> & { integration: ResolvedIntegration } {
    return {
      http: this.http,
      integration,
      credential: (slot) => openCredential(this.sealer, this.clock, integration, slot),
      usage,
      answered: (url, text, primary) => {
        usage.calledProvider();
        // Writing a list as text costs more than the rest of the call: only for those who ask.
        if (meta.wantsAnswers) meta.answered({ url, text: text(), primary });
      },
    };
  }

  /** The caller's budget, which can only shorten ours; a moment of the deadline is left for the answer. */
  private pollUntil({ deadline }: Call, { calls }: MetaCollector): number {
    const seconds = Math.min(calls.pollSeconds ?? usualPollSeconds, usualPollSeconds);
    return Math.min(this.clock.now() + seconds * 1000, deadline - answerMs);
  }

  private async answer(running: Running, outcome: Outcome): Promise<Answer | undefined> {
    if ('none' in outcome) return undefined;
    const { operation, integration, offered, meta, usage, context } = running;
    // What was written is shown as the provider has it; a chain of a write shapes what is sent.
    const writes = offered.action === 'create' || offered.action === 'patch';
    const chain = chainOf(integration, operation.id);
    meta.applied(
      operation.id,
      chain.map(({ reference }) => reference),
    );
    const shown = writes ? [{ reference: 'default:0' }] : chain;
    const { additionalMappings } = integration;
    const map = ({ native, record }: Row) => {
      try {
        const mapped = mapAnswer(native, shown, offered, additionalMappings, context, record);
        return mapped && running.raw ? { ...mapped, raw_data: native } : mapped;
      } catch (error) {
        if (error instanceof Error) throw error;
        throw mappingFailed(
          shown.map(({ reference }) => reference).join(', '),
          String(error),
          error,
        );
      }
    };
    if ('record' in outcome) {
      const result = usage.work(() => map({ native: outcome.record }));
      if (result === undefined)
        throw mappingFailed(
          shown.map(({ reference }) => reference).join(', '),
          'it drops the record that was asked for',
        );
      if (meta.wantsCounts) meta.count(result);
      return withMeta(running, { result });
    }
    const { rows, cursor } = await this.page(running, outcome);
    const result = usage.work(() => rows.map(map).filter((record) => record !== undefined));
    return withMeta(running, cursor === undefined ? { result } : { result, cursor });
  }

  /** The records of the page, counted as the meta functions want; a cursor where the operation has one. */
  private async page(
    running: Running,
    outcome: ListOutcome,
  ): Promise<{ rows: Row[]; cursor?: string }> {
    const { call, operation, offered, meta, usage, query } = running;
    if ('records' in outcome) {
      const rows = outcome.records.map((native) => ({ native }));
      if (meta.wantsCounts)
        for (const row of rows) meta.count(this.rowOf(running, row.native).record);
      return { rows };
    }
    const isPaged = operation.query['cursor'] !== undefined;
    if ('pages' in outcome && !isPaged) {
      const records = await everyRow(outcome.pages, 'Ask the provider directly.');
      return await this.page(running, { records });
    }
    if ('pages' in outcome && query.streams && !meta.wantsCounts)
      return await this.stream(running, outcome.pages);
    const all =
      'all' in outcome
        ? outcome.all
        : await everyRow(outcome.pages, wholeListRemedy(offered, query));
    const page = usage.work(() =>
      pageOf(
        all.map((native) => this.rowOf(running, native)),
        call.query as PageParameters,
        offered.fields ?? { id: { type: 'string' } },
        {
          read: ({ record }, field) => readField(record, field),
          cursors: this.cursors,
          context: this.cursorContext(running),
          order: offered.order,
        },
      ),
    );
    if (meta.wantsCounts) for (const { record } of page.matching) meta.count(record);
    return page;
  }

  /** Reads only as many pages of the provider as the caller's page needs. */
  private async stream(
    running: Running,
    pages: ListPages,
  ): Promise<{ rows: Row[]; cursor: string }> {
    const { call, offered, query } = running;
    const parameters = call.query as PageParameters;
    const context = `${this.cursorContext(running)} ${JSON.stringify([query.orders, query.filters])}`;
    const limit = limitOf(parameters);
    if (limit === 0) return { rows: [], cursor: parameters.cursor ?? '' };
    const from = parameters.cursor
      ? (readCursor(this.cursors, context, parameters.cursor) as ScanPosition)
      : undefined;
    const passes = matcher<Native>(query.filters, offered.fields ?? {}, readField);
    const until = Math.min(this.clock.now() + scanMs, call.deadline - answerMs);
    const { rows, next } = await scan<Row>(
      pages,
      (native) => {
        if (query.filters.length === 0) return { native };
        return running.usage.work(() => {
          const row = this.rowOf(running, native);
          return passes(row.record) ? row : undefined;
        });
      },
      { limit, from, filters: query.filters.length > 0, isOver: () => this.clock.now() > until },
    );
    return { rows, cursor: next === undefined ? '' : this.cursors.issue(context, next) };
  }

  private rowOf({ offered, context }: Running, native: Native): Row & { record: Native } {
    return { native, record: (offered.response?.(native, context) ?? native) as Native };
  }

  private cursorContext({ integration, operation }: Running): string {
    return `${integration.id} ${operation.id}`;
  }
}

function readField(record: Native, field: string): unknown {
  return record[field === 'time' ? 'created_at' : field];
}

/** What would make a list small enough, or let the provider do the work. */
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

function withMeta({ call, meta, offered, capped }: Running, answer: Answer): Answer {
  const rendered = meta.render();
  return {
    ...answer,
    ...(rendered === undefined ? {} : { meta: rendered }),
    ...(capped && offered.polls ? { messages: { problems: [pollCapped(call.deadline)] } } : {}),
  };
}

/** "`request/poll_timeout` exceeds the context deadline: success with an informational problem entry" (specification, errors). */
function pollCapped(deadline: number): object {
  return {
    message: 'the poll timeout is longer than the request may take',
    detail: `The provider was asked until the deadline of the request, ${new Date(deadline).toISOString()}.`,
    status: 200,
    instance: 'poll-timeout-capped',
    occurred_at: new Date(systemClock.now()).toISOString(),
  };
}

function metaCalls(call: Call) {
  try {
    return readMetaCalls(call.meta);
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    throw badRequest(
      {
        // "A bodiless request carries meta parameters, a request with a body a root-level array."
        ...(operations.get(call.operation)?.request === 'none'
          ? ({ location: 'query', pointer: 'meta' } as const)
          : ({ location: 'body', pointer: '/meta' } as const)),
        message: error.message,
        remediation: error.remedy,
        value: error.call,
      },
      { cause: error },
    );
  }
}

function meantOperation(id: OperationId): Operation {
  const operation = operations.get(id);
  if (operation?.side === 'connector') return operation;
  throw badRequest({
    location: 'path',
    pointer: 'operation',
    message: 'names no operation',
    remediation: 'Use the id of an operation, such as custom_query.',
    value: id,
  });
}
