import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isDateTime, dryRunType, type Operation, servedDocument } from '#contract';

type Json = Record<string, unknown>;
type Side = Operation['side'];

interface Contract {
  ajv: Ajv2020;
  paths: Record<string, Record<string, { responses: Record<string, { content?: Json }> }>>;
}

const contracts = new Map<Side, Contract>();
const validators = new Map<string, ValidateFunction>();

/**
 * Checks a response against the contract, one text per fault: its status must be declared, its body must match the
 * schema of that status, and a body must exist exactly where the contract has one.
 */
export function faultsOfResponse(
  operation: Operation,
  status: number,
  body: unknown,
  type?: string | null,
): string[] {
  const { ajv, paths } = contractOf(operation.side);
  const declared = paths[operation.path]?.[operation.method.toLowerCase()]?.responses ?? {};
  if (declared[String(status)] === undefined)
    return [`status ${status} is not declared, the contract has ${operation.response.status}`];
  if (type === dryRunType) return faultsBy(ajv, dryRunType, dryRunSchema, body);
  const kind = status < 300 ? operation.response.kind : 'json';
  if (kind === 'binary') return [];
  if (kind === 'none') return body === undefined ? [] : ['there must be no body'];
  if (body === undefined) return ['the body is missing'];
  const name = status < 300 ? `${operation.side} ${operation.id}` : `${operation.side} problem`;
  const schema = () => (status < 300 ? successSchema(declared, status) : problemSchema);
  return faultsBy(ajv, name, schema, body);
}

function faultsBy(ajv: Contract['ajv'], name: string, schema: () => Json, body: unknown): string[] {
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(schema());
    validators.set(name, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
}

const dryRunSchema = () => ({ $ref: 'contract#/components/schemas/DryRun' });
const problemSchema = { $ref: 'contract#/components/schemas/Problem' };

function successSchema(responses: Record<string, { content?: Json }>, status: number): Json {
  const media = responses[String(status)]?.content?.['application/json'] as { schema: Json };
  return forAjv(media.schema) as Json;
}

function contractOf(side: Side): Contract {
  const known = contracts.get(side);
  if (known !== undefined) return known;
  const document = JSON.parse(servedDocument(side, '/')) as {
    paths: Contract['paths'];
    components: Json;
  };
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    formats: {
      'date-time': isDateTime,
      int64: true,
      int32: true,
      double: true,
      binary: true,
    },
    validateFormats: true,
    logger: false,
    code: { optimize: false }, // It takes a third of compiling and saves nothing afterwards.
  });
  const schemas = document.components['schemas'] as Record<string, Json>;
  ajv.addSchema({
    $id: 'contract',
    components: { schemas: { ...(forAjv(schemas) as Json), ...openUnion(schemas) } },
  });
  const contract = { ajv, paths: document.paths };
  contracts.set(side, contract);
  return contract;
}

/** Providers that the contract does not name, such as customers' own, have their own configurations. */
function openUnion({ ProviderConfig: union }: Record<string, Json>): Json {
  if (union === undefined) return {};
  const { mapping } = union['discriminator'] as { mapping: Json };
  const other = { properties: { type: { type: 'string', not: { enum: Object.keys(mapping) } } } };
  return {
    ProviderConfig: { anyOf: [{ type: 'object', required: ['type'], ...other }, forAjv(union)] },
  };
}

/** Local references point into the document, and `discriminator` of OpenAPI is not a keyword of JSON Schema. */
function forAjv(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forAjv);
  if (node === null || typeof node !== 'object') return node;
  const result: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'discriminator' || key === 'default') continue;
    result[key] =
      key === '$ref' && typeof value === 'string'
        ? value.replace(/^#/, 'contract#')
        : forAjv(value);
  }
  return result;
}
