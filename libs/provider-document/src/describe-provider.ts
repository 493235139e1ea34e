import {
  type OperationId,
  operations,
  recordFields,
  type WebhookEvent,
  webhookEvents,
} from '#contract';
import { type CompiledDocument, isRead } from '@onefold/mapping';
import { bodyPaths } from './body-paths.js';
import type { Fields, Filter, Operator, Order } from '#query';
import type {
  CompiledCredential,
  CompiledOperation,
  CompiledProvider,
} from './compiled-provider.js';
import { type CredentialAddresses, credentialAddresses } from './credential-addresses.js';
import { credentialNames } from './credential-names.js';
import { credentialSchema } from './credential-schema.js';
import { lazyObject } from './lazy-map.js';
import { listFields } from './list-fields.js';
import { type Manifest, manifestsOf } from './manifest.js';
import type { Action, OperationSource } from './source.js';
import { type Translations, translationsOf } from './translations.js';

/** Everything about a provider that can be known without calling it. */
export interface ProviderDescription {
  /** The id in `provider_config.type`, such as `ticketing_mock_ticketing`. */
  type: string;
  manifest: Manifest;
  /** JSON Schema of `provider_config`, including credentials. When absent, the contract's schema applies. */
  configuration?: Record<string, unknown>;
  /** Computes where credentials are sent; absent for providers that need none. */
  addresses?(config: Record<string, unknown>): CredentialAddresses;
  /** Its mapping documents by name; `mappings_apply` runs them. */
  mappings?: ReadonlyMap<string, CompiledDocument>;
  /** The operations that the provider supports; all others return 501. */
  operations: { readonly [Id in OperationId]?: OperationDescription };
  /** Why the provider does not support an operation, as far as its document says. */
  unsupported?: Readonly<Record<string, string>>;
  /** The permissions that verification tries, in the provider's words. */
  verifies?: readonly string[];
  /** Finds its texts for customers in the language of a tag such as `de-AT`; undefined where they are in English alone. */
  translations?(language: string): Translations | undefined;
  /** The events that its webhooks report; absent for providers without webhooks. */
  webhookEvents?: readonly WebhookEvent[];
}

export interface OperationDescription {
  /** Additional mappings select records by this name. */
  resource: string;
  action: Action;
  /** The permission that the credential needs at the provider, in its words. */
  needs?: string;
  /** Fields that a list can be filtered and ordered by and the provider can fill, in our shape; those of the contract when absent. */
  fields?: Fields;
  /** Default order of a list; the provider's own when absent. */
  order?: string;
  /** Fields of our shape that a patch cannot change. */
  readOnly?: readonly string[];
  /** Fields that the response mapping can fill, as far as they are known. */
  responseFields?: readonly string[];
  /** Fields of our shape that a body needs in addition to those that the contract requires. */
  requiredFields?: readonly string[];
  /** Fields of a body that its mapping certainly does not read, so that the provider does not get them. */
  unwritten?: readonly string[];
  /** False for a field of our shape that the mapping of the body certainly does not read. */
  readsField?: (field: string) => boolean;
  /** True if the mapping of bodies certainly does not read a path, such as a custom field. */
  leavesUnread?: (path: readonly string[]) => boolean;
  /** Why filters of these fields read the whole list, in the words of the document. */
  readsAll?: Readonly<Record<string, string>>;
  /** Tells which filters and orders the provider applies; none when absent. */
  pushes?: { filter(filter: Filter): boolean; order(order: Order): boolean };
  /** How a create whose outcome is unknown is settled; the caller has to look for the record when absent. */
  settles?: 'repeat' | 'search';
  /** True if the operation may have to wait for work of the provider. */
  polls?: boolean;
  /** True for a list that costs further calls of the provider for each of its rows, or for some. */
  callsPerRow?: boolean;
}

/** Describes a provider by its compiled document. */
export function describeProvider(compiled: CompiledProvider): ProviderDescription {
  const { source, webhooks } = compiled;
  return {
    type: source.provider,
    manifest: manifestsOf(source)[0] as Manifest,
    configuration: configurationSchema(compiled),
    addresses: (config) => credentialAddresses(compiled, config),
    mappings: compiled.mappings,
    operations: lazyObject(compiled.operations, describeOperation),
    ...(source.unsupported && { unsupported: source.unsupported }),
    verifies: compiled.verify.map(({ needs }) => needs),
    translations: (language) => translationsOf(compiled, language),
    ...(webhooks && { webhookEvents: webhooks.source.event_types ?? webhookEvents }),
  };
}

