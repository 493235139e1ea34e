import { type Operation, servedDocument } from '#contract';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Document {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(servedDocument('management', 'http://x')) as Document;

/** The least body an operation of the management API takes, or one with every field; undefined when it takes none. */
export function sampleBody({ path, method }: Operation, fields: Fields = 'required'): unknown {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content;
  const schema = content?.['application/json']?.schema;
  return schema && sample(schema, fields);
}

type Fields = 'required' | 'all';

function sample(schema: Schema, fields: Fields): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return sample(document.components.schemas[name] ?? {}, fields);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const branch = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (branch) return sample(branch, fields);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((one) => sample(one, fields))) as object;
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        namesOf(schema, fields).map((name) => [
          name,
          sample(schema.properties?.[name] ?? {}, fields),
        ]),
      );
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, fields === 'all' ? 1 : 0) }, () =>
        sample(schema.items ?? {}, fields),
      );
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return schema.format === 'date-time' ? '2030-01-01T00:00:00Z' : 'sample';
  }
}

function namesOf({ properties = {}, required = [] }: Schema, fields: Fields): readonly string[] {
  return fields === 'all' ? Object.keys(properties) : required;
}
