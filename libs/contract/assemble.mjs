// The OpenAPI documents of management and connector API, put together from libs/contract/openapi.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Default limits of a JSON body, without and with a token; `x-limits` of an operation overrides them. */
const publicLimits = { max_bytes: 16_384, max_values: 1_000, max_depth: 16 };
const defaultLimits = { max_bytes: 1_048_576, max_values: 20_000, max_depth: 64 };
/** Marks operations that the schema OperationId does not include. */
const notListed = 'x-not-in-operation-id';
const problems = {
  400: 'The request is invalid; the problem names the place',
  401: 'The token is missing, unknown, expired or revoked',
  402: 'The organization is disabled',
  403: 'The token does not permit the operation',
  404: 'A record that the request names does not exist',
  405: 'The path does not support this method',
  409: 'The request conflicts with stored data',
  408: 'The body was sent too slowly',
  413: 'The body is too large',
  415: 'The operation does not accept the content type of the body',
  429: 'Too many requests; Retry-After says when to retry',
  500: 'An error in the service; the log contains it with the request id',
  501: 'The operation is not offered',
  502: 'The provider failed; the problem contains its response',
  503: 'The service is temporarily unavailable',
  504: 'The request timed out',
};
/** The type of the answer to `dry_run=true`, which every operation has that changes something at a provider. */
export const dryRunType = 'application/vnd.onefold.dry-run+json';
const notRehearsed = ['hooks', 'integrationWebhooks', 'operations'];
/** Operations that return a file take `Range`. */
const rangeProblems = { 416: 'The file has no such range' };

/**
 * Builds the OpenAPI document of a side from its group files, the shared schemas, OCSF, and the error responses of every operation.
 * @param sources `folder` and the paths of its `files`
 */
export function assemble(side, sources) {
  const connectorIds = listedIds(sources);
  const paths = {};
  const schemas = {};
  const parameters = {};
  for (const file of sources.files) {
    if (!file.startsWith(`${side}/`) && !(side === 'connector' && file.startsWith('ocsf/')))
      continue;
    const part = parse(readFileSync(join(sources.folder, file), 'utf8'));
    const group = file.slice(side.length + 1, -'.yaml'.length);
    for (const [path, item] of Object.entries(part.paths ?? {}))
      for (const [method, operation] of Object.entries(item)) {
        if (paths[path]?.[method]) throw new Error(`${file}: ${method} ${path} is declared twice`);
        const declared = { tags: [group], ...operation, ...limitsOf(operation) };
        if (side === 'connector' && method !== 'get' && !notRehearsed.includes(group))
          declareDryRun(declared, group);
        delete declared[notListed];
        (paths[path] ??= {})[method] = declared;
      }
    for (const [name, schema] of Object.entries(part.schemas ?? {})) {
      if (schemas[name]) throw new Error(`${file}: the schema ${name} is declared twice`);
      schemas[name] =
        schema['x-enum-of'] === 'connector-operations'
          ? { type: 'string', enum: connectorIds }
          : schema;
    }
    for (const [name, parameter] of Object.entries(part.parameters ?? {})) {
      if (parameters[name]) throw new Error(`${file}: the parameter ${name} is declared twice`);
      parameters[name] = parameter;
    }
  }
  const responses = Object.fromEntries(
    Object.entries({ ...problems, ...rangeProblems }).map(([status, description]) => [
      `Problem${status}`,
      {
        description,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) {
      operation.parameters &&= operation.parameters.map((one) => inlined(operation, one));
      const isFile = operation['x-binary-response'] === true;
      if (isFile)
        operation.responses[206] = {
          ...operation.responses[200],
          description: 'The range of the file that the request asks for',
        };
      for (const status of Object.keys({ ...problems, ...(isFile ? rangeProblems : {}) }))
        operation.responses[status] = { $ref: `#/components/responses/Problem${status}` };
    }
  // The served documents have parameters inside operations, because some client generators read them only there.
  function inlined({ operationId }, parameter) {
    if (parameter.$ref === undefined) return parameter;
    const name = parameter.$ref.replace('#/components/parameters/', '');
    if (parameters[name]) return parameters[name];
    throw new Error(`${operationId}: unknown parameter ${parameter.$ref}`);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: side === 'management' ? 'Onefold management API' : 'Onefold connector API',
      version: '1',
      description:
        side === 'management'
          ? 'Organization, accounts, integrations, credentials and related records. Needs an Organization token.'
          : 'Uniform operations on the providers behind an integration. Needs an Integration token.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [
      ...new Set(
        Object.values(paths).flatMap((item) => Object.values(item).flatMap((o) => o.tags)),
      ),
    ].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        ...(side === 'connector' && { queryToken: { type: 'apiKey', in: 'query', name: 'token' } }),
      },
      responses,
      schemas,
    },
  };
}

/** Returns the ids of the connector operations that a provider can support, without those that the published list omits. */
function listedIds({ folder, files }) {
  return files
    .filter((file) => file.startsWith('connector/'))
    .filter((file) => !/(?:hooks|integrationWebhooks|operations)\.yaml$/.test(file))
    .flatMap((file) => Object.values(parse(readFileSync(join(folder, file), 'utf8')).paths ?? {}))
    .flatMap((item) => Object.values(item))
    .filter((operation) => !operation[notListed])
    .map(({ operationId }) => operationId)
    .sort();
}

/** Adds the parameter `dry_run`, for what is dangerous `confirm`, and the answer, which has a type of its own, so that the other keeps its schema. */
function declareDryRun(operation, group) {
  // Operations of custom run others, which may be dangerous.
  const isConfirmed = operation['x-dangerous'] === true || group === 'custom';
  const names = isConfirmed ? ['dry_run', 'confirm'] : ['dry_run'];
  const references = names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
  operation.parameters = [...(operation.parameters ?? []), ...references];
  const { 200: success = { description: 'The requests of a dry run' } } = operation.responses;
  const content = { [dryRunType]: { schema: { $ref: '#/components/schemas/DryRun' } } };
  operation.responses = {
    ...operation.responses,
    200: { ...success, content: { ...success.content, ...content } },
  };
}

/** Returns the limits of a JSON body as the served documents contain them. */
function limitsOf({ operationId, requestBody, security, 'x-limits': own = {} }) {
  const unknown = Object.keys(own).filter(
    (name) => !(name in defaultLimits) && name !== 'any_text',
  );
  if (unknown.length > 0)
    throw new Error(`${operationId}: x-limits contains unknown ${unknown.join(', ')}`);
  if (!requestBody?.content?.['application/json']) return {};
  return { 'x-limits': { ...(security?.length === 0 ? publicLimits : defaultLimits), ...own } };
}
