import { type OperationId, servedDocument } from '#contract';

type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
};
interface Document {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Body }>>;
  components: { schemas: Record<string, Schema> };
}
interface Body {
  content: Record<string, { schema: Schema }>;
}

const document = JSON.parse(servedDocument('management', '/')) as Document;
const deepest = 12;

/** What a sample is made of. */
export interface Choices {
  /** Which branch every union takes, modulo their number. */
  branch: number;
  /** The value of a field that the contract marks as secret. */
  secret: (pointer: string) => unknown;
}

/** A body that an operation of the management API takes, with every marked field in it; undefined where it takes none. */
export function sampleBody(id: OperationId, choices: Choices): unknown {
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (operation.operationId === id && schema) return sample(schema, '', choices);
    }
  return undefined;
}

function sample(given: Schema, pointer: string, choices: Choices): unknown {
  const marked = given['x-secret'] === true;
  const schema = resolved(given);
  if (marked && typeOf(schema) === 'string') return choices.secret(pointer);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((one) => one !== null);
  const union = (schema.oneOf ?? schema.anyOf)?.filter((one) => one.type !== 'null');
  if (union && union.length > 0)
    return sample(union[choices.branch % union.length] as Schema, pointer, choices);
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, pointer, marked, choices);
    case 'array':
      return schema.items && holdsSecret(schema.items)
        ? [sample(schema.items, `${pointer}/0`, choices)]
        : [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    default:
      return text(schema, pointer);
  }
}

function sampleObject(
  { properties = {}, required = [] }: Schema,
  pointer: string,
  marked: boolean,
  choices: Choices,
): Record<string, unknown> {
  const fields = Object.entries(properties).filter(
    ([name, schema]) => required.includes(name) || holdsSecret(schema),
  );
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      const at = `${pointer}/${name}`;
      const within = marked && !schema['format'] ? { ...schema, 'x-secret': true } : schema;
      return [name, sample(within, at, choices)];
    }),
  );
}

function text({ format }: Schema, pointer: string): string {
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  return /url|uri|endpoint|host|domain|instance/.test(pointer) ? 'https://example.com' : 'sample';
}

function resolved(schema: Schema): Schema {
  if (schema.$ref)
    return resolved(document.components.schemas[schema.$ref.split('/').pop() ?? ''] as Schema);
  const rest = schema.anyOf?.filter((one) => one.type !== 'null');
  return rest?.length === 1 ? resolved(rest[0] as Schema) : schema;
}

function typeOf({ type, properties }: Schema): string | undefined {
  return [type].flat().find((one) => one !== 'null') ?? (properties ? 'object' : undefined);
}

function holdsSecret(schema: Schema, depth = 0): boolean {
  if (schema['x-secret'] === true) return true;
  if (depth > deepest) return false;
  const found = resolved(schema);
  const parts = [
    ...(found.oneOf ?? []),
    ...(found.anyOf ?? []),
    ...(found.allOf ?? []),
    ...Object.values(found.properties ?? {}),
    ...(found.items ? [found.items] : []),
  ];
  return found['x-secret'] === true || parts.some((part) => holdsSecret(part, depth + 1));
}
