// Writes what editors of the console complete expressions by: the methods and functions of the mapping language, from their values.
//   node tools/mapping-language.mjs     after the language is compiled; the build does it
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './install.mjs';

const target = join(root, 'apps/console/web/generated/mapping-language.json');

/** Returns how a method or function is called: `trim_prefix(prefix: string)`. */
export function signature({ name, parameters = [], variadic }, formatJson) {
  const list = parameters.map(({ name: one, type, optional, default: initial }) => {
    const end = initial === undefined ? '' : ` = ${formatJson(initial)}`;
    return `${one}${optional ? '?' : ''}: ${type}${end}`;
  });
  if (variadic) list.push(`...: ${variadic}`);
  return `${name}(${list.join(', ')})`;
}

/** Writes the table if it has changed. Returns whether it has. */
export async function writeMappingLanguage() {
  const { formatJson, standardEnvironment } = await import('@onefold/mapping');
  const tableOf = (callables) =>
    [...callables.values()]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((one) => ({
        name: one.name,
        signature: signature(one, formatJson),
        description: one.description,
        parameters: (one.parameters ?? []).map(({ name }) => name),
        examples: one.examples.map(([source]) => source),
      }));
  const { methods, functions } = standardEnvironment;
  const text = JSON.stringify({ methods: tableOf(methods), functions: tableOf(functions) });
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return false;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return true;
}

if (process.argv[1] === import.meta.filename) await writeMappingLanguage();
