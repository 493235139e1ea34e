/** A JSON schema, as far as this file reads it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Characters of JSON that a schema may take in a tool; deeper levels are left out until it fits. */
export const maxSchemaLength = 6_000;
const maxDepth = 6;

/**
 * Cuts a schema of the contract to what a model needs: references are replaced by what they name, unions with null by the other type; marks and
 * read-only fields are left out, and levels from the bottom up until the rest fits.
 * @param schemas the schemas of the document, by name
 */
export function modelSchema(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  for (let depth = maxDepth; depth > 0; depth -= 1) {
    const cut = cutSchema(schema, schemas, depth) as Schema;
    if (JSON.stringify(cut).length <= maxSchemaLength) return cut;
  }
  return { type: 'object' };
}

const referencePrefix = '#/components/schemas/';
/** Keys whose value is a schema, a list of schemas, or schemas by name. */
const [single, lists] = [
  ['items', 'additionalProperties'],
  ['anyOf', 'oneOf', 'allOf'],
];
const kept = [
  'type',
  'enum',
  'const',
  'format',
  'default',
  'description',
  'required',
  'minimum',
  'maximum',
];

function cutSchema(
  given: unknown,
  schemas: Readonly<Record<string, Schema>>,
  depth: number,
): unknown {
  const schema = resolve(given, schemas);
  if (schema === undefined) return given;
  const next = (one: unknown) => cutSchema(one, schemas, depth - 1);
  const union = withoutNull(schema['anyOf'] ?? schema['oneOf']);
  if (union?.length === 1)
    return { ...described(schema), ...(cutSchema(union[0], schemas, depth) as Schema) };
  const cut: Record<string, unknown> = {};
  for (const key of kept) if (schema[key] !== undefined) cut[key] = schema[key];
  cut['type'] = withoutNullType(schema['type']);
  if (cut['type'] === undefined) delete cut['type'];
  if (depth <= 1) {
    delete cut['required'];
    return cut;
  }
  for (const key of single) if (typeof schema[key] === 'object') cut[key] = next(schema[key]);
  for (const key of lists)
    if (Array.isArray(schema[key])) cut[key] = (withoutNull(schema[key]) ?? []).map(next);
  if (isSchema(schema['properties'])) cutProperties(schema, schemas, cut, next);
  return cut;
}

function cutProperties(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  cut: Record<string, unknown>,
  next: (one: unknown) => unknown,
): void {
  const own = Object.entries(schema['properties'] as Schema).filter(
    ([, one]) =>
      resolve(one, schemas)?.['readOnly'] !== true && (one as Schema)['readOnly'] !== true,
  );
  cut['properties'] = Object.fromEntries(own.map(([name, one]) => [name, next(one)]));
  const names = new Set(own.map(([name]) => name));
  const required = ((schema['required'] ?? []) as string[]).filter((name) => names.has(name));
  if (required.length > 0) cut['required'] = required;
  else delete cut['required'];
}

function resolve(given: unknown, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  if (!isSchema(given)) return undefined;
  const reference = given['$ref'];
  if (typeof reference !== 'string') return given;
  return schemas[reference.slice(referencePrefix.length)] ?? {};
}

function isSchema(given: unknown): given is Schema {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function described({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}

function withoutNull(union: unknown): unknown[] | undefined {
  return Array.isArray(union)
    ? union.filter((one) => !isSchema(one) || one['type'] !== 'null')
    : undefined;
}

function withoutNullType(type: unknown): unknown {
  if (!Array.isArray(type)) return type;
  const others = type.filter((one) => one !== 'null');
  return others.length === 1 ? others[0] : others;
}
