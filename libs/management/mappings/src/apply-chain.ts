import { type ApiError } from '#contract';
import { fault } from '#management/core';
import {
  compileDocument,
  type DocumentOptions,
  formatJson,
  MappingRunError,
  parseJson,
  type Value,
} from '#mapping';
import { sharedTemplate } from '#ocsf';
import type { Mapping } from '#store';

/** Runs data through documents one after the other. @throws ApiError 400 that names mapping and template */
export function applyChain(
  chain: readonly Mapping[],
  data: Value,
  options?: DocumentOptions,
): Record<string, unknown> {
  let value = data;
  for (const [index, { name, version, data: document }] of chain.entries()) {
    const place = `/mappings/${index}`;
    try {
      const mapped = compileDocument(document, { shared: sharedTemplate }).run(value, options);
      if (mapped === undefined)
        throw fault(place, `the mapping ${name}:${version} drops the document`, {
          remediation: 'It assigns deleted() to root; in a list the record would be left out.',
        });
      value = mapped.record;
    } catch (error) {
      if (!(error instanceof MappingRunError)) throw error;
      throw fault(
        place,
        `the mapping ${name}:${version} failed in the template "${error.template}": ${error.reason}`,
        {
          remediation: 'Mend the template, or guard the expression with .catch() or .or().',
        },
      );
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return JSON.parse(formatJson(value)) as Record<string, unknown>;
  throw fault('/mappings', 'the chain makes no object of the data');
}

/** The data with all digits of its numbers, which JSON.parse would round. */
export function exactData(rawBody: Uint8Array): Value {
  return (parseJson(Buffer.from(rawBody).toString()) as { data: Value }).data;
}

export function unknownMapping(index: number, reference: string): ApiError {
  return fault(
    `/mappings/${index}`,
    reference === 'default:0'
      ? 'default:0 is the mapping of a provider, and there is none here'
      : 'names no mapping',
    {
      value: reference,
      remediation: 'Use a name or id of GET /v1/mappings.',
    },
  );
}
