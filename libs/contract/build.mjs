// Compiles libs/contract/openapi to libs/contract/src/generated: the operation table, types, validators, the served documents.
// Does nothing if neither the sources nor this file have changed.
//   node libs/contract/build.mjs SOURCES TARGET     compiles another contract without its types, for tests
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordShapesOf } from './record-shapes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const sources = resolvePath(process.argv[2] ?? join(here, 'openapi'));
const target = resolvePath(process.argv[3] ?? join(here, 'src/generated'));
const files = readdirSync(sources, { recursive: true })
  .filter((file) => file.endsWith('.yaml'))
  .sort();
const hash = createHash('sha256');
for (const code of ['build.mjs', 'record-shapes.mjs']) hash.update(readFileSync(join(here, code)));
for (const file of files) hash.update(file).update(readFileSync(join(sources, file)));
const stamp = hash.digest('hex');
const stampFile = join(target, 'stamp');
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) process.exit(0);

const isTrial = process.argv[3] !== undefined;
const [{ parse }, ajvModule, { _ }, standaloneModule, types] = await Promise.all([
  import('yaml'),
  import('ajv/dist/2020.js'),
  import('ajv'),
  import('ajv/dist/standalone/index.js'),
  import('openapi-typescript'),
]);
const Ajv = ajvModule.default.default; // both are CommonJS
const standaloneCode = standaloneModule.default.default;

/** Default limits of a JSON body, without and with a token; `x-limits` of an operation overrides them. */
const publicLimits = { max_bytes: 16_384, max_values: 1_000, max_depth: 16 };
const defaultLimits = { max_bytes: 1_048_576, max_values: 20_000, max_depth: 64 };
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const sides = ['management', 'connector'];
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

/** A body whose validator is longer has records of OCSF. Such validators share most of their code, and few processes need them. */
const maxCommonBytes = 262_144;

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const table = [];
const bodyFields = {};
const connectorIds = listedIds();
for (const side of sides) {
  const document = assemble(side);
  write(`${side}.openapi.json`, JSON.stringify(document));
  table.push(...operationsOf(side, document));
  if (side === 'connector')
    write('record-shapes.json', JSON.stringify(recordShapesOf(document, table)));
  // JavaScript that the build copies: the compiler would add line breaks and a source map, which are larger than the code.
  const validators = validatorsOf(side, document);
  write(`${side}.validators.js`, validators.common);
  if (side === 'connector') write('connector.large-validators.js', validators.large);
  if (isTrial) continue;
  write(`${side}.validators.d.ts`, 'export {};\n');
  if (side === 'connector') write('connector.large-validators.d.ts', 'export {};\n');
  const tree = await types.default(withoutMarks(document), {
    alphabetize: false,
    defaultNonNullable: false,
  });
  write(`${side}.ts`, `/* eslint-disable */\n${types.astToString(tree)}`);
}
// A patch of a record with marked fields may contain one of them in any of its values.
for (const one of table.filter(({ id }) => id.endsWith('_patch'))) {
  const update = table.find(({ id }) => id === one.id.replace(/_patch$/, '_update'));
  for (const mark of ['secrets', 'unaudited'])
    if (update && update[mark].length > 0) one[mark] = ['/*/value'];
}
write(
  'operations.ts',
  `export const operationTable = ${JSON.stringify(table, null, 1)} as const;\n`,
);
write(
  'body-fields.ts',
  `/* eslint-disable */\nexport const bodyFieldTable: Record<string, unknown> = ${JSON.stringify(bodyFields)};\n`,
);
write('stamp', stamp);

/** Returns the ids of the connector operations that a provider can support, without those that the published list omits. */
function listedIds() {
  return files
    .filter((file) => file.startsWith('connector/'))
    .filter((file) => !/(?:hooks|integrationWebhooks|operations)\.yaml$/.test(file))
    .flatMap((file) => Object.values(parse(readFileSync(join(sources, file), 'utf8')).paths ?? {}))
    .flatMap((item) => Object.values(item))
    .filter((operation) => !operation[notListed])
    .map(({ operationId }) => operationId)
    .sort();
}

