// Standalone validators of JSON request bodies, compiled by Ajv.
import { _ } from 'ajv';
import ajvModule from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';

const Ajv = ajvModule.default; // both are CommonJS
const standaloneCode = standaloneModule.default;

/** A body whose validator is longer has records of OCSF. Such validators share most of their code, and few processes need them. */
const maxCommonBytes = 262_144;

/**
 * Compiles standalone Ajv validators of all JSON request bodies, by operation id: those of common size, with the ids of the others, and
 * those others.
 */
export function validatorsOf(side, document) {
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
