/** A field of a vendor's record that has no fields of its own. */
export interface ModelField {
  /** `labels[].name` for a field of the items of a list, `tags{}` for the values of an object whose keys are the customer's. */
  path: string;
  /** `text`, `integer`, `number`, `boolean`, `time`, `date`, `epoch`, `epoch_ms`, `epoch_text`, `url`, `ip`, `mac`, `mail` or
   * `any`; of an enumeration its values: `open|closed`. */
  kind: string;
}

/** A schema of OpenAPI, 2 or 3, or of JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema | Schema[];
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const formats: Record<string, string> = {
  'date-time': 'time',
  date: 'date',
  uri: 'url',
  url: 'url',
  email: 'mail',
  ipv4: 'ip',
};
/** Objects deeper than this are one field, such as the repository of the milestone of an issue. */
const maxDepth = 5;

/**
 * Lists the fields of a schema of a description. A schema within itself is one field.
 * @param whole paths of objects that are one field each, such as records of another kind
 */
export function fieldsOfSchema(
  document: unknown,
  schema: Schema,
  whole: readonly string[] = [],
): ModelField[] {
  const fields = new Map<string, string>();
  new SchemaReader(document, fields, whole).read(schema, '', []);
  return [...fields].map(([path, kind]) => ({ path, kind }));
}

class SchemaReader {
  constructor(
    private readonly document: unknown,
    private readonly fields: Map<string, string>,
    private readonly whole: readonly string[],
  ) {}

  read(schema: Schema, path: string, seen: readonly string[]): void {
    if (this.whole.includes(path)) {
      this.add(path, 'any');
      return;
    }
    if (schema.$ref !== undefined) {
      const isOpen = seen.includes(schema.$ref) || seen.length > 2 * maxDepth;
      if (isOpen) this.add(path, 'any');
      else this.read(this.find(schema.$ref), path, [...seen, schema.$ref]);
      return;
    }
    const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    for (const part of parts) if (part.type !== 'null') this.read(part, path, seen);
    const { properties, items, additionalProperties } = schema;
    const isDeep = path.split(/[.[{]/).length > maxDepth;
    if (properties !== undefined && !isDeep)
      for (const [name, one] of Object.entries(properties))
        this.read(one, path === '' ? name : `${path}.${name}`, seen);
    else if (items !== undefined)
      // Some descriptions of version 2 write alternatives as a list of items.
      for (const one of [items].flat())
        if (Array.isArray(items) && schema.type !== 'array') this.read(one, path, seen);
        else this.read(one, `${path}[]`, seen);
    else if (typeof additionalProperties === 'object')
      this.read(additionalProperties, `${path}{}`, seen);
    else if (parts.length === 0 && schema.type !== 'null') this.add(path, kindOf(schema));
  }

  private find(reference: string): Schema {
    let found: unknown = this.document;
    for (const name of reference.replace(/^#\//, '').split('/'))
      found = (found as Record<string, unknown>)[name];
    if (found === undefined) throw new Error(`the description has no ${reference}`);
    return found as Schema;
  }

  /** A kind that says more replaces one that says less. */
  private add(path: string, kind: string): void {
    if (path === '') return;
    const known = this.fields.get(path);
    if (known === undefined || known === 'any') this.fields.set(path, kind);
  }
}

function kindOf({ type, format, enum: values }: Schema): string {
  const texts = values?.filter((one) => typeof one === 'string' && one !== '') ?? [];
  if (texts.length > 0) return texts.join('|');
  const [first = 'object'] = [type].flat().filter((one) => one !== 'null');
  if (first === 'string') return formats[format ?? ''] ?? 'text';
  return ['integer', 'number', 'boolean'].includes(first) ? first : 'any';
}
