import type { ErrorObject } from 'ajv';
import type { DocumentFormat, StandIns } from './document-format.js';

const maxRounds = 20;

type Holder = Record<string | number, unknown>;

/**
 * Removes the parts of a document that do not fit its schema, so that the faults of the rest are reported together with these.
 * @returns undefined where nothing is left
 */
export function fittingPart(value: unknown, { validate, standIns }: DocumentFormat): unknown {
  const part = structuredClone(value);
  for (let round = 0; round < maxRounds; round += 1) {
    if (validate(part)) return part;
    for (const error of validate.errors ?? []) if (!remove(part, error, standIns)) return undefined;
  }
  return undefined;
}

/** @returns false where only the whole document could be removed */
function remove(root: unknown, error: ErrorObject, standIns: StandIns): boolean {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const parameters = error.params as Record<string, unknown>;
  if (error.keyword === 'additionalProperties')
    return drop(root, [...path, String(parameters['additionalProperty'])]);
  if (path.length > 0) return drop(root, path);
  const missing = String(parameters['missingProperty']);
  if (error.keyword !== 'required' || standIns[missing] === undefined) return false;
  (root as Holder)[missing] = standIns[missing];
  return true;
}

/** Drops a value; an array as a whole, because removing one item would shift the indexes of the rest. */
function drop(root: unknown, path: readonly string[]): boolean {
  const holders: unknown[] = [root];
  for (const step of path.slice(0, -1))
    holders.push((holders.at(-1) as Holder | undefined)?.[step]);
  let depth = path.length - 1;
  while (depth >= 0 && Array.isArray(holders[depth])) depth -= 1;
  const holder = holders[depth];
  if (depth < 0) return false;
  if (typeof holder === 'object' && holder !== null)
    Reflect.deleteProperty(holder, path[depth] ?? '');
  return true; // it may have gone with what held it
}
