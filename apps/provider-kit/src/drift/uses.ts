import { parse } from 'yaml';
import type { ProviderFolder } from '../folders.js';

/** Names and calls of a provider's document, by which parts of a description are used or not. */
export interface Uses {
  /** Calls as `GET`, the path as the document has it, and its parts, where `{}` and `{+}` stand for values. */
  calls: { method: string; text: string; parts: string[] }[];
  /** All names and words of documents and mappings. */
  words: ReadonlySet<string>;
}

/** Reads the calls and the words of a folder's document, included files and mappings. */
export function usesOf(folder: ProviderFolder): Uses {
  const files = [
    folder.document,
    ...['operations', 'mappings'].flatMap((name) =>
      folder.list(name).map((file) => `${name}/${file}`),
    ),
  ].filter((name) => name.endsWith('.yaml'));
  const texts = files.map((name) => folder.read(name));
  const calls = texts.flatMap((text) => [...callsIn(parse(text))]);
  return { calls, words: new Set(texts.flatMap(wordsOf)) };
}

/** Whether a call of the document is to an operation such as `GET /issues/{id}`. */
export function callsOperation({ calls }: Uses, operation: string): boolean {
  return calls.some((call) => isCallOf(call, operation));
}

/** Lists the calls of the document that are none of these operations, as they are written. */
export function callsWithout({ calls }: Uses, operations: readonly string[]): string[] {
  const lost = calls.filter((call) => !operations.some((one) => isCallOf(call, one)));
  return [...new Set(lost.map(({ method, text }) => `${method} ${text}`))];
}

function isCallOf({ method, parts }: Uses['calls'][number], operation: string): boolean {
  const [verb, path = ''] = operation.split(' ');
  return method === verb && endsWith(path.split('/'), parts);
}

/** Finds requests: objects with a path from the root of the API. */
function* callsIn(value: unknown): Generator<Uses['calls'][number]> {
  if (typeof value !== 'object' || value === null) return;
  const { path, method = 'GET' } = value as { path?: unknown; method?: unknown };
  if (typeof path === 'string' && path.startsWith('/'))
    yield { method: String(method), text: path, parts: partsOf(path) };
  for (const inner of Object.values(value)) yield* callsIn(inner);
}

/** Splits a path of a document; expressions may have slashes of their own. */
function partsOf(path: string): string[] {
  return path
    .replace(/\{[^{}]*\}/g, (value) => (value.startsWith('{+') ? '{+}' : '{}'))
    .split('/')
    .filter((part) => part !== '');
}

/** Whether a path of a description ends with the parts of a call. The description may begin with the base path of the API. */
function endsWith(path: readonly string[], parts: readonly string[]): boolean {
  const [last] = parts.slice(-1);
  if (last === undefined) return path.every((part) => !part.includes('{'));
  const [own] = path.slice(-1);
  if (own === undefined) return false;
  const rest = parts.slice(0, -1);
  if (last !== own && !last.includes('{')) return false;
  // A value that may have slashes, such as the owner and the name of a repository, takes two parts too.
  return endsWith(path.slice(0, -1), rest) || (last === '{+}' && endsWith(path.slice(0, -2), rest));
}

/** Names of fields and parameters, and texts in quotes. */
function wordsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'));
  const code = lines.join('\n');
  const names = code.match(/[A-Za-z_$@][\w$@-]*/g) ?? [];
  const quoted = [...code.matchAll(/"([^"\n]{0,200})"|'([^'\n]{0,200})'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );
  // Names with hyphens are those of several parts, too.
  return [...names, ...names.flatMap((name) => name.split('-')), ...quoted];
}
