import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';

let compiled: ValidateFunction | undefined;

/** Atlassian's own schema of its Document Format, compiled at its first use. */
function schema(): ValidateFunction {
  const file = new URL('description/adf.json', import.meta.url);
  const { $schema: _draft4, ...own } = JSON.parse(readFileSync(file, 'utf8')) as AnySchemaObject;
  compiled ??= new Ajv({ strict: false, validateSchema: false, logger: false }).compile(own);
  return compiled;
}

/** Lists the documents below a value that are not in Atlassian Document Format, by their places. */
export function documentFaults(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, version } = value as { type?: unknown; version?: unknown };
  if (type === 'doc' && version !== undefined)
    return schema()(value) === true
      ? []
      : [`${place} is not a document by Atlassian's schema: ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, one]) => documentFaults(one, `${place}/${name}`));
}
