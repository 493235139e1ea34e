import { Inject, Injectable } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import { type Clock, systemClock } from '#config';
import {
  type ApiError,
  badRequest,
  type Call,
  forbidden,
  notImplemented,
  type Operation,
  type OperationId,
  operations,
  type StreamReply,
} from '#contract';
import { Budgets } from '#mapping';
import { MetaCollector, MetaError, readMetaCalls } from '#meta';
import { ProviderHttp } from '#provider-http';
import { Cursors, Sealer } from '#secrets';
import { Store } from '#store';
import { type Answer, answerOf } from './answer.js';
import { Integrations } from './integrations.js';
import { readListQuery } from './list-query.js';
import { Lists } from './lists.js';
import { once } from './once.js';
import { openCredential } from './open-credential.js';
import type { PageParameters } from './page.js';
import type { Provider, ProviderOperation, Providers } from './provider.js';
import type { Running } from './running.js';
import { RunningCall } from './running-call.js';
import { CallUsage, Usage } from './usage.js';

export const PROVIDERS = Symbol('providers');

interface RunOptions {
  /** Another operation that the call means: the domain `custom` names it in its path. */
  as?: OperationId;
  /** Adds the provider's record to each of ours, as `raw_data`. */
  raw?: boolean;
}

/** Runs an operation on the provider behind the integration of the calling token: resolve, map, call, map back, meta functions. */
@Injectable()
export class Connector {
  private readonly lists: Lists;
  readonly clock: Clock = systemClock;

  constructor(
    private readonly integrations: Integrations,
    readonly store: Store,
    readonly sealer: Sealer,
    readonly http: ProviderHttp,
    private readonly usage: Usage,
    @Inject(PROVIDERS) private readonly providers: Providers,
    private readonly budgets: Budgets = new Budgets(),
  ) {
    this.lists = new Lists(new Cursors(sealer.derive('cursors')));
  }

  run(call: Call): Promise<Answer | StreamReply | undefined>;
  /** Of another operation than the call's: one that brings or gives a file has its own path only. */
  run(call: Call, options: RunOptions): Promise<Answer | undefined>;
  async run(
    call: Call,
    { as = call.operation, raw = false }: RunOptions = {},
  ): Promise<Answer | StreamReply | undefined> {
    const { organizationId, integrationId } = call.caller;
    if (integrationId === undefined)
      throw forbidden('the token belongs to no integration', 'Use an Integration token.');
    const meta = new MetaCollector(metaCalls(call));
    const operation = meantOperation(as);
    const isFile = operation.request === 'multipart' || operation.response.kind === 'binary';
    if (isFile && as !== call.operation) throw ownPathOnly(operation);
    const integration = await this.integrations.find(organizationId, integrationId, call.requestId);
    const offered = await this.offered(integration, operation);
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
      context: {
        config: integration.providerConfig,
        path: call.path,
        limits: this.budgets.limitsOf(integration.id, accountId, organizationId),
      },
      query: readListQuery(call.query as PageParameters, offered),
      capped: (meta.calls.pollSeconds ?? 0) * 1000 > call.deadline - this.clock.now(),
    };
    // A file can be neither compared with an earlier one nor kept for a later call.
    if (isFile) return await this.answered(running);
    return await once(this, call, accountId, () => this.answered(running));
  }

  private async answered(running: Running): Promise<Answer | StreamReply | undefined> {
    const { offered, usage } = running;
    try {
      const outcome = await offered.run(new RunningCall(running, this));
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
    const provider = await this.providerOf(integration);
    await provider?.verify?.({
      http: this.http,
      integration,
      credential: (slot) => openCredential(this.sealer, this.clock, integration, slot),
      usage,
      answered: () => usage.calledProvider(),
      deadline,
      signal,
    });
  }

  private providerOf({
    providerType,
    providerDocument,
  }: ResolvedIntegration): Promise<Provider | undefined> {
    return this.providers.find(providerType, providerDocument);
  }

  private async offered(
    integration: ResolvedIntegration,
    { id }: Operation,
  ): Promise<ProviderOperation> {
    const { providerType: type } = integration;
    const offered = (await this.providerOf(integration))?.operations[id];
    if (offered === undefined)
      throw notImplemented(
        `the provider ${type} does not offer ${id}`,
        `GET /v1/capabilities/providers/${type}?expand=operations lists what it offers.`,
      );
    return offered;
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
        ...(operations.get(call.operation)?.request !== 'json'
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

function ownPathOnly({ id, method, path }: Operation): ApiError {
  return badRequest({
    location: 'path',
    pointer: 'operation',
    message: 'names an operation that passes a file',
    remediation: `Call ${method} ${path}.`,
    value: id,
  });
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
