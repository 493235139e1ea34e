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
import { Cursors, Sealer } from '#secrets';
import { Store } from '#store';
import { type Answer, answerOf } from './answer.js';
import { chainOf, mapAnswer, mapRequest } from './chains.js';
import { CustomProviders } from './custom-providers.js';
import type { HttpCall } from './document/integration-http.js';
import { ProviderHttp } from './http/provider-http.js';
import { Integrations } from './integrations.js';
import { readListQuery } from './list-query.js';
import { Lists } from './lists.js';
import type { Native } from './native.js';
import { once } from './once.js';
import { openCredential } from './open-credential.js';
import type { PageParameters } from './page.js';
import { patchRecord } from './patch-record.js';
import type { Provider, ProviderCall, ProviderOperation } from './provider.js';
import { Records } from './records.js';
import { answerMs, type Running } from './running.js';
import { CallUsage, Usage } from './usage.js';

export const PROVIDERS = Symbol('providers');

/** "Default budget of about 275 seconds" (specification, limits). */
const usualPollSeconds = 275;

interface RunOptions {
  /** Another operation that the call means: the domain `custom` names it in its path. */
  as?: OperationId;
  /** Adds the provider's record to each of ours, as `raw_data`. */
  raw?: boolean;
}

/** Runs an operation on the provider behind the integration of the calling token: resolve, map, call, map back, meta functions. */
@Injectable()
export class Connector {
  private readonly providers: ReadonlyMap<string, Provider>;
  private readonly customs = new CustomProviders();
  private readonly lists: Lists;
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
    this.lists = new Lists(new Cursors(sealer.derive('cursors')));
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
      clock: this.clock,
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
      const answer = await answerOf(running, outcome, this.lists);
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
