import { type Operation, type OperationId, operations, servedDocument } from '#contract';
import { actionOf, visibleNames } from '#provider-document';
import { suggestName } from '@onefold/mapping';
import { ContractSchemas, type Field, type Schema, showFields } from './contract-schemas.js';

interface Described {
  operationId?: string;
  summary?: string;
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
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
    ...(input === undefined
      ? []
      : ['', `request sees ${input.about}`, ...showFields(input.fields)]),
    ...(made.length === 0 ? [] : ['', 'response makes a record with', ...showFields(made)]),
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
  const { items } = schemas().resolve(body);
  return items === undefined
    ? { about: 'the body of the caller', fields: fieldsOf(body) }
    : { about: 'the body of the caller, a list; each element has', fields: fieldsOf(items) };
}

let document: {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

function contract() {
  return (document ??= JSON.parse(servedDocument('connector', '/')) as typeof document);
}

function schemas(): ContractSchemas {
  return new ContractSchemas(contract().components.schemas);
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
  const result = record === null ? schema : schemas().resolve(schema).properties?.[record];
  return result && (schemas().resolve(result).items ?? result);
}

/** The fields of an object; of a union those of all its types, of which those are required that each of them requires. */
function fieldsOf(schema: Schema | undefined): Field[] {
  if (schema === undefined) return [];
  const whole = schemas().resolve(schema);
  const { allOf = [], oneOf = [], anyOf = [] } = whole;
  const own = schemas().fieldsOf(whole);
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
