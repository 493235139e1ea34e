import { type Operation, type OperationId, operations, servedDocument } from '#contract';
import { actionOf, visibleNames } from '#provider-document';
import { suggestName } from '@onefold/mapping';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  readOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
}

interface Described {
  operationId?: string;
  summary?: string;
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  isReadOnly: boolean;
}

/** The input of a mapping of bodies: a sentence about the whole, and its fields, none where they are free. */
export interface RequestInput {
  about: string;
  fields: Field[];
}

/** Says what a document has at an operation: its call, what its expressions see, what `request` sees, and the record that `response` makes. */
export function showOperation(id: string): string | { unknown: string } {
  const operation = operations.get(id as OperationId);
  if (operation?.side !== 'connector') {
    const ids = [...operations.values()].filter(({ side }) => side === 'connector');
    const hint =
      suggestName(
        id,
        ids.map((one) => one.id),
      ) ?? 'docs/providers/README.md lists them.';
    return { unknown: `there is no operation ${id}. ${hint}` };
  }
  const { summary = '' } = describedOf(id);
  const input = requestInput(operation);
  const made = fieldsOf(resultOf(operation));
  const names = Object.entries(visibleNames(operation.id)).map(([name, below]) =>
    below === undefined || below.length === 0
      ? `this.${name}`
      : below.map((one) => `this.${name}.${one}`).join(', '),
  );
  return [
    `${id}: ${summary}`,
    `${operation.method} ${operation.path}, a ${actionOf(id)}`,
    '',
    'Expressions of its first step see',
    ...names.map((name) => `  ${name}`),
    ...(input === undefined ? [] : ['', `request sees ${input.about}`, ...shown(input.fields)]),
    ...(made.length === 0 ? [] : ['', 'response makes a record with', ...shown(made)]),
    '',
  ].join('\n');
}

/** Returns what the `request` of an operation sees; undefined for one without a body. */
export function requestInput(operation: Operation): RequestInput | undefined {
  const { id, request } = operation;
  if (request === 'multipart')
    return { about: 'nothing: the body is a file, this.file in the steps', fields: [] };
  if (actionOf(id) === 'patch') {
    const create = operations.get(id.replace('_patch_', '_create_') as OperationId);
    const fields = create ? fieldsOf(bodyOf(create.id)) : fieldsOf(resultOf(operation));
    return { about: 'the whole record in our shape, as the patch leaves it', fields };
  }
  const body = request === 'json' ? bodyOf(id) : undefined;
  if (body === undefined) return undefined;
  const { items } = resolve(body);
  return items === undefined
    ? { about: 'the body of the caller', fields: fieldsOf(body) }
    : { about: 'the body of the caller, a list; each element has', fields: fieldsOf(items) };
}

function shown(fields: readonly Field[]): string[] {
  if (fields.length === 0) return ['  any fields'];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.map(({ name, type, isRequired, isReadOnly }) => {
    const notes = [...(isRequired ? ['required'] : []), ...(isReadOnly ? ['read-only'] : [])];
    return `  ${name.padEnd(width)}  ${type}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
}

let document: {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

function contract() {
  return (document ??= JSON.parse(servedDocument('connector', '/')) as typeof document);
}

function describedOf(id: string): Described {
  const all = Object.values(contract().paths).flatMap((methods) => Object.values(methods));
  return all.find(({ operationId }) => operationId === id) ?? { responses: {} };
}

function bodyOf(id: string): Schema | undefined {
  return describedOf(id).requestBody?.content['application/json']?.schema;
}

/** The schema of the record, or of each record, in the response. */
function resultOf({ id, response: { status, record } }: Operation): Schema | undefined {
  const schema = describedOf(id).responses[status]?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const result = record === null ? schema : resolve(schema).properties?.[record];
  return result && (resolve(result).items ?? result);
}

function resolve(schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined)
    return resolve(contract().components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  const [first, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  return first !== undefined && others.length === 0 ? resolve(first) : schema;
}

/** The fields of an object; of a union those of all its types, of which those are required that each of them requires. */
function fieldsOf(schema: Schema | undefined): Field[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [], allOf = [], oneOf = [], anyOf = [] } = resolve(schema);
  const own = Object.entries(properties).map(([name, one]) => ({
    name,
    type: typeOf(one),
    isRequired: required.includes(name),
    isReadOnly: one.readOnly === true,
  }));
  const alternatives = [...oneOf, ...anyOf].map(fieldsOf);
  const all = [...own, ...allOf.flatMap(fieldsOf), ...alternatives.flat()];
  return [...new Map(all.map((field) => [field.name, field])).values()].map((field) => ({
    ...field,
    isRequired:
      field.isRequired &&
      alternatives.every((one) =>
        one.some(({ name, isRequired }) => name === field.name && isRequired),
      ),
  }));
}

function typeOf(schema: Schema): string {
  const whole = resolve(schema);
  const { type, items, format, properties } = whole;
  if (whole.enum !== undefined)
    return whole.enum
      .filter((one) => one !== null)
      .map((one) => JSON.stringify(one))
      .join(' | ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const names = Object.keys(properties ?? {});
  if (names.length > 0) return `object of ${names.join(', ')}`;
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  if (format === 'date-time') return 'time, RFC 3339';
  return types.length === 0 ? 'anything' : types.join(' or ');
}
