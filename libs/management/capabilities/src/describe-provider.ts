import { type ManagementSchemas, type Operation, operations, servedDocument } from '#contract';
import {
  environmentsOf,
  listFields,
  type Manifest,
  type OperationDescription,
  type ProviderDescription,
} from '#provider-document';
import type { Field, FieldType } from '#query';
import type { Domain } from './domains.js';

type Capabilities = ManagementSchemas['ProviderCapabilities'];
type Described = ManagementSchemas['ProviderOperations'];

export interface Expansion {
  /** Whether the provider is of this installation, and not of a document of the organization. */
  isBuiltIn: boolean;
  operations?: boolean;
  requestBody?: boolean;
  providerConfig?: boolean;
  /** Language tag of the texts for customers, which come besides the English ones. */
  language?: string | null | undefined;
}

/** Describes a provider by its manifest and, where asked for, by its operations and configuration. */
export function describeProvider(
  manifest: Manifest,
  provider: ProviderDescription | undefined,
  expand: Expansion,
): Capabilities {
  const { type } = manifest;
  return {
    id: type,
    name: type,
    fullname: manifest.fullname,
    vendor: manifest.vendor,
    description: manifest.description,
    connector_id: domainOf(manifest),
    release: {
      availability: manifest.availability,
      environments: environmentsOf(manifest, expand.isBuiltIn),
    },
    ...(manifest.proof === undefined ? {} : { proof: manifest.proof }),
    ...(provider && expand.operations ? { operations: operationsOf(provider, expand) } : {}),
    ...(provider && expand.providerConfig
      ? {
          provider_config: provider.configuration ?? configSchema(type),
          ...setupOf(provider),
          ...authorizationOf(manifest),
        }
      : {}),
    ...(provider && expand.language ? translationsOf(provider, expand.language) : {}),
  };
}

function translationsOf(provider: ProviderDescription, language: string) {
  const translations = provider.translations?.(language);
  return translations === undefined ? {} : { translations };
}

function setupOf({ manifest, operations: offered, verifies }: ProviderDescription) {
  if (manifest.setup === undefined) return {};
  const needs = Object.values(offered).flatMap((one) => one?.needs ?? []);
  return {
    setup: { ...manifest.setup, permissions: [...new Set([...needs, ...(verifies ?? [])])] },
  };
}

function authorizationOf({ authorization }: Manifest) {
  if (authorization === undefined) return {};
  const { credential, scopes, claims, source } = authorization;
  const tells = claims === undefined ? {} : { tells: Object.keys(claims) };
  return { authorization: { credential, scopes, ...tells, source } };
}

/** Returns the domain of a provider id, which is its first part. */
export function domainOf({ type }: Pick<Manifest, 'type'>): Domain {
  return type.split('_')[0] as Domain;
}

/**
 * Lists every operation of the domain, marking those that the provider does not support, and its operations of other
 * domains.
 */
function operationsOf(provider: ProviderDescription, { requestBody }: Expansion): Described[] {
  return [...operations.values()]
    .filter(
      ({ id, side, group }) =>
        side === 'connector' &&
        (group === domainOf(provider) || provider.operations[id] !== undefined),
    )
    .map((operation) =>
      describeOperation(operation, provider.operations[operation.id], requestBody),
    );
}

function describeOperation(
  operation: Operation,
  offered: OperationDescription | undefined,
  withBody = false,
): Described {
  const { id, method, path } = operation;
  const declared = declarationOf(operation);
  const fields = Object.entries(
    offered?.fields ?? listFields(id, undefined, offered?.responseFields),
  );
  const required = requiredFields(declared.body, offered);
  return {
    id,
    name: id,
    fullname: declared.summary,
    supported: offered !== undefined,
    request_method: method,
    request_path: path,
    ...(offered?.needs === undefined ? {} : { needs: offered.needs }),
    ...(offered?.callsPerRow === true ? { calls_per_row: true } : {}),
    ...(operation.query['filter'] === undefined || offered === undefined
      ? {}
      : { filters: filtersOf(fields, offered) }),
    ...(operation.query['order'] === undefined || offered === undefined
      ? {}
      : {
          orders: fields
            .filter(([, { orders }]) => orders !== false)
            .map(([name]) => ({ name, directions: ['asc', 'desc'] as const })),
        }),
    ...(offered?.responseFields === undefined
      ? {}
      : { supported_response_fields: [...offered.responseFields] }),
    ...(offered === undefined || required === undefined
      ? {}
      : {
          required_fields: required,
          actions: { [offered.action]: { required_fields: required } },
        }),
    ...(withBody && operation.request === 'json'
      ? { request_body: { required: operation.bodyRequired, schema: declared.body ?? null } }
      : {}),
  } as Described;
}

/** Lists the fields that the contract requires in a body, and those that the provider requires besides. */
function requiredFields(
  body: Record<string, unknown> | undefined,
  offered: OperationDescription | undefined,
): string[] | undefined {
  const { required } = followReference(body);
  const own = offered?.requiredFields ?? [];
  if (!Array.isArray(required) && own.length === 0) return undefined;
  return [...new Set([...((required as string[] | undefined) ?? []), ...own])];
}

function followReference(schema: Record<string, unknown> = {}): Record<string, unknown> {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  const name = reference.split('/').at(-1) ?? '';
  return documentOf('connector').components.schemas[name] ?? {};
}

const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not in'];
const likes = ['like', 'not like'];

function filtersOf(
  fields: readonly [string, Field][],
  { readsAll = {} }: OperationDescription,
): object[] {
  return fields
    .filter(([name]) => name !== 'time' || name in readsAll)
    .map(([name, field]) => ({
      ...filterOf([name, field]),
      ...(readsAll[name] === undefined ? {} : { reads_all: readsAll[name] }),
    }));
}

function filterOf([name, { type, values }]: [string, Field]) {
  const types: Record<FieldType, string> = {
    string: 'string',
    number: 'number',
    boolean: 'boolean',
    datetime: 'datetime',
    enum: 'enum',
    list: 'string',
  };
  const texts = type === 'string' || type === 'enum' || type === 'list';
  return {
    name,
    type: types[type],
    operators: texts ? [...comparisons, ...likes] : comparisons,
    ...(values === undefined ? {} : { values: [...values] }),
  };
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        summary: string;
        requestBody?: { content?: Record<string, { schema: Record<string, unknown> }> };
      }
    >
  >;
  components: { schemas: Record<string, { properties?: Record<string, { const?: string }> }> };
}

const documents = new Map<Operation['side'], Document>();

function documentOf(side: Operation['side']): Document {
  const known = documents.get(side);
  if (known !== undefined) return known;
  const document = JSON.parse(servedDocument(side, '/')) as Document;
  documents.set(side, document);
  return document;
}

function declarationOf({ side, path, method }: Operation): {
  summary: string;
  body: Record<string, unknown> | undefined;
} {
  const declared = documentOf(side).paths[path]?.[method.toLowerCase()];
  return {
    summary: declared?.summary ?? '',
    body: declared?.requestBody?.content?.['application/json']?.schema,
  };
}

/** Returns the schema of a provider's configuration; its references point into the management document. */
function configSchema(type: string): unknown {
  const { schemas } = documentOf('management').components;
  const found = Object.entries(schemas).find(
    ([name, schema]) =>
      name.startsWith('ProviderConfig_') && schema.properties?.['type']?.const === type,
  );
  return found?.[1] ?? null;
}