/** Builds the OpenAPI document of a side from its group files, the shared schemas, OCSF, and the error responses of every operation. */
function assemble(side) {
  const paths = {};
  const schemas = {};
  const parameters = {};
  for (const file of files) {
    if (!file.startsWith(`${side}/`) && !(side === 'connector' && file.startsWith('ocsf/')))
      continue;
    const part = parse(readFileSync(join(sources, file), 'utf8'));
    const group = file.slice(side.length + 1, -'.yaml'.length);
    for (const [path, item] of Object.entries(part.paths ?? {}))
      for (const [method, operation] of Object.entries(item)) {
        if (paths[path]?.[method]) throw new Error(`${file}: ${method} ${path} is declared twice`);
        const declared = { tags: [group], ...operation, ...limitsOf(operation) };
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
    Object.entries(problems).map(([status, description]) => [
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
      for (const status of Object.keys(problems))
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
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses,
      schemas,
    },
  };
}

/** Returns the limits of a JSON body as the served documents contain them. */
function limitsOf({ operationId, requestBody, security, 'x-limits': own = {} }) {
  const unknown = Object.keys(own).filter((name) => !(name in defaultLimits));
  if (unknown.length > 0)
    throw new Error(`${operationId}: x-limits contains unknown ${unknown.join(', ')}`);
  if (!requestBody?.content?.['application/json']) return {};
  return { 'x-limits': { ...(security?.length === 0 ? publicLimits : defaultLimits), ...own } };
}

function operationsOf(side, document) {
  const found = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const content = operation.requestBody?.content;
      if (side === 'management' && content?.['application/json'])
        bodyFields[operation.operationId] = fieldsOf(document, content['application/json'].schema);
      const [status, success] = Object.entries(operation.responses).find(
        ([code]) => code[0] === '2',
      );
      const answer = Object.keys(success.content ?? {})[0];
      found.push({
        id: operation.operationId,
        side,
        group: operation.tags[0],
        method: method.toUpperCase(),
        path,
        state: operation['x-state'],
        maturity: operation['x-maturity'],
        public: operation.security?.length === 0,
        permission: operation['x-permission'] ?? null,
        meta: operation['x-meta'] === true,
        creates: operation['x-creates'] === true,
        polls: operation['x-polls'] === true,
        instead: operation['x-instead'] ?? null,
        multiSegment: (operation.parameters ?? []).find((p) => p['x-multi-segment'])?.name ?? null,
        request: content ? (content['application/json'] ? 'json' : 'multipart') : 'none',
        bodyRequired: operation.requestBody?.required === true,
        limits: operation['x-limits']
          ? {
              maxBytes: operation['x-limits'].max_bytes,
              maxValues: operation['x-limits'].max_values,
              maxDepth: operation['x-limits'].max_depth,
            }
          : null,
        query: queryOf(document, operation, side),
        order: side === 'connector' ? orderOf(document, operation) : null,
        response: {
          status: Number(status),
          kind: answer === undefined ? 'none' : answer === 'application/json' ? 'json' : 'binary',
          ...shapeOf(document, success.content?.['application/json']?.schema),
        },
        secrets: content?.['application/json']
          ? pointers(document, content['application/json'].schema, 'x-secret')
          : [],
        unaudited: content?.['application/json']
          ? pointers(document, content['application/json'].schema, 'x-unaudited')
          : [],
        issues: success.content?.['application/json']
          ? pointers(document, success.content['application/json'].schema, 'x-issued').length > 0
          : false,
        enums:
          side === 'connector' && content?.['application/json']
            ? enumsOf(document, content['application/json'].schema)
            : [],
        fields:
          side === 'connector' && content?.['application/json']
            ? namesOf(document, content['application/json'].schema)
            : [],
        readOnly: success.content?.['application/json']
          ? pointers(document, success.content['application/json'].schema, 'readOnly')
              .filter((pointer) => /^\/result\/[^*]/.test(pointer))
              .map((pointer) => pointer.slice('/result'.length))
          : [],
      });
    }
  return found;
}

/** Finds where a response has its record or records, and what it says beside them. */
function shapeOf(document, schema) {
  const properties = schema && resolve(document, schema).properties;
  if (properties === undefined) return { record: 'result', cursor: false, progress: false };
  const common = ['messages', 'meta', 'cursor', 'status', 'errors'];
  const names = Object.keys(properties).filter((name) => !common.includes(name));
  const named = names.includes('result') ? 'result' : names.length === 1 ? names[0] : null;
  return {
    record: named,
    cursor: 'cursor' in properties,
    progress: named !== null && 'status' in properties,
  };
}

/** Returns the order that a list has if the caller gives none. It is not a default of the query: a provider may have another one. */
function orderOf(document, { parameters = [] }) {
  const order = parameters.find((one) => one.in === 'query' && one.name === 'order');
  const [field = null] = [order && resolve(document, order.schema).default].flat();
  return field;
}

function queryOf(document, operation, side) {
  const query = {};
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query') continue;
    const schema = resolve(document, parameter.schema);
    const kinds = [schema.type ?? 'string'].flat().filter((type) => type !== 'null');
    query[parameter.name] = {
      type: kinds[0],
      ...(parameter.required ? { required: true } : {}),
      ...(schema.default === undefined || (side === 'connector' && parameter.name === 'order')
        ? {}
        : { default: schema.default }),
      ...(schema.maximum === undefined ? {} : { maximum: schema.maximum }),
      ...(enumOf(document, schema) ?? {}),
    };
  }
  return query;
}

