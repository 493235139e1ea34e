import type { Expression } from '../language/ast.js';
import { parseTemplate } from '../language/parse.js';
import { flattened, placeInWords } from './locate-failure.js';
import { fieldOf, startOf } from './failed-statement.js';
import type { DocumentParts } from './read-document.js';

/** A statement that may set a field. */
interface Setter {
  /** Names of the path that its target and the keys of its objects have. */
  depth: number;
  at: number;
  field: string | undefined;
  template: string;
}

/**
 * Describes the statement that sets a field of a record: `jira.yaml:6:14 in template default, root.email`. Of several it is the one that
 * names most of the path, and the last of these. Undefined if none does, or if the record decides which template does.
 * @param path from the record inwards; what no statement names, such as an index, is part of the value
 */
export function locateField(
  parts: DocumentParts,
  path: readonly string[],
  file: string | undefined,
): string | undefined {
  const selected = [...new Set([parts.defaultName, ...parts.select.map(({ name }) => name)])];
  const groups = [
    ...parts.post.map((name) => [name]).reverse(),
    selected,
    ...parts.pre.map((name) => [name]).reverse(),
  ];
  const [found, ...others] =
    groups
      .map((names) => names.flatMap((name) => setterIn(parts, name, path) ?? []))
      .find((setters) => setters.length > 0) ?? [];
  if (found === undefined || others.length > 0) return undefined;
  const { template: name, at, field } = found;
  const located = parts.templates.get(name);
  if (located === undefined) return undefined;
  return placeInWords({ part: { kind: 'template', name, located }, at, field }, file);
}

function setterIn(
  parts: DocumentParts,
  template: string,
  path: readonly string[],
): Setter | undefined {
  const located = parts.templates.get(template);
  if (located === undefined) return undefined;
  const part = { kind: 'template', name: template, located } as const;
  return flattened(parseTemplate(located.text).statements).reduce<Setter | undefined>(
    (best, statement) => {
      if (statement.kind !== 'assign') return best;
      const [, ...target] = statement.path; // behind root
      if (!target.every((name, index) => name === path[index])) return best;
      const inner = keyIn(statement.value, path.slice(target.length), startOf(statement));
      const depth = target.length + inner.keys.length;
      if (best !== undefined && best.depth > depth) return best;
      return { depth, at: inner.at, field: fieldOf(statement, part, inner.keys), template };
    },
    undefined,
  );
}

/** Follows a path into the objects that an expression writes out. */
function keyIn(
  value: Expression,
  [name, ...rest]: readonly string[],
  at: number,
): { keys: readonly string[]; at: number } {
  const entry =
    value.kind === 'object'
      ? value.entries.find(({ key }) => key.kind === 'literal' && key.value === name)
      : undefined;
  if (name === undefined || entry === undefined) return { keys: [], at };
  const inner = keyIn(entry.value, rest, entry.value.start);
  return { keys: [name, ...inner.keys], at: inner.at };
}
