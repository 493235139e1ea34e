import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { convertDocument } from './openapi-schema.js';
import { unknownFields } from './unknown-fields.js';

/** Rules for checking messages against a description. */
export interface DescriptionOptions {
  /** The vendor's OpenAPI 3.0 document. */
  document: Record<string, unknown>;
  /** Required fields by name of the component, where the description requires less than the system. */
  required?: Record<string, string[]>;
  /** Formats that the vendor writes differently from the standard of that name. */
  formats?: Record<string, RegExp>;
  /** Header parameters that the description requires and the system does not. */
  optionalHeaders?: string[];
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  explode?: boolean;
  schema?: unknown;
  pointer: string;
}

interface Content {
  content?: Record<string, { schema?: unknown }>;
  required?: boolean;
}

export interface Operation {
  /** `GET /repos/{owner}/{repo}`. */
  key: string;
  pattern: RegExp;
  literals: number;
  method: string;
  names: string[];
  parameters: Parameter[];
  pointer: string;
  body: Content | undefined;
  responses: Record<string, Content>;
}

type Json = Record<string, unknown>;

// Statuses that any operation may have although its description does not mention them: authentication, rate limits,
// server errors.
const silent = new Set([400, 401, 403, 405, 406, 413, 415, 429, 500, 502, 503, 504]);

/**
 * Checks requests and responses against a vendor's description. Faults are sentences; an empty list means that the
 * message is allowed.
 */
export class Description {
  readonly operations: Operation[];
  private readonly document: Json;
  private readonly ajv: Ajv;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly options: DescriptionOptions) {
    this.document = convertDocument(options.document) as Json;
    for (const [name, required] of Object.entries(options.required ?? {}))
      this.component(name)['required'] = required;
    this.ajv = new Ajv({
      strict: false,
      allErrors: true,
      coerceTypes: false,
      validateSchema: false,
      logger: false,
      code: { optimize: false }, // It takes a third of compiling and saves nothing afterwards.
    });
    formatsPlugin.default(this.ajv);
    for (const [name, format] of Object.entries(options.formats ?? {}))
      this.ajv.addFormat(name, format);
    this.ajv.addSchema(this.document, 'description');
    this.operations = this.readOperations();
  }

  match(method: string, path: string): { operation: Operation; params: Json } | undefined {
    for (const operation of this.operations) {
      if (operation.method !== method) continue;
      const found = operation.pattern.exec(path);
      if (found === null) continue;
      const params = operation.names.map((name, index) => [
        name,
        decodeURIComponent(found[index + 1] ?? ''),
      ]);
      return { operation, params: Object.fromEntries(params) as Json };
    }
    return undefined;
  }

  /** Converts the query to the types of the description, and lists the faults of its parameters. */
  readParameters(
    operation: Operation,
    params: Json,
    search: URLSearchParams,
    headers: Record<string, string>,
  ): { query: Json; faults: string[] } {
    const faults: string[] = [];
    const query: Json = {};
    for (const parameter of operation.parameters) {
      const raw = given(parameter, params, search, headers);
      const optional = this.options.optionalHeaders?.includes(parameter.name.toLowerCase());
      if (raw === undefined) {
        if (parameter.required && !optional)
          faults.push(`${parameter.in} parameter ${parameter.name} is missing`);
        continue;
      }
      const schema = this.resolve(parameter.schema);
      const value = convert(raw, schema, (inner) => this.resolve(inner), parameter.explode ?? true);
      if (parameter.schema !== undefined)
        faults.push(
          ...this.check(`${parameter.pointer}/schema`, value).map(
            (fault) => `${parameter.in} parameter ${parameter.name} ${fault}`,
          ),
        );
      if (parameter.in === 'query') query[parameter.name] = value;
    }
    const known = new Set(
      operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name),
    );
    for (const name of new Set(search.keys()))
      if (!known.has(name)) faults.push(`query parameter ${name} is not in the description`);
    return { query, faults };
  }

  checkBody(operation: Operation, contentType: string | undefined, body: unknown): string[] {
    const { body: declared } = operation;
    if (contentType === undefined)
      return declared?.required === true ? ['the body is missing'] : [];
    if (declared === undefined)
      return body === undefined ? [] : ['the operation takes no body, and one was sent'];
    const type = Object.keys(declared.content ?? {}).find((each) => each === contentType);
    if (type === undefined)
      return [
        `the body is ${contentType}, not ${Object.keys(declared.content ?? {}).join(' or ')}`,
      ];
    if (!isJson(type)) return [];
    const pointer = `${operation.pointer}/requestBody/content/${escape(type)}/schema`;
    return this.check(pointer, body).map((fault) => `body ${fault}`);
  }

  checkAnswer(
    operation: Operation,
    status: number,
    contentType: string | undefined,
    body: unknown,
  ): string[] {
    const declared = operation.responses[String(status)] ?? operation.responses['default'];
    if (declared === undefined)
      return silent.has(status) ? [] : [`status ${status} is not in the description`];
    const content = Object.keys(declared.content ?? {});
    if (contentType === undefined || content.length === 0) return [];
    const type = content.find((each) => each === contentType);
    if (type === undefined)
      return status >= 400 ? [] : [`the answer is ${contentType}, not ${content.join(' or ')}`];
    return isJson(type) ? this.check(this.answerPointer(operation, status, type), body) : [];
  }

  /** Lists the fields of an answer that the description does not have. Objects whose fields it leaves open are not looked into. */
  unknownFields(
    operation: Operation,
    status: number,
    contentType: string | undefined,
    body: unknown,
  ): string[] {
    if (contentType === undefined || !isJson(contentType)) return [];
    const schema = this.at(this.answerPointer(operation, status, contentType));
    return schema === undefined
      ? []
      : unknownFields(body, [schema], (inner) => this.resolve(inner));
  }

  private answerPointer(operation: Operation, status: number, type: string): string {
    const key = operation.responses[String(status)] === undefined ? 'default' : String(status);
    const own = this.at(`${operation.pointer}/responses/${key}`) as { $ref?: string } | undefined;
    const base = own?.$ref?.slice(1) ?? `${operation.pointer}/responses/${key}`;
    return `${base}/content/${escape(type)}/schema`;
  }

  /** Checks a value against the schema at a JSON pointer into the document. */
  private check(pointer: string, value: unknown): string[] {
    if (this.at(pointer) === undefined) return [];
    let validate = this.validators.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `description#${encodeURI(pointer)}` });
      this.validators.set(pointer, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).slice(0, 10).map(sentence);
  }

  private readOperations(): Operation[] {
    const paths = this.document['paths'] as Record<string, Record<string, Json>>;
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => this.readOperation(path, method, operation, item)),
    );
    return operations.sort((one, other) => other.literals - one.literals); // Literals come before parameters.
  }

  private readOperation(
    path: string,
    method: string,
    operation: Json,
    item: Record<string, Json>,
  ): Operation {
    const pointer = `/paths/${escape(path)}/${method}`;
    const segments = path.split('/');
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
    const pattern = segments
      .map((segment) =>
        segment.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '([^/]+)'),
      )
      .join('/');
    return {
      key: `${method.toUpperCase()} ${path}`,
      pattern: new RegExp(`^${pattern}$`),
      literals: segments.filter((segment) => !segment.includes('{')).length,
      method: method.toUpperCase(),
      names,
      parameters: [
        ...this.readParametersOf(operation['parameters'], `${pointer}/parameters`),
        ...this.readParametersOf(item['parameters'], `/paths/${escape(path)}/parameters`),
      ],
      pointer,
      body: this.resolve(operation['requestBody']),
      responses: Object.fromEntries(
        Object.entries((operation['responses'] ?? {}) as Json).map(([status, response]) => [
          status,
          this.resolve<Content>(response) ?? {},
        ]),
      ),
    };
  }

  private readParametersOf(declared: unknown, pointer: string): Parameter[] {
    return ((declared ?? []) as { $ref?: string }[]).map((parameter, index) => ({
      ...(this.resolve<Parameter>(parameter) as Parameter),
      pointer: parameter.$ref?.slice(1) ?? `${pointer}/${index}`,
    }));
  }

  private resolve<T = Json>(value: unknown): T | undefined {
    const reference = (value as { $ref?: string } | undefined)?.$ref;
    return (reference === undefined ? value : this.at(reference.slice(1))) as T | undefined;
  }

  private at(pointer: string): unknown {
    let value: unknown = this.document;
    for (const part of pointer.split('/').slice(1))
      value = (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    return value;
  }

  private component(name: string): Json {
    const found = this.at(`/components/schemas/${name}`);
    if (found === undefined) throw new Error(`the description has no component ${name}`);
    return found as Json;
  }
}

