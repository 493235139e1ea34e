// Writes the keys of YAML documents as types, from the JSON Schema that checks them.
import { readFileSync } from 'node:fs';
import { writeGenerated } from './write-generated.mjs';

/**
 * Writes a type for the document of a schema, and one for each of its `$defs`: `page` becomes `PageSource`. Does nothing if neither the
 * schema nor this file has changed.
 * @param {{ schema: URL, target: URL, name: string }} options `name` of the type of the document
 */
export async function writeSchemaTypes({ schema, target, name }) {
  const text = readFileSync(schema, 'utf8');
  const own = readFileSync(new URL(import.meta.url));
  await writeGenerated(target, [own, text], () => typesOf(text, name));
}

/** @param {string} text @param {string} name */
async function typesOf(text, name) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { $defs, ...document } = convert(JSON.parse(text));
  const named = Object.entries($defs).map(([one, part]) => [typeName(one), part]);
  const schemas = { [name]: document, ...Object.fromEntries(named) };
  const info = { title: '', version: '' };
  const tree = await openapiTS(
    { openapi: '3.1.0', info, paths: {}, components: { schemas } },
    { rootTypes: true, rootTypesNoSchemaPrefix: true },
  );
  return astToString(tree);
}

/** @param {string} name */
function typeName(name) {
  const words = name.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Source`;
}

/** Keys that OpenAPI reads otherwise, as the first, or does not know. */
const ignored = ['discriminator', 'propertyNames', '$schema'];
const conditional = ['if', 'then', 'else'];

/**
 * Converts a JSON Schema to the schemas of OpenAPI 3.1, which are the same but for the place of `$defs`.
 * @param {any} node
 * @returns {any}
 */
function convert(node) {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  // A place for a schema of somebody else refers to the schema of all schemas.
  const parts = /** @type {{ $ref?: string }[]} */ (node.allOf ?? []);
  if (parts.some(({ $ref }) => $ref?.startsWith('https:')))
    return { type: 'object', additionalProperties: true };
  const left = node.if === undefined ? ignored : [...ignored, ...conditional];
  const entries = Object.entries(node).filter(([key]) => !left.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === '$ref' ? convertReference(value) : convert(value)]),
  );
}

/** @param {string} reference */
function convertReference(reference) {
  return reference.replace(
    /^#\/\$defs\/(\w+)$/,
    (_all, name) => `#/components/schemas/${typeName(name)}`,
  );
}
