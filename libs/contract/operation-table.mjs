// The operation table: what the services need to know of each operation of an OpenAPI document.
import { dryRunType } from './assemble.mjs';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the rows of the operation table for the operations of a side. */
export function operationsOf(side, document) {
  const found = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const content = operation.requestBody?.content;
      const [status, success] = Object.entries(operation.responses).find(
        ([code, { content: types }]) => code[0] === '2' && !isOfDryRuns(types),
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
        tokenInQuery: operation.security?.some((one) => 'queryToken' in one) === true,
        permission: operation['x-permission'] ?? null,
        meta: operation['x-meta'] === true,
        creates: operation['x-creates'] === true,
        polls: operation['x-polls'] === true,
        dryRun: Object.values(operation.responses).some(
          ({ content: types }) => types?.[dryRunType],
        ),
        dangerous: operation['x-dangerous'] === true,
        previews: operation['x-previews'] === true,
        anyToken: operation['x-any-token'] === true,
        instead: operation['x-instead'] ?? null,
        multiSegment: (operation.parameters ?? []).find((p) => p['x-multi-segment'])?.name ?? null,
        folder: (operation.parameters ?? []).some((p) => p['x-folder']),
        request: content ? (content['application/json'] ? 'json' : 'multipart') : 'none',
        bodyRequired: operation.requestBody?.required === true,
        limits: operation['x-limits']
          ? {
              maxBytes: operation['x-limits'].max_bytes,
              maxValues: operation['x-limits'].max_values,
              maxDepth: operation['x-limits'].max_depth,
              ...(operation['x-limits'].any_text && { anyText: true }),
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

function isOfDryRuns(types = {}) {
  return Object.keys(types).length === 1 && dryRunType in types;
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
