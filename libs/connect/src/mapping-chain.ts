import type { ResolvedAdditionalMapping, ResolvedChain, ResolvedIntegration } from '#bus';
import { ApiError } from '#contract';
import { customerMapping } from './customer-mapping.js';
import type { Mapping, MappingContext, ProviderRecord } from './provider-record.js';
import type { ProviderOperation } from './provider.js';

/** The mapping of a provider, at its place in a chain. */
const builtIn: ResolvedChain['mappings'][number] = { reference: 'default:0' };

/** The mappings of an operation, in order; an integration that says nothing uses the provider's. */
export function findChain(
  { chains }: ResolvedIntegration,
  operationId: string,
): ResolvedChain['mappings'] {
  const own = chains.find(({ operationIds }) => operationIds.includes(operationId));
  return own === undefined ? [builtIn] : own.mappings;
}

/**
 * Runs one record of the provider through a chain and the additional mappings.
 * @param known what `default:0` makes of the record, where that was needed before
 * @returns undefined when a mapping drops it
 */
export function mapRecord(
  providerRecord: ProviderRecord,
  chain: ResolvedChain['mappings'],
  operation: ProviderOperation,
  additional: readonly ResolvedAdditionalMapping[],
  context: MappingContext,
  known?: ProviderRecord,
): ProviderRecord | undefined {
  let value: unknown = providerRecord;
  for (const [index, step] of chain.entries()) {
    const isKnown = known !== undefined && index === 0 && step.data === undefined;
    value = isKnown ? known : mappingOf(step, operation.response)(value as ProviderRecord, context);
    if (value === undefined) return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw mappingFailed(chain.at(-1)?.reference ?? '', 'it made no object of the record');
  const record = value as ProviderRecord;
  const fitting = additional.filter(
    ({ resource, actions }) =>
      resource === operation.resource && actions.includes(operation.action),
  );
  return fitting.length === 0
    ? record
    : fitting.reduce((made, one) => add(made, providerRecord, one), { ...record });
}

/** Runs a body in our shape through the integration's mappings, then the provider's own. */
export function mapBody(
  body: ProviderRecord,
  chain: ResolvedChain['mappings'],
  operation: ProviderOperation,
  context: MappingContext,
): ProviderRecord {
  let value: unknown = body;
  for (const step of chain) {
    if (step.data === undefined) continue;
    value = mappingOf(step, undefined)(value as ProviderRecord, context);
    if (value === undefined)
      throw mappingFailed(step.reference, 'it drops the record that is to be written');
  }
  return (operation.request ?? ((record) => record))(
    value as ProviderRecord,
    context,
  ) as ProviderRecord;
}

/** 502 that names the mapping: what the caller sent is right, what came of it is not. */
export function mappingFailed(reference: string, problem: string, cause?: unknown): ApiError {
  return new ApiError(502, `the mapping ${reference} failed: ${problem}`, {
    remediation: 'POST /v1/mappings/apply runs it on an example.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function mappingOf(
  { reference, data }: ResolvedChain['mappings'][number],
  own: Mapping | undefined,
): Mapping {
  if (data === undefined) return own ?? ((record) => record);
  return (record, { limits }) => customerMapping(reference, data)(record, limits && { limits });
}

/** A field of the provider, or a literal, under a name in `custom_fields`: no other place, so that the answer keeps to the contract. */
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
      // A bigint is a number of the provider beyond what JSON.stringify takes.
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
    case 'datetime': {
      const time = new Date(value as string | number).getTime();
      return Number.isNaN(time) ? null : time;
    }
    default:
      return value;
  }
}
