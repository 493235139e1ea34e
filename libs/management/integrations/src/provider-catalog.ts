import { Injectable } from '@nestjs/common';
import { type ApiError, type Fault, servedDocument } from '#contract';
import { addressFault, fault, faults } from '#management/core';
import { domainOf, type ProviderDescription } from '#provider-document';
import { type CustomDocument, customDocuments } from './custom-documents.js';
import { formatPointer } from '#patch';
import { schemaFaults } from '@onefold/mapping';
import { ProviderCatalogue } from '#providers';
import { customProviderQueries, type Reader } from '#store';
import { droppedFields, knownFields } from './known-fields.js';

/** Maximum number of providers that an error names. */
const maxNamed = 30;

type ProviderConfig = { type: string } & Record<string, unknown>;
type Schema = Record<string, unknown>;

/** Fills in the dataset of a mock that the request leaves out, because clients read it from the configuration of the integration. */
function withDataset(config: ProviderConfig, schema: Schema = {}): ProviderConfig {
  const { dataset } = (schema['properties'] ?? {}) as { dataset?: { default?: unknown } };
  return dataset?.default === undefined
    ? config
    : { ...config, dataset: config['dataset'] ?? dataset.default };
}

/** Returns what the document of the provider says of a field: what a right value is. */
function remedyOf(
  schema: Schema = {},
  field: string | number | undefined,
): Pick<Fault, 'remediation'> {
  const fields = (schema['properties'] ?? {}) as Record<string, { description?: string }>;
  const remediation = fields[String(field)]?.description;
  return remediation === undefined ? {} : { remediation };
}

/** Valid provider configuration, with its provider. */
export interface CheckedConfig {
  /** Display name of the provider. */
  fullname: string;
  /** The configuration without fields that the provider does not know. */
  config: ProviderConfig;
  /** JSON Pointers of fields of the request that the provider does not know. */
  dropped: string[];
  provider: ProviderDescription;
}

/** Providers that integrations can use: built-in ones and the organization's own. */
@Injectable()
export class ProviderCatalog {
  constructor(private readonly providers: ProviderCatalogue) {}

  /**
   * Checks a provider configuration against the provider's own schema.
   * @throws ApiError 400 for every invalid field, and for a provider that this installation does not serve
   */
  async check(tx: Reader, given: ProviderConfig): Promise<CheckedConfig> {
    const { type } = given;
    const provider = await this.find(tx, type);
    if (provider === undefined) throw await this.notServed(tx, type);
    const { configuration } = provider;
    const config = withDataset(given, configuration);
    const found = configuration === undefined ? [] : schemaFaults(configuration, config);
    if (found.length > 0)
      throw faults(
        found.map(({ path, message }): Fault => ({
          location: 'body',
          pointer: `/provider_config${formatPointer(path.map(String))}`,
          message,
          ...remedyOf(configuration, path[0]),
        })),
      );
    const wrong = addressFaults(provider, config);
    if (wrong.length > 0) throw faults(wrong);
    const keep = configuration
      ? (one: ProviderConfig) => knownFields(one, configuration)
      : (contractTypes().get(type) ?? ((one: ProviderConfig) => one));
    const kept = keep(config);
    const dropped = droppedFields(config, kept).map(
      (path) => `/provider_config${formatPointer(path)}`,
    );
    return { fullname: provider.manifest.fullname, config: kept, dropped, provider };
  }

  /**
   * Creates the error for a provider that is neither built in nor the organization's own; it names those of the same
   * domain, or else all.
   */
  private async notServed(tx: Reader, type: string): Promise<ApiError> {
    const own = await customProviderQueries.listProviders(tx);
    const served = [...this.providers.manifests.map((one) => one.type), ...own].sort();
    const near = served.filter((one) => domainOf(one) === domainOf(type));
    const named = near.length > 0 ? near : served;
    const some = named.slice(0, maxNamed).join(', ');
    return fault('/provider_config/type', 'is not a provider that this installation serves', {
      value: type,
      remediation: `It serves ${some}${named.length > maxNamed ? ', …' : ''}. GET /v1/capabilities/providers lists all.`,
    });
  }

  /** Returns the organization's own document for a provider; undefined for built-in ones. */
  async document(tx: Reader, type: string): Promise<CustomDocument | undefined> {
    if (this.providers.isBuiltIn(type)) return undefined;
    const [document] = await customDocuments(tx, type);
    return document;
  }

  /** Returns the provider of an id, with the origin of its document. */
  async sender(
    tx: Reader,
    type: string,
  ): Promise<{ provider: ProviderDescription | undefined; isBuiltIn: boolean }> {
    const isBuiltIn = this.providers.isBuiltIn(type);
    return { provider: await this.find(tx, type), isBuiltIn };
  }

  /** Returns the provider of an id, built-in or the organization's own. */
  private async find(tx: Reader, type: string): Promise<ProviderDescription | undefined> {
    return await this.providers.find(type, await this.document(tx, type));
  }
}

/** Faults of the addresses that a configuration results in, at the field that each comes from. */
function addressFaults(provider: ProviderDescription, config: ProviderConfig): Fault[] {
  const { urls = [] } = provider.addresses?.(config) ?? {};
  return [...new Set(urls)].flatMap((url) => {
    const [field] =
      Object.entries(config).find(
        ([, one]) => typeof one === 'string' && one !== '' && url.startsWith(one),
      ) ?? [];
    const place = field === undefined ? '' : formatPointer([field]);
    return addressFault(url, `/provider_config${place}`) ?? [];
  });
}

type KeepKnown = (config: ProviderConfig) => ProviderConfig;

let types: ReadonlyMap<string, KeepKnown> | undefined;

/** Functions that keep the known fields of a configuration, by the provider types of the contract. */
function contractTypes(): ReadonlyMap<string, KeepKnown> {
  if (types !== undefined) return types;
  const document = JSON.parse(servedDocument('management', '/')) as {
    components: { schemas: Record<string, Schema & { discriminator?: { mapping: object } }> };
  };
  const { schemas } = document.components;
  const mapping = schemas['ProviderConfig']?.discriminator?.mapping ?? {};
  types = new Map(
    Object.entries(mapping).map(([type, reference]) => [
      type,
      (config) => knownFields(config, { $ref: reference as string }, document),
    ]),
  );
  return types;
}
