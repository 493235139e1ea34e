import { Controller, Inject } from '@nestjs/common';
import { Handles } from '#bus';
import type { Provider } from '#connect';
import { ApiError, type Call, type Reply } from '#contract';
import { ManagementContext, PROVIDERS } from '#management/shared';
import { suggest } from '#query';
import { categories, type Category, connectorOf } from './categories.js';
import { categoryOf, describeProvider } from './describe-provider.js';

/** `/v1/capabilities`: the domains, and the providers that this installation can call. */
@Controller()
export class CapabilitiesHandlers {
  constructor(
    private readonly context: ManagementContext,
    @Inject(PROVIDERS) private readonly providers: readonly Provider[],
  ) {}

  @Handles('capabilities_list_connectors')
  listConnectors(
    call: Call<'capabilities_list_connectors'>,
  ): Reply<'capabilities_list_connectors'> {
    this.context.scope(call);
    const expands = call.query.expand?.includes('providers') ?? false;
    return {
      result: categories.map((category) => ({
        ...this.connector(category),
        ...(expands
          ? { providers: this.of(category).map((provider) => describeProvider(provider, {})) }
          : {}),
      })),
    };
  }

  @Handles('capabilities_list_providers')
  listProviders(call: Call<'capabilities_list_providers'>): Reply<'capabilities_list_providers'> {
    this.context.scope(call);
    return {
      result: this.providers.map((provider) => this.describe(provider, call.query.expand ?? [])),
    };
  }

  @Handles('capabilities_get_provider')
  getProvider(call: Call<'capabilities_get_provider'>): Reply<'capabilities_get_provider'> {
    this.context.scope(call);
    const id: string = call.path.providerId;
    const found = this.providers.find(({ type }) => type === id);
    if (found === undefined) {
      const known = Object.fromEntries(
        this.providers.map(({ type }) => [type, { type: 'string' as const }]),
      );
      throw new ApiError(404, `there is no provider "${id.slice(0, 100)}"`, {
        remediation: suggest(id, known).replace('The fields are', 'There are'),
      });
    }
    return { result: this.describe(found, call.query.expand ?? []) };
  }

  private describe(provider: Provider, expand: readonly string[]) {
    const described = describeProvider(provider, {
      operations: expand.includes('operations') || expand.includes('request_body'),
      requestBody: expand.includes('request_body'),
      providerConfig: expand.includes('provider_config'),
    });
    return expand.includes('connector')
      ? { ...described, connector: this.connector(described.connector_id) }
      : described;
  }

  private connector(category: Category) {
    return connectorOf(
      category,
      this.of(category).map(({ type }) => type),
    );
  }

  private of(category: Category): Provider[] {
    return this.providers.filter((provider) => categoryOf(provider) === category);
  }
}