function enumOf(document, schema) {
  const found = [schema, schema.items, ...(schema.anyOf ?? [])]
    .filter(Boolean)
    .map((one) => resolve(document, one).enum)
    .find(Boolean);
  return found && { values: found };
}

/** Returns the names of the top-level fields of a body. */
function namesOf(document, schema) {
  return Object.keys(resolve(document, schema).properties ?? {});
}

/** Returns the top-level fields of a body whose values are enumerated. */
function enumsOf(document, schema) {
  return Object.entries(resolve(document, schema).properties ?? {})
    .filter(([, field]) => enumOf(document, field) !== undefined && !('items' in field))
    .map(([name]) => name);
}

function resolve(document, schema) {
  if (schema.anyOf) {
    const rest = schema.anyOf.filter((one) => one.type !== 'null');
    if (rest.length === 1) return { ...resolve(document, rest[0]), default: schema.default };
  }
  return schema.$ref
    ? resolve(document, document.components.schemas[schema.$ref.split('/').pop()])
    : schema;
}

/** Returns the JSON Pointers of the fields with a mark; `*` stands for any index or key. */
function pointers(document, schema, mark) {
  const found = new Set();
  const walk = (node, at, above) => {
    if (node.$ref) {
      if (above.includes(node.$ref)) return;
      if (node[mark]) found.add(at);
      return walk(document.components.schemas[node.$ref.split('/').pop()], at, [
        ...above,
        node.$ref,
      ]);
    }
    if (node[mark]) found.add(at);
    for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])])
      walk(part, at, above);
    for (const [key, value] of Object.entries(node.properties ?? {}))
      walk(value, `${at}/${key}`, above);
    if (node.items) walk(node.items, `${at}/*`, above);
    if (typeof node.additionalProperties === 'object')
      walk(node.additionalProperties, `${at}/*`, above);
  };
  walk(schema, '', []);
  return [...found].sort();
}

/** Returns the fields that a body may have, with all branches of unions merged; true for a value or anything. */
function fieldsOf(document, node, above = []) {
  if (node.$ref)
    return above.includes(node.$ref)
      ? true
      : fieldsOf(document, document.components.schemas[node.$ref.split('/').pop()], [
          ...above,
          node.$ref,
        ]);
  const parts = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]
    .filter((part) => part.type !== 'null')
    .map((part) => fieldsOf(document, part, above));
  for (const [name, field] of Object.entries(node.properties ?? {}))
    parts.push({ [name]: fieldsOf(document, field, above) });
  if (node.items) parts.push({ '*': fieldsOf(document, node.items, above) });
  if (node.additionalProperties === true) parts.push({ '*': true });
  else if (node.additionalProperties)
    parts.push({ '*': fieldsOf(document, node.additionalProperties, above) });
  return parts.length === 0 ? true : parts.reduce(mergeFields);
}

