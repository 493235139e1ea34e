import { suggestName } from '@onefold/mapping';
import type { ClientFunction, ClientFunctions } from './client-function.js';
import type { DocumentReader, Path } from './document-reader.js';
import type { StepSource } from './source.js';

/** Keys of a step that describe its request. A step with a function has none of them but `encoding: stream`, which gives it the file. */
const requestKeys = [
  'method',
  'query',
  'headers',
  'encoding',
  'answer',
  'part',
  'accept',
  'repeatable',
  'credential',
  'anonymous',
  'poll',
] as const;

/**
 * Finds the function that a step names.
 * @param functions those of the vendor's folder; undefined for customers' documents, which have none
 */
export function findFunction(
  reader: DocumentReader,
  step: Path,
  source: StepSource,
  functions: ClientFunctions | undefined,
): ClientFunction | undefined {
  const { function: name } = source;
  if (name === undefined) return undefined;
  const place = [...step, 'function'];
  for (const key of requestKeys)
    if (source[key] !== undefined && !(key === 'encoding' && source[key] === 'stream'))
      reader.keyFault([...step, key], `a step with a function has no ${key}`);
  if (functions === undefined) {
    reader.fault(place, 'only built-in providers have functions', 'Use path, url and expressions.');
    return undefined;
  }
  if (Object.hasOwn(functions, name)) return functions[name];
  reader.fault(
    place,
    `client.ts has no function "${name}"`,
    suggestName(name, Object.keys(functions)),
  );
  return undefined;
}
