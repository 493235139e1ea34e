import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { domains, type Operation, operations, recordFields, servedDocument } from '#contract';
import { modelSchema, type Schema } from './model-schema.js';

/** Arguments of tools beside the parameters and the body of their operations. */
export const ownArguments = {
  integration: 'integration_id',
  fields: 'fields',
  body: 'body',
  file: 'file',
  key: 'idempotency_key',
} as const;

/** Rows of a list unless a call says otherwise; the API's own default is more than a model reads. */
export const defaultRows = 20;

/** Descriptions of the parameters that lists share. */
const described: Readonly<Record<string, string>> = {
  filter:
    'Conditions that all have to hold, each written field[operator]value, such as severity[eq]High. Operators: eq, neq, in, not in, like, not like, lt, lte, gt, gte; in takes values with commas between.',
  order: 'Fields to order by, each with [asc] or [desc], such as created_at[desc].',
  cursor: 'The cursor of the page before; leave it out for the first page.',
  limit: `Rows of a page; ${defaultRows} unless it is given.`,
  start_after: 'The place in the list after which the page begins: that of the last page.',
};

/** Operations that assistants have no use for: they end or make sessions, wait for webhooks, or return documents of the whole API. */
const leftOut = new Set(['auth', 'hooks', 'integrationWebhooks', 'meta', 'tokens']);

/** True for an operation that is a tool, for a token that may use it. */
export function isTool({ group, side, state, public: isPublic }: Operation): boolean {
  if (state !== 'served' || isPublic || leftOut.has(group)) return false;
  return side === 'management' || domains.has(group);
}

interface Document {
  paths: Record<string, Record<string, DeclaredOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface DeclaredOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

let known: ReadonlyMap<string, Tool> | undefined;

/** Returns the tool of every operation that is one, by name, without the choice of an integration. They are made at the first call. */
export function allTools(): ReadonlyMap<string, Tool> {
  known ??= new Map(
    (['management', 'connector'] as const)
      .flatMap((side) => toolsOf(JSON.parse(servedDocument(side, '/')) as Document))
      .map((tool) => [tool.name, tool]),
  );
  return known;
}

function toolsOf({ paths, components: { schemas } }: Document): Tool[] {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((declared) => {
      const operation = operations.get(declared.operationId as Operation['id']);
      return operation && isTool(operation) ? [toolOf(operation, declared, schemas)] : [];
    }),
  );
}

function toolOf(
  operation: Operation,
  { summary, description, parameters = [], requestBody }: DeclaredOperation,
  schemas: Record<string, Schema>,
): Tool {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const { name, schema, required: isRequired, ...declared } of parameters) {
    if (name === 'meta') continue; // for programs; a model has `fields`
    const cut = modelSchema(schema, schemas);
    const words = described[name] ?? declared.description;
    properties[name] = words === undefined ? cut : { ...cut, description: words };
    if (name === 'limit') properties[name] = { ...properties[name], default: defaultRows };
    if (isRequired) required.push(name);
  }
  Object.assign(properties, bodyOf(operation, requestBody, schemas));
  if (operation.request === 'json' && operation.bodyRequired) required.push(ownArguments.body);
  if (operation.request === 'multipart') required.push(ownArguments.file);
  return {
    name: operation.id,
    title: summary,
    description: [`${summary}.`, description, domainWords(operation)].filter(Boolean).join(' '),
    inputSchema: {
      type: 'object',
      properties: { ...properties, ...selectionOf(operation) },
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    annotations: hintsOf(operation, summary),
  };
}

function domainWords({ side, group }: Operation): string {
  return side === 'management' ? '' : `It calls the system of a customer (${group}).`;
}

function bodyOf(
  { request, creates }: Operation,
  requestBody: DeclaredOperation['requestBody'],
  schemas: Record<string, Schema>,
): Record<string, Schema> {
  const key = {
    [ownArguments.key]: {
      type: 'string',
      description:
        'A text of your own, the same in each attempt: a repeated call returns what the first one created.',
    },
  };
  if (request === 'multipart') return { ...(creates ? key : {}), [ownArguments.file]: fileSchema };
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return {};
  return { ...(creates ? key : {}), [ownArguments.body]: modelSchema(schema, schemas) };
}

const fileSchema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    content_type: { type: 'string', default: 'text/plain' },
    text: { type: 'string', description: 'The content, if it is text.' },
    base64: { type: 'string', description: 'The content in base64, if it is not.' },
  },
  required: ['name'],
  additionalProperties: false,
};

const maxNamedFields = 40;

function selectionOf({ id, response }: Operation): Record<string, Schema> {
  if (response.kind !== 'json') return {};
  const names = Object.keys(recordFields(id)?.top ?? {}).slice(0, maxNamedFields);
  const such = names.length > 0 ? ` Some that there are: ${names.join(', ')}.` : '';
  return {
    [ownArguments.fields]: {
      type: 'array',
      items: { type: 'string' },
      description: `The fields to return of each record, such as id or device.hostname; all without it.${such}`,
    },
  };
}

/** The operation only adds something: a model may be allowed it where it may not change what there is. */
function isAdditive({ creates, previews }: Operation): boolean {
  return creates || previews;
}

/** Operations that are posted and only look. */
const looks = new Set<Operation['id']>([
  'integrations_verify',
  'integrations_verify_existing',
  'mappings_apply',
]);

function hintsOf(operation: Operation, title: string): Tool['annotations'] {
  const readOnlyHint = operation.method === 'GET' || looks.has(operation.id);
  return {
    title,
    readOnlyHint,
    destructiveHint: operation.dangerous || (!readOnlyHint && !isAdditive(operation)),
    idempotentHint: readOnlyHint || operation.method === 'PUT' || operation.method === 'DELETE',
    openWorldHint: operation.side === 'connector',
  };
}
