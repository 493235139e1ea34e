import type { ResolvedAdditionalMapping, ResolvedChain, ResolvedIntegration } from '#bus';
import { completeClass } from '#contract';
import { instantOf } from '#query';
import { dropEmptyAttributes } from './empty-attributes.js';
import { customerMapping, locateCustomerField } from './customer-mapping.js';
import { mappingFailed } from './mapping-failed.js';
import type { MappedStep } from './mapping-trace.js';
import type { Mapping, MappingContext, ProviderRecord } from '../provider-record.js';
import type { ProviderOperation } from '../provider.js';

/** The provider's own mapping, as a step of a chain. */
const builtIn: ResolvedChain['mappings'][number] = { reference: 'default:0' };

/** Finds the mappings of an operation, in order. Without a chain the provider's own mapping applies. */
export function findChain(
  { chains }: ResolvedIntegration,
  operationId: string,
): ResolvedChain['mappings'] {
  const own = chains.find(({ operationIds }) => operationIds.includes(operationId));
  return own === undefined ? [builtIn] : own.mappings;
}

/** Name of the additional mappings in a trace, where they are one step, the last. */
const additionalStep = 'additional_mappings';

/**
 * Runs one record of the provider through a chain and the additional mappings.
 * @param steps gets what each mapping made
 * @returns undefined if a mapping drops the record
 */
export function mapRecord(
  providerRecord: ProviderRecord,
  chain: ResolvedChain['mappings'],
  operation: ProviderOperation,
  additional: readonly ResolvedAdditionalMapping[],
  context: MappingContext,
  steps?: MappedStep[],
): ProviderRecord | undefined {
  let value: unknown = providerRecord;
  for (const step of chain) {
    value = mappingOf(step, operation.response)(value as ProviderRecord, context);
    steps?.push({ mapping: step.reference, output: value });
    if (value === undefined) return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw mappingFailed(chain.at(-1)?.reference ?? '', 'its result is not an object');
  if (value !== providerRecord) completeClass(value);
  const record = dropEmptyAttributes(value as ProviderRecord);
  const fitting = additional.filter(
    ({ resource, actions }) =>
      resource === operation.resource && actions.includes(operation.action),
  );
  if (fitting.length === 0) return record;
  const output = fitting.reduce((made, one) => add(made, providerRecord, one), { ...record });
  steps?.push({ mapping: additionalStep, output });
  return output;
}

/**
 * Runs a body in our shape through the integration's mappings.
 * @param steps gets what each mapping made
 */
export function mapBody(
  body: ProviderRecord,
  chain: ResolvedChain['mappings'],
  context: MappingContext,
  steps?: MappedStep[],
): ProviderRecord {
  let value: unknown = body;
  for (const step of chain) {
    if (step.data === undefined) continue;
    value = mappingOf(step, undefined)(value as ProviderRecord, context);
    steps?.push({ mapping: step.reference, output: value });
    if (value === undefined)
      throw mappingFailed(step.reference, 'it drops the record that is to be written');
  }
  return value as ProviderRecord;
}

/** Runs a body through the provider's own mapping of requests, which is the last of every chain. */
export function mapOwn(
  body: ProviderRecord,
  operation: ProviderOperation,
  context: MappingContext,
  steps?: MappedStep[],
): ProviderRecord {
  const map = operation.request ?? ((record) => record);
  const output = map(body, context) as ProviderRecord;
  steps?.push({ mapping: builtIn.reference, output });
  return output;
}

/** Describes the line of the last mapping of a chain that sets a field; undefined where that is not known. */
export function locateField(
  chain: ResolvedChain['mappings'],
  { response }: ProviderOperation,
  path: readonly string[],
): string | undefined {
  for (const { reference, data } of chain.toReversed()) {
    const found =
      data === undefined
        ? response?.locateField?.(path)
        : locateCustomerField(reference, data, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mappingOf(
  { reference, data }: ResolvedChain['mappings'][number],
  own: Mapping | undefined,
): Mapping {
  if (data === undefined) return own ?? ((record) => record);
  return (record, { limits }) => customerMapping(reference, data)(record, limits && { limits });
}

/** Adds a field of the provider record, or a literal, below `custom_fields`, so that the result keeps to the contract. */
function add(
  record: ProviderRecord,
  providerRecord: ProviderRecord,
  one: ResolvedAdditionalMapping,
): ProviderRecord {
  const value = one.literal ? one.source : valueAt(providerRecord, one.source);
  if (value === undefined || value === null) return record;
  const path = one.destination.split('.');
  const below = path.length > 1 && path[0] === 'custom_fields' ? path.slice(1) : path;
  setAt(record, ['custom_fields', ...below], cast(value, one.dataType));
  return record;
}

function valueAt(providerRecord: ProviderRecord, path: string): unknown {
  let value: unknown = providerRecord;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as ProviderRecord)[key];
  }
  return value;
}

function setAt(
  record: ProviderRecord,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (key === '__proto__') return;
  if (rest.length === 0) {
    record[key] = value;
    return;
  }
  const inner = record[key];
  const copy =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? { ...inner } : {};
  record[key] = copy;
  setAt(copy, rest, value);
}

function cast(value: unknown, type: string): unknown {
  switch (type) {
    case 'string':
      // JSON.stringify cannot write a bigint, which is a large number of the provider.
      if (typeof value === 'bigint') return value.toString();
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'number': {
      if (typeof value === 'bigint') return value;
      const number = Number(value);
      return Number.isNaN(number) ? null : number;
    }
    case 'boolean':
      return value === true || value === 'true' || value === 1;
    case 'array':
      return Array.isArray(value) ? value : [value];
    case 'datetime':
      return instantOf(value) ?? null;
    default:
      return value;
  }
}
