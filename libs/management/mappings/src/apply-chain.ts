import type { ManagementSchemas } from '#contract';
import { fault } from '#management/core';
import {
  type DocumentOptions,
  formatJson,
  MappingRunError,
  parseJson,
  type Value,
} from '@onefold/mapping';
import type { ChainStep } from './find-chain.js';

type Failure = ManagementSchemas['MappingFailure'];

/** Maximum number of characters of all outputs of a request for steps, as JSON. */
const maxOutputs = 16_000_000;

/** The work of a mapping of a chain. */
interface AppliedStep {
  mapping: string;
  template?: string;
  output?: Value;
  dropped: boolean;
  failure?: Failure;
}

/**
 * Runs documents one after the other on the data.
 * @throws ApiError 400 that names mapping and template
 */
export function applyChain(
  chain: readonly ChainStep[],
  data: Value,
  options?: DocumentOptions,
): Value {
  const { value, steps } = runChain(chain, data, options);
  const index = steps.length - 1;
  const last = steps[index];
  const place = `/mappings/${index}`;
  if (last?.dropped)
    throw fault(place, `the mapping ${last.mapping} drops the record`, {
      remediation: 'It assigns deleted() to root; in a list the record would be left out.',
    });
  if (last?.failure)
    throw fault(place, `the mapping ${last.mapping} failed: ${last.failure.message}`, {
      remediation: 'Correct the template, or guard the expression with .catch() or .or().',
      ...(last.failure.position ? { position: last.failure.position } : {}),
    });
  if (!isObject(value)) throw fault('/mappings', 'the result of the chain is not an object');
  return value;
}

/**
 * Runs documents one after the other on the data, up to one that fails or drops it.
 * @returns what the last one made, and what each did
 * @throws ApiError 400 if the outputs together are too large for a response
 */
export function applySteps(
  chain: readonly ChainStep[],
  data: Value,
  options?: DocumentOptions,
): { mapping: Value; steps: Value } {
  const { value, steps } = runChain(chain, data, options);
  let characters = 0;
  for (const { output } of steps)
    characters += output === undefined ? 0 : formatJson(output).length;
  if (characters > maxOutputs)
    throw fault('/steps', `the outputs of the mappings are ${characters} characters together`, {
      remediation: `Send fewer mappings or less data: ${maxOutputs} characters are allowed.`,
    });
  return { mapping: isObject(value) ? value : {}, steps: steps };
}

/** Runs a chain; the value is undefined if a mapping failed or dropped the record. */
function runChain(
  chain: readonly ChainStep[],
  data: Value,
  options?: DocumentOptions,
): { value: Value; steps: AppliedStep[] } {
  const steps: AppliedStep[] = [];
  let value: Value = data;
  for (const { reference, name, document } of chain) {
    const step: AppliedStep = { mapping: reference, dropped: false };
    steps.push(step);
    const onSelect = (template: string) => (step.template = template);
    try {
      const mapped = document.run(value, { ...options, name, onSelect });
      if (mapped === undefined) step.dropped = true;
      else step.output = mapped.record;
    } catch (error) {
      if (!(error instanceof MappingRunError)) throw error;
      step.failure = failureOf(error);
    }
    value = step.output;
    if (value === undefined) break;
  }
  return { value, steps };
}

function failureOf({ message, reason, template, place }: MappingRunError): Failure {
  if (place === undefined) return { message, reason, template };
  const { line, column, field, expression } = place;
  return {
    message,
    reason,
    template,
    position: { line, column },
    ...(field === undefined ? {} : { field }),
    ...(expression === undefined ? {} : { expression }),
  };
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The data with all digits of its numbers, which JSON.parse would round. */
export function exactData(rawBody: Uint8Array): Value {
  return (parseJson(Buffer.from(rawBody).toString()) as { data: Value }).data;
}
