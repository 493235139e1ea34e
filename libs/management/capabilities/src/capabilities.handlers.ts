import { Controller, Inject } from '@nestjs/common';
import { Handles } from '#bus';
import { CustomProviders, type Provider } from '#connect';
import { ApiError, type Call, type Reply } from '#contract';
import { customDocuments, ManagementContext, PROVIDERS } from '#management/shared';
import { suggest } from '#query';
import { categories, type Category, connectorOf } from './categories.js';
import { categoryOf, describeProvider } from './describe-provider.js';

/** `/v1/capabilities`: the domains, and the providers that this installation can call. */
@Controller()
export class CapabilitiesHandlers {
  constructor(
    private readonly context: ManagementContext,
    @Inject(PROVIDERS) private readonly providers: readonly Provider[],
    private readonly customs: CustomProviders,
  ) {}

  @Handles('capabilities_list_connectors')
  async listConnectors(
    call: Call<'capabilities_list_connectors'>,
  ): Promise<Reply<'capabilities_list_connectors'>> {
    const providers = await this.all(call);
    const expands = call.query.expand?.includes('providers') ?? false;
    return {
      result: categories.map((category) => ({
        ...connectorIn(providers, category),
        ...(expands
          ? { providers: within(providers, category).map((one) => describeProvider(one, {})) }
          : {}),
      })),
    };
  }

  @Handles('capabilities_list_providers')
  async listProviders(
    call: Call<'capabilities_list_providers'>,
  ): Promise<Reply<'capabilities_list_providers'>> {
    const providers = await this.all(call);
    const expand = call.query.expand ?? [];
    return { result: providers.map((provider) => describe(provider, expand, providers)) };
  }

  @Handles('capabilities_get_provider')
  async getProvider(
    call: Call<'capabilities_get_provider'>,
  ): Promise<Reply<'capabilities_get_provider'>> {
    const providers = await this.all(call);
    const id: string = call.path.providerId;
    const found = providers.find(({ type }) => type === id);
    if (found === undefined) {
      const known = Object.fromEntries(
        providers.map(({ type }) => [type, { type: 'string' as const }]),
      );
      throw new ApiError(404, `there is no provider "${id.slice(0, 100)}"`, {
        remediation: suggest(id, known).replace('The fields are', 'There are'),
      });
    }
    return { result: describe(found, call.query.expand ?? [], providers) };
  }

  /** The built-in providers, and those of the organization's own documents. */
  private async all(call: Pick<Call, 'caller' | 'operation'>): Promise<Provider[]> {
    const documents = await this.context.write(call, (tx) => customDocuments(tx));
    return [...this.providers, ...documents.map((document) => this.customs.get(document))];
  }
}

function describe(provider: Provider, expand: readonly string[], all: readonly Provider[]) {
  const described = describeProvider(provider, {
    operations: expand.includes('operations') || expand.includes('request_body'),
    requestBody: expand.includes('request_body'),
    providerConfig: expand.includes('provider_config'),
  });
  return expand.includes('connector')
    ? { ...described, connector: connectorIn(all, described.connector_id) }
    : described;
}

function connectorIn(providers: readonly Provider[], category: Category) {
  return connectorOf(
    category,
    within(providers, category).map(({ type }) => type),
  );
}

function within(providers: readonly Provider[], category: Category): Provider[] {
  return providers.filter((provider) => categoryOf(provider) === category);
}
