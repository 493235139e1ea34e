// Writes libs/client/src/generated of the contract: the types of both APIs, and of each operation what a client needs to send it; and the same for
// Python.
// Runs behind libs/contract/build.mjs. Does nothing if neither the contract nor this file has changed.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonOf } from './python.mjs';

const contract = fileURLToPath(new URL('../contract/src/generated/', import.meta.url));
const target = fileURLToPath(new URL('src/generated/', import.meta.url));
const stampFile = join(target, 'stamp');
const python = fileURLToPath(new URL('python/onefold_client/generated/', import.meta.url));
const stamp = [
  join(contract, 'stamp'),
  fileURLToPath(import.meta.url),
  fileURLToPath(new URL('python.mjs', import.meta.url)),
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('');
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) process.exit(0);
mkdirSync(target, { recursive: true });

const documents = {};
for (const side of ['management', 'connector']) {
  copyFileSync(join(contract, `${side}.ts`), join(target, `${side}.ts`));
  documents[side] = JSON.parse(readFileSync(join(contract, `${side}.openapi.json`), 'utf8'));
}
const text = readFileSync(join(contract, 'operations.ts'), 'utf8');
const table = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1));
/** Messages of providers come to these; no caller sends them. */
const groups = Map.groupBy
  ? Map.groupBy(table, ({ group }) => group)
  : table.reduce((all, one) => all.set(one.group, [...(all.get(one.group) ?? []), one]), new Map());
groups.delete('hooks');

const lines = [];
for (const [group, operations] of groups) {
  lines.push(`/** Operations of ${group}. */`, `export const ${group} = {`);
  for (const operation of operations) {
    const { summary } =
      documents[operation.side].paths[operation.path][operation.method.toLowerCase()];
    if (summary) lines.push(`  /** ${summary}. */`);
    lines.push(`  ${nameOf(operation)}: '${described(operation)}',`);
  }
  lines.push('} as const;', '');
}
writeFileSync(
  join(target, 'groups.ts'),
  `/* eslint-disable */\n// What build.mjs makes of the contract: id, method, path and what is special of each operation, as \`describe-operation.ts\` reads it.\n${lines.join('\n')}`,
);
const { groups: methods, types } = pythonOf(documents, groups, described);
mkdirSync(python, { recursive: true });
writeFileSync(join(python, '__init__.py'), '');
writeFileSync(join(python, 'groups.py'), methods);
writeFileSync(join(python, 'types.py'), types);
writeFileSync(stampFile, stamp);

/** `ticketing_query_tickets` of ticketing is `queryTickets`. */
function nameOf({ id, group }) {
  const name = id
    .slice(`${group}_`.length)
    .replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
  if (!id.startsWith(`${group}_`)) throw new Error(`${id} does not begin with ${group}_`);
  return name;
}

function described(operation) {
  const { id, method, path, response, multiSegment, creates, polls, request } = operation;
  const marks = [
    response.cursor ? 'cursor' : undefined,
    operation.query.start_after === undefined ? undefined : `after=${afterKey(operation)}`,
    response.kind === 'binary' ? 'file' : undefined,
    request === 'multipart' ? 'upload' : undefined,
    creates ? 'key' : undefined,
    polls ? 'polls' : undefined,
  ].filter((mark) => mark !== undefined);
  const template =
    multiSegment === null ? path : path.replace(`{${multiSegment}}`, `{${multiSegment}*}`);
  return [id, method, template, ...marks].join(' ');
}

/** The field of the last record that `start_after` takes for the next page: a time where the list goes by one, else the id, or the name. */
function afterKey({ side, path, query }) {
  const [first = ''] = [query.order?.default ?? []].flat();
  const time = /^(created_at|started_at)\b/.exec(first);
  if (time !== null) return time[1];
  const { schemas } = documents[side].components;
  const resolve = (schema) => (schema?.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema);
  const answer =
    documents[side].paths[path].get.responses['200'].content['application/json'].schema;
  const record = resolve(resolve(resolve(answer).properties.result).items);
  const known = ['id', 'name', 'integration_id'].find((name) => name in (record.properties ?? {}));
  if (known === undefined) throw new Error(`${path}: no field names a record`);
  return known;
}
