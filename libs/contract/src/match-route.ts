import { type Operation, operations } from './operations.js';

interface Node {
  literals: Map<string, Node>;
  parameter?: { name: string; node: Node };
  /** Takes the rest of the path. */
  rest?: { name: string; node: Node };
  methods: Map<string, Operation>;
}

/** The names of the parameters in the path of each operation, in their order. */
const parameterNames = new Map<Operation, readonly string[]>();

/** The result of matching a path and a method. */
export type Match =
  | { operation: Operation; path: Record<string, string> }
  | { allow: readonly string[] }
  | { malformed: string }
  | undefined;

const empty = (): Node => ({ literals: new Map(), methods: new Map() });
const root = empty();
for (const operation of operations.values()) {
  parameterNames.set(
    operation,
    [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? ''),
  );
  let node = root;
  for (const segment of operation.path.split('/').slice(1)) {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const next = node.literals.get(segment) ?? empty();
      node.literals.set(segment, next);
      node = next;
    } else {
      // Paths may have different names for the same parameter ({ownerId}, {accountId}), so names are read from the operation.
      const kind = name === operation.multiSegment ? 'rest' : 'parameter';
      node[kind] ??= { name, node: empty() };
      node = node[kind].node;
    }
  }
  node.methods.set(operation.method, operation);
}

/**
 * Finds the operation of a request; literal segments go before parameters.
 * @param pathname the URL's path, still percent-encoded, without query.
 * @returns the operation with decoded path parameters; the methods the path has instead; `malformed` when a segment cannot be
 * decoded; undefined for an unknown path.
 */
export function matchRoute(method: string, pathname: string): Match {
  const segments = pathname.split('/').slice(1);
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  const values: string[] = [];
  const operation = walk(root, segments, 0, method, values);
  if (operation === undefined) return otherMethods(segments);
  const names = parameterNames.get(operation) ?? [];
  const path: Record<string, string> = {};
  let index = 0;
  for (const name of names) {
    const value = values[index] ?? '';
    index += 1;
    try {
      path[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      return { malformed: name };
    }
  }
  const { multiSegment, folder } = operation;
  if (folder && multiSegment !== null) path[multiSegment] = folderOf(path[multiSegment] ?? '');
  return { operation, path };
}

/** Returns a folder without what clients write around it: the root is the empty text, and no folder ends with a slash. */
function folderOf(path: string): string {
  const isNothing = (segment: string | undefined) => segment === '' || segment === '.';
  const segments = path.split('/');
  while (segments.length > 0 && isNothing(segments.at(-1))) segments.pop();
  const begin = segments.findIndex((segment) => segment !== '.');
  return segments.slice(Math.max(begin, 0)).join('/');
}

function otherMethods(segments: string[]): Match {
  const allow = new Set<string>();
  walk(root, segments, 0, '', [], allow);
  return allow.size > 0 ? { allow: [...allow].sort() } : undefined;
}

/** @param allow collects the methods of all paths that fit */
function walk(
  node: Node,
  segments: string[],
  at: number,
  method: string,
  values: string[],
  allow?: Set<string>,
): Operation | undefined {
  const segment = segments[at];
  if (segment === undefined) {
    if (allow) for (const known of node.methods.keys()) allow.add(known);
    return node.methods.get(method) ?? rest(node, segments, at, method, values, allow);
  }
  const literal = node.literals.get(segment);
  const found = literal && walk(literal, segments, at + 1, method, values, allow);
  if (found) return found;
  if (node.parameter && segment !== '') {
    const mark = values.length;
    values.push(segment);
    const inside = walk(node.parameter.node, segments, at + 1, method, values, allow);
    if (inside) return inside;
    values.length = mark;
  }
  return rest(node, segments, at, method, values, allow);
}

/** Finds the operation whose parameter takes the rest of the path, which only the name of a folder may have empty. */
function rest(
  node: Node,
  segments: string[],
  at: number,
  method: string,
  values: string[],
  allow?: Set<string>,
): Operation | undefined {
  if (node.rest === undefined) return undefined;
  const { methods } = node.rest.node;
  const isEmpty = (segments[at] ?? '') === '';
  if (allow) for (const [known, { folder }] of methods) if (folder || !isEmpty) allow.add(known);
  const operation = methods.get(method);
  if (operation === undefined || (isEmpty && !operation.folder)) return undefined;
  values.push(segments.slice(at).join('/'));
  return operation;
}
