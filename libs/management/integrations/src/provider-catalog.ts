import { Injectable } from '@nestjs/common';
import type { Provider } from '#connect';
import { type Fault, servedDocument } from '#contract';
import { type CustomDocument, customDocuments, fault, faults } from '#management/shared';
import { formatPointer } from '#patch';
import { schemaFaults } from '#mapping';
import { ProviderCatalogue } from '#providers';
import { suggest } from '#query';
import type { Transaction } from '#store';
import { categoryOf, fullnameOf } from './integration-rules.js';

/** The providers that integrations can be on: built-in ones, the organization's own, and those the contract names for later. */
@Injectable()
export class ProviderCatalog {
  constructor(private readonly providers: ProviderCatalogue) {}

  /**
   * Checks a provider configuration by the provider's own schema.
   * @returns what people call the provider
   * @throws ApiError 400 for every field that does not fit, and for a type that names no provider
   */
  async check(
    tx: Transaction,
    config: { type: string } & Record<string, unknown>,
  ): Promise<string> {
    const { type } = config;
    const category = categoryOf(type);
    const provider = await this.find(tx, type);
    if (provider === undefined) {
      if (contractTypes().has(type)) return fullnameOf(type);
      const known = [...contractTypes(), ...this.providers.manifests.map((one) => one.type)];
      const near = known.filter((one) => one.startsWith(`${category}_`));
      throw fault('/provider_config/type', 'names no provider', {
        value: type,
        remediation: suggest(
          type,
          Object.fromEntries(near.map((one) => [one, { type: 'string' as const }])),
        ).replace('The fields are', 'There are'),
      });
    }
    const { configuration } = provider;
    const found = configuration === undefined ? [] : schemaFaults(configuration, config);
    if (found.length > 0)
      throw faults(
        found.map(({ path, message }): Fault => ({
          location: 'body',
          pointer: `/provider_config${formatPointer(path.map(String))}`,
          message,
        })),
      );
    return provider.manifest.fullname;
  }

  /** The organization's own document for a provider; undefined for built-in ones. */
  async document(tx: Transaction, type: string): Promise<CustomDocument | undefined> {
    if (this.providers.isBuiltIn(type)) return undefined;
    const [document] = await customDocuments(tx, type);
    return document;
  }

  private async find(tx: Transaction, type: string): Promise<Provider | undefined> {
    return await this.providers.find(type, await this.document(tx, type));
  }
}

let types: ReadonlySet<string> | undefined;

/** The provider types that the contract names, built or not. */
function contractTypes(): ReadonlySet<string> {
  if (types !== undefined) return types;
  const { components } = JSON.parse(servedDocument('management', '/')) as {
    components: { schemas: Record<string, { discriminator?: { mapping: object } }> };
  };
  types = new Set(Object.keys(components.schemas['ProviderConfig']?.discriminator?.mapping ?? {}));
  return types;
}
