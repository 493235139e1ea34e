import { Inject, Injectable } from '@nestjs/common';
import { type Clock, systemClock } from '#config';
import {
  badRequest,
  type Call,
  forbidden,
  notImplemented,
  type Operation,
  type OperationId,
  operationOf,
} from '#contract';
import { MetaCollector, MetaError, readMetaCalls } from '#meta';
import { Cursors, Sealer } from '#secrets';
import { Store } from '#store';
import { chainOf, mapAnswer, mappingFailed, mapRequest } from './chains.js';
import { Integrations } from './integrations.js';
import { once } from './once.js';
import { pageOf, type PageParameters } from './page.js';
import { patchRecord } from './patch-record.js';
import type { Native } from './native.js';
import type { Outcome, Provider, ProviderCall, ProviderOperation } from './provider.js';
import { Records } from './records.js';
import { CallUsage, Usage } from './usage.js';

export const PROVIDERS = Symbol('providers');

/** The answer of every connector operation that has one. */
interface Answer {
  result: unknown;
  cursor?: string;
  meta?: object;
}

interface Running {
  call: Call;
  operation: Operation;
  offered: ProviderOperation;
  integration: ProviderCall['integration'];
  meta: MetaCollector;
  usage: CallUsage;
}

/** Runs an operation on the provider behind the integration of the calling token: resolve, map, call, map back, meta functions. */
@Injectable()
export class Connector {
  private readonly providers: ReadonlyMap<string, Provider>;
  private readonly cursors: Cursors;
  readonly clock: Clock = systemClock;

  constructor(
    private readonly integrations: Integrations,
    readonly store: Store,
    readonly sealer: Sealer,
    private readonly usage: Usage,
    @Inject(PROVIDERS) providers: readonly Provider[],
  ) {
    this.providers = new Map(providers.map((provider) => [provider.type, provider]));
    this.cursors = new Cursors(sealer.derive('cursors'));
  }

  async run(call: Call): Promise<Answer | undefined> {
    const { organizationId, integrationId } = call.caller;
    if (integrationId === undefined)
      throw forbidden('the token belongs to no integration', 'Use an Integration token.');
    const operation = operationOf(call.operation);
    const meta = new MetaCollector(metaCalls(call));
    const integration = await this.integrations.find(organizationId, integrationId, call.requestId);
    const offered = this.offered(integration.providerType, operation);
    const { accountId } = integration;
    const usage = new CallUsage(this.usage, { organizationId, accountId, integrationId });
    const running = { call, operation, offered, integration, meta, usage };
    return await once(this, call, accountId, () => this.answered(running));
  }

  private async answered(running: Running): Promise<Answer | undefined> {
    const { offered, usage } = running;
    try {
      const outcome = await offered.run(this.callOf(running));
      const answer = usage.work(() => this.answer(running, outcome));
      usage.succeeded();
      return answer;
    } catch (error) {
      usage.failed(error);
      throw error;
    }
  }

  private offered(type: string, { id }: Operation): ProviderOperation {
    const offered = this.providers.get(type)?.operations[id];
    if (offered === undefined)
      throw notImplemented(
        `the provider ${type} does not offer ${id}`,
        `GET /v1/capabilities/providers/${type}?expand=operations lists what it offers.`,
      );
    return offered;
  }

  private callOf({ call, operation, offered, integration, meta, usage }: Running): ProviderCall {
    const chain = chainOf(integration, operation.id);
    return {
      path: call.path,
      integration,
      clock: this.clock,
      signal: call.signal,
      usage,
      records: new Records(this.store, integration.organizationId, integration.id, () =>
        usage.calledDatabase(),
      ),
      body: () => usage.work(() => mapRequest((call.body ?? {}) as Native, chain, offered)),
      patched: (native) => {
        const record = mapAnswer(native, [{ reference: 'default:0' }], offered, []) ?? {};
        const changed = patchRecord(record, call.body as unknown[], {
          readOnly: offered.readOnly ?? [],
          create: operationOf(operation.id.replace('_patch_', '_create_') as OperationId),
        });
        return replaced(
          native,
          mapRequest(record, chain, offered),
          mapRequest(changed, chain, offered),
        );
      },
      answered: (url, answer) => {
        usage.calledProvider();
        // Writing a list as text costs more than the rest of the call: only for those who ask.
        if (meta.wantsAnswers) meta.answered({ url, text: JSON.stringify(answer), primary: true });
      },
    };
  }

  private answer(running: Running, outcome: Outcome): Answer | undefined {
    if ('none' in outcome) return undefined;
    const { operation, integration, offered, meta } = running;
    // What was written is shown as the provider has it; a chain of a write shapes what is sent.
    const writes = offered.action === 'create' || offered.action === 'patch';
    const chain = chainOf(integration, operation.id);
    meta.applied(
      operation.id,
      chain.map(({ reference }) => reference),
    );
    const shown = writes ? [{ reference: 'default:0' }] : chain;
    const map = (native: Native) => {
      try {
        return mapAnswer(native, shown, offered, integration.additionalMappings);
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
      const result = map(outcome.record);
      if (result === undefined)
        throw mappingFailed(
          shown.map(({ reference }) => reference).join(', '),
          'it drops the record that was asked for',
        );
      if (meta.wantsCounts) meta.count(result);
      return withMeta({ result }, meta);
    }
    const { natives, cursor } = this.page(running, outcome);
    const result = natives.map(map).filter((record) => record !== undefined);
    return withMeta(cursor === undefined ? { result } : { result, cursor }, meta);
  }

  /** The records of the page, counted as the meta functions want; a cursor where the operation has one. */
  private page(
    { call, operation, offered, integration, meta }: Running,
    outcome: Extract<Outcome, { records: unknown } | { all: unknown }>,
  ): { natives: Native[]; cursor?: string } {
    const natives = 'all' in outcome ? outcome.all : outcome.records;
    const rows = natives.map((native) => ({
      native,
      record: (offered.response?.(native) ?? native) as Native,
    }));
    if ('records' in outcome) {
      if (meta.wantsCounts) for (const { record } of rows) meta.count(record);
      return { natives };
    }
    const page = pageOf(
      rows,
      call.query as PageParameters,
      offered.fields ?? { id: { type: 'string' } },
      {
        read: ({ record }, field) => record[field === 'time' ? 'created_at' : field],
        cursors: this.cursors,
        context: `${integration.id} ${operation.id}`,
        order: offered.order,
      },
    );
    if (meta.wantsCounts) for (const { record } of page.matching) meta.count(record);
    return { natives: page.rows.map(({ native }) => native), cursor: page.cursor };
  }
}

/** A record of the provider with what was written before replaced by what is written now, so that a removed field is gone. */
function replaced(native: Native, before: Native, after: Native): Native {
  const rest = Object.entries(native).filter(([key]) => !Object.hasOwn(before, key));
  return { ...Object.fromEntries(rest), ...after };
}

function withMeta(answer: Answer, meta: MetaCollector): Answer {
  const rendered = meta.render();
  return rendered === undefined ? answer : { ...answer, meta: rendered };
}

function metaCalls(call: Call) {
  try {
    return readMetaCalls(call.meta);
  } catch (error) {
    if (!(error instanceof MetaError)) throw error;
    throw badRequest(
      {
        location: 'query',
        pointer: 'meta',
        message: error.message,
        remediation: error.remedy,
        value: error.call,
      },
      { cause: error },
    );
  }
}
