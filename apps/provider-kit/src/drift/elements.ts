/** A part of a vendor's description that a document can depend on. */
export interface Element {
  kind: 'operation' | 'parameter' | 'field' | 'value';
  /** Where it is: `GET /issues`, `GET /issues: state`, `Issue.state`, `Issue.state = open`. Unique in a description. */
  place: string;
  /** The name that a document calls it by. */
  word: string;
  deprecated: boolean;
  /** The element that it belongs to. */
  of?: string;
}

/** Elements of a description by their places. */
export type Elements = ReadonlyMap<string, Element>;

interface Schema {
  $ref?: string;
  deprecated?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** A parameter; version 2 has the keys of its schema in it. */
interface Parameter extends Schema {
  name: string;
  in: string;
  schema?: Schema;
}

/** A body or an answer; version 2 has its schema without a media type. */
interface Content {
  $ref?: string;
  schema?: Schema;
  content?: Record<string, { schema?: Schema }>;
}

interface DescribedOperation {
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

interface PathItem extends Partial<Record<(typeof methods)[number], DescribedOperation>> {
  parameters?: Parameter[];
}

/** An OpenAPI description, 2 or 3. */
export interface OpenApi {
  paths: Record<string, PathItem>;
}

/** Lists the operations of a description, as `GET /issues`. */
export function operationsOf({ paths }: OpenApi): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/**
 * Lists operations of a description with their parameters, the fields of their bodies and answers, and the values of enumerations. Fields of
 * named schemas have the name of the schema as their place, so that each is listed once.
 */
export function readOpenApi(description: OpenApi, operations: ReadonlySet<string>): Elements {
  return new OpenApiReader(description, operations).elements;
}

class OpenApiReader {
  readonly elements = new Map<string, Element>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly description: OpenApi,
    operations: ReadonlySet<string>,
  ) {
    for (const [path, item] of Object.entries(description.paths))
      for (const method of methods) {
        const name = `${method.toUpperCase()} ${path}`;
        const operation = item[method];
        if (operation === undefined || !operations.has(name)) continue;
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        this.readOperation(name, { ...operation, parameters });
      }
  }

  private readOperation(name: string, operation: DescribedOperation): void {
    const { deprecated, parameters = [], requestBody = {}, responses = {} } = operation;
    this.add({ kind: 'operation', place: name, word: name, deprecated });
    for (const one of parameters) {
      const parameter = this.resolve(one).value;
      if (parameter.in === 'body') this.readSchema(parameter.schema, `${name} body`, name);
      // The parts of a path are numbered, not named, and headers are the client's.
      else if (parameter.in !== 'header' && parameter.in !== 'path')
        this.readParameter(parameter, name);
    }
    const answers = Object.entries(responses).filter(([status]) => /^2|default/.test(status));
    for (const [label, one] of [['body', requestBody] as const, ...answers]) {
      const { schema, content = {} } = this.resolve(one).value;
      for (const inner of [schema, ...Object.values(content).map((each) => each.schema)])
        this.readSchema(inner, `${name} ${label}`, name);
    }
  }

  private readParameter(parameter: Parameter, operation: string): void {
    const { name: word, deprecated } = parameter;
    const place = `${operation}: ${word}`;
    this.add({ kind: 'parameter', place, word, deprecated, of: operation });
    const schema = this.resolve<Schema>(parameter.schema ?? parameter).value;
    this.readValues(schema, place);
    if (schema.items !== undefined) this.readValues(this.resolve(schema.items).value, place);
  }

  private readSchema(one: Schema | boolean | undefined, at: string, of: string): void {
    if (typeof one !== 'object') return;
    const { value: schema, name } = this.resolve(one);
    const place = name ?? at;
    if (name !== undefined) {
      if (this.seen.has(name)) return;
      this.seen.add(name);
    }
    this.readValues(schema, place);
    for (const [field, inner] of Object.entries(schema.properties ?? {})) {
      const inside = `${place}.${field}`;
      const deprecated = inner.deprecated ?? this.resolve(inner).value.deprecated;
      this.add({ kind: 'field', place: inside, word: field, deprecated, of });
      this.readSchema(inner, inside, inside);
    }
    const { items, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
    for (const inner of [items, additionalProperties, ...allOf, ...anyOf, ...oneOf])
      this.readSchema(inner, place, of);
  }

  private readValues({ enum: values = [] }: Schema, place: string): void {
    for (const value of values)
      if (typeof value === 'string')
        this.add({ kind: 'value', place: `${place} = ${value}`, word: value, of: place });
  }

  /** Follows references within the description. */
  private resolve<T extends { $ref?: string }>(one: T): { value: T; name?: string } {
    if (one.$ref === undefined) return { value: one };
    const parts = one.$ref.replace(/^#\//, '').split('/');
    const value = parts.reduce<unknown>(
      (inside, part) =>
        (inside as Record<string, unknown> | undefined)?.[
          part.replaceAll('~1', '/').replaceAll('~0', '~')
        ],
      this.description,
    );
    return { value: this.resolve((value ?? {}) as T).value, name: parts.at(-1) ?? '' };
  }

  private add(element: Omit<Element, 'deprecated'> & { deprecated?: boolean | undefined }): void {
    const { place, deprecated = false } = element;
    if (!this.elements.has(place)) this.elements.set(place, { ...element, deprecated });
  }
}
