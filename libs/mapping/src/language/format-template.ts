import type { Span } from './ast.js';
import { MappingError } from './mapping-error.js';
import { Original } from './original.js';
import { parseQuery, parseTemplate } from './parse.js';
import { printQuery, printTemplate } from './print.js';

/** A template laid out one way, with its comments. @throws MappingError for one that does not parse */
export function formatTemplate(source: string): string {
  const template = parseTemplate(source);
  const original = new Original(source);
  const text = printTemplate(template, original);
  return kept(original, text, () => isSameTree(template, parseTemplate(text)));
}

/** One expression laid out one way, such as a condition. @throws MappingError for one that does not parse */
export function formatQuery(source: string): string {
  const query = parseQuery(source);
  const original = new Original(source);
  // An expression has no lines of its own for its comments.
  if (original.comments.length > 0) return source;
  const text = printQuery(query, original);
  return kept(original, text, () => isSameTree(query, parseQuery(text)));
}

/** Refuses a layout that would change what a text means, or that has lost a comment: a formatter must not do either. */
function kept(original: Original, text: string, isSame: () => boolean): string {
  const commentsOf = ({ comments }: Original) => comments.map((one) => one.text).join('\n');
  if (commentsOf(original) === commentsOf(new Original(text)) && isSame()) return text;
  throw new MappingError(
    [{ message: 'the template cannot be laid out without changing it', line: 1, column: 1 }],
    original.source,
  );
}

const places: ReadonlySet<string> = new Set<keyof Span | 'line' | 'mapSpans'>([
  'start',
  'end',
  'line',
  'mapSpans',
]);

/** True for trees that differ in their places at most. */
export function isSameTree(a: unknown, b: unknown): boolean {
  if (a instanceof Map && b instanceof Map) return isSameTree([...a], [...b]);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Object.is(a, b);
  const keysOf = (one: object) => Object.keys(one).filter((key) => !places.has(key));
  const keys = keysOf(a);
  return (
    keys.length === keysOf(b).length &&
    keys.every((key) => isSameTree(a[key as keyof object], b[key as keyof object]))
  );
}