/** Builds the JSON Schema of `provider_config` from the document's configuration and its credentials. */
function configurationSchema({ source, credentials }: CompiledProvider): Record<string, unknown> {
  const {
    properties = {},
    required = [],
    ...rest
  } = (source.configuration ?? {}) as {
    properties?: object;
    required?: string[];
  };
  const schema: ObjectSchema = {
    ...rest,
    type: 'object',
    properties: {
      type: { type: 'string', const: source.provider },
      ...(structuredClone(properties) as Record<string, ObjectSchema>),
    },
    required: ['type', ...required],
  };
  for (const { slot, optional, kinds } of credentials)
    addSlot(schema, {
      slot,
      optional,
      names: credentialNames(source.provider, slot, [...kinds.keys()]),
    });
  return schema;
}

interface ObjectSchema extends Record<string, unknown> {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
}

interface Slot extends Pick<CompiledCredential, 'slot' | 'optional'> {
  names: readonly string[];
}

/** Adds the place of a credential, which may be within an object of the configuration. */
function addSlot(schema: ObjectSchema, { slot, optional, names }: Slot): void {
  const path = slot.split('.');
  const name = path.pop() ?? '';
  let at = schema;
  for (const key of path) {
    const { [key]: inner = { type: 'object' } } = (at.properties ??= {});
    at.properties[key] = inner;
    at = inner;
  }
  at.properties = { ...at.properties, [name]: credentialSchema(names) };
  if (!optional) at.required = [...(at.required ?? []), name];
}

export function describeOperation(operation: CompiledOperation): OperationDescription {
  const { source, action, resource } = operation;
  const { request } = operation;
  const filled = operation.response?.fields();
  const order = action === 'query' ? defaultOrder(operation) : undefined;
  return {
    resource,
    action,
    ...(source.needs === undefined ? {} : { needs: source.needs }),
    ...(action === 'query' ? { fields: listFields(operation.id, source.fields, filled) } : {}),
    ...(filled === undefined ? {} : { responseFields: filled }),
    ...(source.required_fields === undefined ? {} : { requiredFields: source.required_fields }),
    ...(order === undefined ? {} : { order }),
    ...(request === undefined ? {} : { readsField: (field: string) => request.mayRead(field) }),
    ...(['create', 'patch'].includes(action) ? writesOf(operation) : {}),
    ...(source.read_only === undefined ? {} : { readOnly: source.read_only }),
    ...readsAllOf(source),
    pushes: {
      filter: ({ field, operator }) =>
        (source.fields?.[field]?.filters as readonly Operator[] | undefined)?.includes(operator) ??
        false,
      order: ({ field, direction }) => source.fields?.[field]?.orders?.includes(direction) ?? false,
    },
    ...(operation.settle && { settles: operation.settle.search ? 'search' : 'repeat' }),
    polls: operation.steps.some(({ poll }) => poll !== undefined),
    ...(action === 'query' && callsPerRow(source) ? { callsPerRow: true } : {}),
  };
}

function readsAllOf({ fields = {} }: OperationSource): Pick<OperationDescription, 'readsAll'> {
  const reasons = Object.entries(fields).flatMap(([name, { reads_all: reason }]) =>
    reason === undefined ? [] : [[name, reason] as const],
  );
  return reasons.length === 0 ? {} : { readsAll: Object.fromEntries(reasons) };
}

/** True if a step is called for each value of a list, unless these are batches of a range. */
function callsPerRow({ steps }: OperationSource): boolean {
  return steps.some(({ each }) => each !== undefined && !/^\s*range\(/.test(String(each)));
}

/**
 * Finds the parts of a body that are certainly not read, and so would be lost silently. Without a mapping the expressions of the operation read the body as
 * it was sent. What looks at the body as a whole may read all.
 */
function writesOf(
  operation: CompiledOperation,
): Pick<OperationDescription, 'unwritten' | 'leavesUnread'> {
  const { id, request, takesFile } = operation;
  if (takesFile) return {};
  const read = request?.readPaths() ?? bodyPaths(operation.source);
  const leavesUnread = (path: readonly string[]) => isRead(read, path) === 'no';
  const create = operations.get(id.replace('_patch_', '_create_') as OperationId);
  const fields = (create?.fields ?? []).filter((name) => name !== 'meta');
  const unwritten = fields.filter((name) =>
    request === undefined ? leavesUnread([name]) : !request.mayRead(name),
  );
  return { unwritten, leavesUnread };
}

/** The order of the contract is used where the provider has it, or returns all rows at once: a long list cannot be sorted here. */
function defaultOrder({ id, source, page, steps }: CompiledOperation): string | undefined {
  if (source.order !== undefined) return source.order;
  const order = operations.get(id as OperationId)?.order ?? undefined;
  if (order === undefined) return undefined;
  const isDeclared = source.fields !== undefined && Object.hasOwn(source.fields, order);
  const isPushed = isDeclared && source.fields?.[order]?.orders?.includes('asc') === true;
  const hasField = recordFields(id as OperationId)?.find(order) !== undefined;
  const isWhole = page === undefined && steps.every(({ poll }) => poll === undefined);
  return isPushed || (isWhole && (isDeclared || hasField)) ? order : undefined;
}
