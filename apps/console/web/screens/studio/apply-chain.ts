import { callForText } from '../../api/client.js';
import { builtInMapping, chainOf, placed } from '../../parts/mappings/chains.js';
import { parseExact } from '../../parts/mappings/exact-json.js';
import type { Step } from '../../parts/mappings/steps.js';
import type { Mapping, Subject } from './subject.js';

/** A document that is not saved, in the chain that it would be part of. */
export interface Trial {
  /** Name of the mapping, which the document takes the place of. */
  name: string;
  document: string;
  /** Mappings of the chain, in their order. */
  mappings: readonly string[];
}

export function trialOf(subject: Subject, stored: Mapping | undefined, document: string): Trial {
  const name = stored?.name ?? 'new mapping';
  // Records are what the provider's own mapping has made.
  const chain = chainOf(subject.chains, subject.operation).filter((one) => one !== builtInMapping);
  return { name, document, mappings: placed(chain, name, stored?.id) };
}

/** Runs a chain on a record, which is JSON and is sent as it is written, with all digits. */
export async function applyChain(
  { name, document, mappings }: Trial,
  record: string,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  const request = JSON.stringify({ mappings, documents: { [name]: document }, steps: true });
  const body = `${request.slice(0, -1)},"data":${record}}`;
  const { text } = await callForText('mappings_apply', { body }, signal);
  return (parseExact(text) as { result: { steps: Step[] } }).result.steps;
}