/** Reads the description in a vendor's folder. @param options rules beside it */
export function readDescription(
  url: URL,
  options: Omit<DescriptionOptions, 'document'> = {},
): Description {
  const document = JSON.parse(readFileSync(url, 'utf8')) as Record<string, unknown>;
  return new Description({ ...options, document });
}

function given(
  { name, in: place }: Parameter,
  params: Json,
  search: URLSearchParams,
  headers: Record<string, string>,
): string[] | undefined {
  if (place === 'query') return search.has(name) ? search.getAll(name) : undefined;
  const value = place === 'path' ? params[name] : headers[name.toLowerCase()];
  return typeof value === 'string' ? [value] : undefined;
}

/** Converts texts of a query to the types of the schema; a text that cannot be converted is refused by the schema. */
function convert(
  raw: string[],
  schema: Json | undefined,
  resolve: (schema: unknown) => Json | undefined,
  explode: boolean,
): unknown {
  const [first = ''] = raw;
  if (schema?.['type'] === 'array') {
    const parts = explode ? raw : raw.flatMap((value) => value.split(','));
    return parts.map((value) => convert([value], resolve(schema['items']), resolve, explode));
  }
  if (schema?.['type'] === 'integer' && /^-?\d+$/.test(first)) return Number(first);
  if (schema?.['type'] === 'number' && first !== '' && Number.isFinite(Number(first)))
    return Number(first);
  if (schema?.['type'] === 'boolean' && /^(?:true|false)$/.test(first)) return first === 'true';
  return first;
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = (params as { additionalProperty?: string }).additionalProperty;
  const place = instancePath === '' ? '' : `${instancePath} `;
  return `${place}${message ?? 'is not allowed'}${extra === undefined ? '' : ` (${extra})`}`;
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
