// Cuts a vendor's OpenAPI description down to the operations a provider's folder has use for, and to what can be checked:
// prose, examples, security and vendor extensions go, everything that a message must satisfy stays.
//   node tools/cut-description.mjs VENDOR.json libs/providers/NAME/description/openapi.json 'GET /issues' 'POST /issues' …
// Without operations, those that the written file already has: that is how a newer description of the vendor comes in.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [source, target, ...named] = process.argv.slice(2);
if (!source || !target) {
  console.error(
    'node tools/cut-description.mjs VENDOR.json libs/providers/NAME/description/openapi.json [OPERATION …]',
  );
  process.exit(2);
}
const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options']);
const vendor = JSON.parse(readFileSync(source, 'utf8'));
const wanted = new Set(named.length > 0 ? named : operationsOf(target));

const paths = {};
for (const [path, item] of Object.entries(vendor.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    if (!methods.has(method) || !wanted.delete(`${method.toUpperCase()} ${path}`)) continue;
    paths[path] ??= item.parameters === undefined ? {} : { parameters: bare(item.parameters) };
    const { operationId, parameters, requestBody, responses } = operation;
    paths[path][method] = bare({ operationId, parameters, requestBody, responses });
  }
}
if (wanted.size > 0) {
  console.error(`${source} has no ${[...wanted].join(', no ')}`);
  process.exit(1);
}

// Components that the operations refer to, directly or through others.
const components = {};
const open = [paths];
while (open.length > 0) {
  for (const reference of references(open.pop())) {
    const [, , kind, name] = reference.split('/');
    if (components[kind]?.[name] !== undefined) continue;
    components[kind] ??= {};
    components[kind][name] = bare(vendor.components[kind][name]);
    open.push(components[kind][name]);
  }
}
const { title, version, license } = vendor.info;
const cut = {
  openapi: vendor.openapi,
  info: { title, version, license },
  servers: vendor.servers?.map(({ url }) => ({ url })),
  paths,
  components,
};
writeFileSync(target, lines(cut));

function operationsOf(file) {
  if (!existsSync(file)) return [];
  const written = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(written.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Removes prose; a property with the name `description` is kept, as are all names of properties. */
function bare(value, names = false) {
  if (Array.isArray(value)) return value.map((entry) => bare(entry));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      inner !== undefined &&
      (names ||
        !(
          ['example', 'examples', 'externalDocs', 'xml', 'discriminator', 'title'].includes(key) ||
          key.startsWith('x-') ||
          (key === 'description' && typeof inner === 'string')
        )),
  );
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      bare(inner, !names && ['properties', 'headers'].includes(key)),
    ]),
  );
}

function references(value) {
  if (typeof value !== 'object' || value === null) return [];
  const own = typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

/** Writes one line per operation and per component: the file is small, and a diff shows changes of the vendor. */
function lines(document) {
  const entries = (object, depth) =>
    depth === 0
      ? JSON.stringify(object)
      : `{\n${Object.entries(object)
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => `${JSON.stringify(key)}: ${entries(value, depth - 1)}`)
          .join(',\n')}\n}`;
  const top = Object.entries(document).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${entries(value, key === 'paths' || key === 'components' ? 2 : 0)}`,
  );
  return `{\n${top.join(',\n')}\n}\n`;
}
