import type { ResolvedIntegration } from '#bus';
import { ApiError, notImplemented } from '#contract';
import type { Clock } from '#config';
import type { Budgets } from '@onefold/mapping';
import { type ProviderHttp, Redactor } from '#provider-http';
import type { Sealer } from '#secrets';
import type { ConnectorCall } from '../connector-call.js';
import type { Integrations } from './integrations.js';
import { openCredential } from './open-credential.js';
import { reservedMs } from '../operation-run.js';
import { Problems } from '../problems.js';
import type {
  ProviderCall,
  ProviderWebhooks,
  WebhookCallName,
  WebhookMessage,
  Providers,
} from '../provider.js';
import { CallUsage, type Usage } from '../usage/usage.js';

/** Facts about a webhook that the calls for it may use. */
export type WebhookFacts = Readonly<Record<'url' | 'secret' | 'project' | 'id', string>>;

/** Parts of the connector that calls for webhooks need. */
interface WebhookParts {
  integrations: Pick<Integrations, 'find'>;
  providers: Providers;
  sealer: Sealer;
  http: ProviderHttp;
  usage: Usage;
  budgets: Budgets;
  clock: Clock;
}

/** Webhooks at the provider behind the integration of the calling token. */
export class IntegrationWebhooks {
  private constructor(
    private readonly parts: WebhookParts,
    private readonly call: Pick<ConnectorCall, 'deadline' | 'signal'>,
    readonly integration: ResolvedIntegration,
    readonly provider: ProviderWebhooks,
  ) {}

  /** @throws ApiError 501 if the provider reports no changes */
  static async of(parts: WebhookParts, call: ConnectorCall): Promise<IntegrationWebhooks> {
    const { organizationId, integrationId = '' } = call.caller;
    const integration = await parts.integrations.find(
      organizationId,
      integrationId,
      call.requestId,
    );
    return await IntegrationWebhooks.ofResolved(parts, integration, call);
  }

  /** @throws ApiError 501 if the provider reports no changes */
  static async ofResolved(
    parts: WebhookParts,
    integration: ResolvedIntegration,
    call: Pick<ConnectorCall, 'deadline' | 'signal'>,
  ): Promise<IntegrationWebhooks> {
    const { providerType: type, providerDocument } = integration;
    const provider = await parts.providers.find(type, providerDocument);
    if (provider?.webhooks === undefined)
      throw notImplemented(
        `the provider ${type} has no webhooks`,
        'Read its tickets from time to time instead: POST /v1/operations.',
      );
    return new IntegrationWebhooks(parts, call, integration, provider.webhooks);
  }

  /** A message for the integration, as its provider reads it. @param url the address that it was sent to, where the signature covers it */
  message(headers: WebhookMessage['headers'], bytes: Uint8Array, url: string): WebhookMessage {
    const { id, accountId, organizationId, providerConfig } = this.integration;
    const limits = this.parts.budgets.limitsOf(id, accountId, organizationId);
    return { headers, bytes, url, config: providerConfig, limits };
  }

  /** Calls the provider. @returns the result of the calls; undefined without one @throws ApiError */
  async run(
    name: WebhookCallName,
    facts: WebhookFacts,
  ): Promise<Record<string, unknown> | undefined> {
    const operation = this.provider.calls[name];
    if (operation === undefined) return undefined;
    const { organizationId, accountId, id } = this.integration;
    const usage = new CallUsage(this.parts.usage, { organizationId, accountId, integrationId: id });
    try {
      const body = { ...facts, events: [...this.provider.events] };
      const result = await operation.run(this.providerCall(usage), { body });
      usage.succeeded();
      const value = 'value' in result ? result.value : undefined;
      if (name === 'unregister' || isObject(value)) return isObject(value) ? value : {};
      throw new ApiError(
        502,
        `the provider document failed at webhooks.${name}.result: it is not an object`,
        {},
      );
    } catch (error) {
      usage.failed(error);
      throw error;
    }
  }

  private providerCall(usage: CallUsage): ProviderCall {
    const { parts, call, integration } = this;
    const { http, clock, budgets } = parts;
    const { id, accountId, organizationId } = integration;
    return {
      http,
      integration,
      usage,
      clock,
      path: {},
      query: {},
      list: { filters: [], orders: [] },
      deadline: call.deadline,
      pollUntil: call.deadline - reservedMs,
      problems: new Problems(), // such calls have no response to name them in
      redactor: new Redactor(),
      limits: budgets.limitsOf(id, accountId, organizationId),
      signal: call.signal,
      credential: (slot) => openCredential(parts, integration, slot),
      onResponse: () => usage.calledProvider(),
    };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
