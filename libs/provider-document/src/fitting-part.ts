import type { ErrorObject, ValidateFunction } from 'ajv';

/** Stand in for what a document lacks, so that the rest of it can be read. */
const standIns: Readonly<Record<string, unknown>> = {
  provider: 'custom_document',
  version: '0.0.0',
  fullname: 'Document',
  vendor: 'Document',
  http: { base_url: 'null' },
  operations: {},
};
const mostRounds = 20;

type Holder = Record<string | number, unknown>;

/**
 * What is left of a document without the parts that do not fit its schema: the faults of the rest are told together with these.
 * @returns undefined where nothing is left to read
 */
export function fittingPart(value: unknown, validate: ValidateFunction): unknown {
  const part = structuredClone(value);
  for (let round = 0; round < mostRounds; round += 1) {
    if (validate(part)) return part;
    for (const error of validate.errors ?? []) if (!remove(part, error)) return undefined;
  }
  return undefined;
}

/** @returns false where that cannot be done without taking all */
function remove(root: unknown, error: ErrorObject): boolean {
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

/** Of a list nothing is taken out, or the others would change their places: it goes as a whole. */
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
