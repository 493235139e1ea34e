import { type Operation, servedDocument } from '#contract';

export interface Schema {
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
  minimum?: number;
  minItems?: number;
  'x-secret'?: boolean;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: Schema }> };
        responses?: Record<string, { content?: Record<string, { schema: Schema }> }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

export type Side = Operation['side'];

const documents = new Map<Side, Document>();

function documentOf(side: Side): Document {
  const known = documents.get(side) ?? (JSON.parse(servedDocument(side, '/')) as Document);
  documents.set(side, known);
  return known;
}

/** Returns the schema of an operation's JSON body. */
export function bodySchema({ side, path, method }: Operation): Schema | undefined {
  const body = documentOf(side).paths[path]?.[method.toLowerCase()]?.requestBody;
  return body?.content['application/json']?.schema;
}

/** Returns the text fields of the records that a list returns. */
export function listedTexts(operation: Operation): string[] {
  const { side } = operation;
  const schema = resultSchema(operation);
  const items = schema?.items;
  const fields = items ? (resolve(side, items).properties ?? {}) : {};
  return Object.entries(fields)
    .filter(([, field]) => typeOf(resolve(side, field)) === 'string')
    .map(([name]) => name);
}

/** Returns the fields of the record that an operation returns, or of each record of the list. */
export function resultFields(operation: Operation): string[] {
  const { side } = operation;
  const schema = resultSchema(operation);
  const record = schema?.items ? resolve(side, schema.items) : schema;
  return Object.keys(record?.properties ?? {});
}

function resultSchema({ side, path, method }: Operation): Schema | undefined {
  const { responses } = documentOf(side).paths[path]?.[method.toLowerCase()] ?? {};
  const schema = responses?.['200']?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const whole = resolve(side, schema);
  return resolve(side, whole.properties?.['result'] ?? whole);
}

/** Resolves the reference of a schema. */
export function resolve(side: Side, schema: Schema): Schema {
  const name = schema.$ref?.split('/').pop();
  const found = name === undefined ? undefined : documentOf(side).components.schemas[name];
  return found ? resolve(side, found) : schema;
}

/** Returns the type of a schema, ignoring null. */
export function typeOf({ type, properties }: Schema): string | undefined {
  const own = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  return own === undefined || own === 'null' ? properties && 'object' : own;
}

/** Returns the variants of a union except null; undefined if the schema is not a union. */
export function variantsOf({ oneOf, anyOf }: Schema): Schema[] | undefined {
  return (oneOf ?? anyOf)?.filter((one) => one.type !== 'null');
}

/** Returns the variant of a union whose type matches, otherwise the first. */
export function variantOf(side: Side, variants: readonly Schema[], type: RegExp): Schema {
  const matching = variants.find((one) =>
    type.test(String(resolve(side, resolve(side, one).properties?.['type'] ?? {}).const)),
  );
  return matching ?? variants[0] ?? {};
}