function mergeFields(one, other) {
  if (one === true || other === true) return true;
  const merged = { ...one };
  for (const [name, field] of Object.entries(other))
    merged[name] = name in merged ? mergeFields(merged[name], field) : field;
  return merged;
}

/**
 * Compiles standalone Ajv validators of all JSON request bodies, by operation id: those of common size, with the ids of the others, and
 * those others.
 */
function validatorsOf(side, document) {
  const ajv = new Ajv({
    allErrors: true,
    verbose: false,
    strict: false,
    discriminator: true,
    validateFormats: true,
    code: { source: true, esm: true, lines: false, formats: _`formats` },
    formats: {
      // The generated code calls the functions of these names in src/formats.ts.
      base64: () => true,
      'date-time': () => true,
      int64: true,
      int32: true,
      double: true,
      binary: true,
    },
  });
  ajv.addSchema({ $id: 'contract', components: { schemas: forAjv(document.components.schemas) } });
  const names = {};
  for (const item of Object.values(document.paths))
    for (const operation of Object.values(item)) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (!schema || operation['x-state'] !== 'served') continue; // planned operations are refused before the body is read
      ajv.addSchema({ $id: operation.operationId, ...forAjv(schema) });
      names[operation.operationId] = operation.operationId;
    }
  const isLarge = (id) => standaloneCode(ajv, { [id]: id }).length > maxCommonBytes;
  // Those of the management API are needed at any patch.
  const large = side === 'connector' ? Object.keys(names).filter(isLarge) : [];
  const common = Object.keys(names).filter((id) => !large.includes(id));
  return {
    common: `${moduleOf(ajv, common)}\nexport const large = ${JSON.stringify(large)};\n`,
    large: moduleOf(ajv, large),
  };
}

function moduleOf(ajv, ids) {
  const code = standaloneCode(ajv, Object.fromEntries(ids.map((id) => [id, id])));
  const needsRequire = code.includes('require(');
  return [
    "import * as formats from '../formats.js';",
    needsRequire
      ? "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);"
      : '',
    code,
  ].join('\n');
}

/** Rewrites schemas for better errors from Ajv: `x or null` reports errors of x only, and unions those of the branch that the discriminator selects. */
function forAjv(node) {
  if (Array.isArray(node)) return node.map(forAjv);
  if (node === null || typeof node !== 'object') return node;
  const { discriminator, ...rest } = node;
  if (rest.anyOf?.length === 2 && rest.anyOf.some((one) => one.type === 'null')) {
    const other = rest.anyOf.find((one) => one.type !== 'null');
    return { if: { type: 'null' }, then: true, else: forAjv(other) };
  }
  const result = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key.startsWith('x-') || key === 'default' || key === 'readOnly') continue;
    result[key] =
      key === '$ref'
        ? value.replace('#/components', 'contract#/components')
        : key === 'properties'
          ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, forAjv(one)]))
          : key === 'enum' || key === 'required' || key === 'const'
            ? value
            : forAjv(value);
  }
  if (result.contentEncoding === 'base64') result.format = 'base64';
  if (!discriminator) return result;
  const { oneOf, ...others } = result;
  const union = {
    type: 'object',
    required: [discriminator.propertyName],
    discriminator: { propertyName: discriminator.propertyName },
    oneOf,
  };
  if (!node['x-open']) return { ...others, ...union };
  // Provider ids outside the contract belong to custom providers, whose documents validate the other fields.
  const known = Object.keys(discriminator.mapping);
  const open = {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', minLength: 1, maxLength: 100 } },
  };
  return {
    if: { type: 'object', required: ['type'], properties: { type: { enum: known } } },
    then: union,
    else: open,
  };
}

function withoutMarks(node) {
  if (Array.isArray(node)) return node.map(withoutMarks);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, value]) => [key, key === 'discriminator' ? value : withoutMarks(value)]),
  );
}

function write(name, content) {
  writeFileSync(join(target, name), content);
}
