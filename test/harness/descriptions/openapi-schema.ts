import type { AnySchemaObject } from 'ajv';

type Schema = Record<string, unknown>;

const lists = ['allOf', 'anyOf', 'oneOf'];
const single = ['items', 'additionalProperties', 'not'];

/**
 * Converts an OpenAPI 3.0 schema to JSON Schema. Ajv refuses `nullable` without a `type`, and an `enum` must contain
 * null itself. Keys beside a `$ref` have no meaning in 3.0.
 */
export function toJsonSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  const plain = '$ref' in schema ? { $ref: schema['$ref'] } : converted(schema);
  return schema['nullable'] === true ? orNull(plain) : plain;
}

function converted(schema: Schema): AnySchemaObject {
  const { nullable: _nullable, required, ...result } = schema as AnySchemaObject;
  for (const key of lists)
    if (Array.isArray(result[key])) result[key] = (result[key] as unknown[]).map(toJsonSchema);
  for (const key of single) if (key in result) result[key] = toJsonSchema(result[key]);
  if (typeof result['properties'] === 'object')
    result['properties'] = mapValues(result['properties'] as Schema, toJsonSchema);
  if (Array.isArray(required) && required.length > 0) result['required'] = required;
  return inclusiveOrNot(result);
}

/** 3.0 has `exclusiveMinimum: true` of draft-04 beside `minimum`. */
function inclusiveOrNot(schema: AnySchemaObject): AnySchemaObject {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive]) {
      schema[exclusive] = schema[bound] as unknown;
      delete schema[bound];
    } else delete schema[exclusive];
  }
  return schema;
}

function orNull(schema: AnySchemaObject): AnySchemaObject {
  return { anyOf: [{ type: 'null' }, schema] };
}

/** Converts all schemas of a document, at any place. */
export function convertDocument(value: unknown, path: string[] = []): unknown {
  if (Array.isArray(value)) return value.map((entry) => convertDocument(entry, path));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isSchema = key === 'schema' || (path.length === 2 && path[1] === 'schemas');
      return [key, isSchema ? toJsonSchema(inner) : convertDocument(inner, [...path, key])];
    }),
  );
}

function mapValues(object: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
