import { Controller } from '@nestjs/common';
import { Handles } from '#bus';
import { ApiError, type Call, offersProvider, type Reply } from '#contract';
import { ManagementContext } from '#management/core';
import { customDocuments } from '#management/integrations';
import type { Manifest, ProviderDescription } from '#provider-document';
import { ProviderCatalogue } from '#providers';
import { suggest } from '#query';
import { domains, type Domain, connectorOf } from './domains.js';
import { domainOf, describeProvider } from './describe-provider.js';

/** A provider's manifest, and the function that compiles its document. */
interface Listed {
  manifest: Manifest;
  isBuiltIn: boolean;
  load: () => Promise<ProviderDescription | undefined>;
}

/** `/v1/capabilities`: the domains, and the providers that this installation can call. */
@Controller()
export class CapabilitiesHandlers {
  constructor(
    private readonly context: ManagementContext,
    private readonly providers: ProviderCatalogue,
  ) {}

  @Handles('capabilities_list_connectors')
  async listConnectors(
    call: Call<'capabilities_list_connectors'>,
  ): Promise<Reply<'capabilities_list_connectors'>> {
    const providers = await this.all(call);
    const expands = call.query.expand?.includes('providers') ?? false;
    return {
      result: domains.map((domain) => ({
        ...connectorIn(providers, domain),
        ...(expands
          ? {
              providers: within(providers, domain).map(({ manifest, isBuiltIn }) =>
                describeProvider(manifest, undefined, { isBuiltIn }),
              ),
            }
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
    const result = [];
    for (const provider of providers) result.push(await describe(provider, expand, providers));
    return { result };
  }

  @Handles('capabilities_get_provider')
  async getProvider(
    call: Call<'capabilities_get_provider'>,
  ): Promise<Reply<'capabilities_get_provider'>> {
    const providers = await this.all(call);
    const id: string = call.path.providerId;
    const found = providers.find(({ manifest }) => manifest.type === id);
    if (found === undefined) {
      await this.refuseInvalid(call, id);
      const known = Object.fromEntries(
        providers.map(({ manifest: { type } }) => [type, { type: 'string' as const }]),
      );
      throw new ApiError(404, `unknown provider "${id.slice(0, 100)}"`, {
        remediation: suggest(id, known).replace('The fields are', 'There are'),
      });
    }
    const { expand, language } = call.query;
    return { result: await describe(found, expand ?? [], providers, language) };
  }

  /** @throws ApiError 502 if the provider has a document of the organization that is no longer valid */
  private async refuseInvalid(call: Pick<Call, 'caller' | 'operation'>, id: string): Promise<void> {
    const { connect } = call.caller;
    if (connect && !offersProvider(connect, id)) return;
    const [document] = await this.context.write(call, (tx) => customDocuments(tx, id));
    if (document !== undefined) await this.providers.ofDocument(document);
  }

  /** Lists the built-in providers, and those of the organization's own documents; in a Connect session those that it offers. */
  private async all(call: Pick<Call, 'caller' | 'operation'>): Promise<Listed[]> {
    const documents = await this.context.write(call, (tx) => customDocuments(tx));
    const own = await this.providers.ofValid(documents);
    const { connect } = call.caller;
    const all = [
      ...this.providers.manifests.map((manifest) => ({
        manifest,
        isBuiltIn: true,
        load: () => this.providers.find(manifest.type),
      })),
      ...own.map((provider) => ({
        manifest: provider.manifest,
        isBuiltIn: false,
        load: () => Promise.resolve(provider),
      })),
    ];
    return connect ? all.filter(({ manifest }) => offersProvider(connect, manifest.type)) : all;
  }
}

async function describe(
  { manifest, isBuiltIn, load }: Listed,
  expand: readonly string[],
  all: readonly Listed[],
  language?: string | null,
) {
  const expansion = {
    operations: expand.includes('operations') || expand.includes('request_body'),
    requestBody: expand.includes('request_body'),
    providerConfig: expand.includes('provider_config'),
  };
  const isExpanded = Object.values(expansion).includes(true);
  const described = describeProvider(manifest, isExpanded ? await load() : undefined, {
    ...expansion,
    isBuiltIn,
    language,
  });
  return expand.includes('connector')
    ? { ...described, connector: connectorIn(all, described.connector_id) }
    : described;
}

function connectorIn(providers: readonly Listed[], domain: Domain) {
  return connectorOf(
    domain,
    within(providers, domain).map(({ manifest }) => manifest.type),
  );
}

function within(providers: readonly Listed[], domain: Domain): Listed[] {
  return providers.filter(({ manifest }) => domainOf(manifest) === domain);
}
