import type { ProviderRecord } from '../provider-record.js';

/** Leaves of one record that are visited. */
const maxLeaves = 300;
const maxDepth = 12;
/** Items of a list that are visited: those behind them are mostly like them. */
const maxItems = 3;
const maxPathLength = 200;
/** Names that are data, such as ids, addresses and times that an object has as keys. */
const dataName = /^[\d{]|[@/\\\s]|[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f]{4}-|^.{65}/i;

/** A leaf of a record, as {@link visitLeaves} shows it. */
export interface Leaf {
  /** Hash of the path: a record is mostly known, so its paths are written only where they are not. */
  hash: number;
  /** True for null, an empty list or an empty object, below which fields may appear later. */
  isEmpty: boolean;
  /** The names above it and its own; `[]` for the items of a list. Changes after the visit. */
  names: readonly string[];
}

/** Hash of the path without names. */
const rootHash = -2128831035;

/** FNV-1a over the name, behind the hash of the path above it. */
function hashName(above: number, name: string): number {
  let hash = Math.imul(above ^ 46, 16777619);
  for (let index = 0; index < name.length; index += 1)
    hash = Math.imul(hash ^ name.charCodeAt(index), 16777619);
  return hash;
}

export function hashPath(names: readonly string[]): number {
  return names.reduce(hashName, rootHash);
}

/** Visits the leaves of a record, as many as are bounded. No value is read but for its type. */
export function visitLeaves(record: ProviderRecord, visit: (leaf: Leaf) => void): void {
  const names: string[] = [];
  const leaf: Leaf = { hash: rootHash, isEmpty: false, names };
  let left = maxLeaves;
  const enter = (name: string, value: unknown, above: number) => {
    names.push(name);
    walk(value, hashName(above, name));
    names.pop();
  };
  const walk = (value: unknown, hash: number) => {
    if (left <= 0) return;
    if (typeof value === 'object' && value !== null && names.length < maxDepth) {
      const before = left;
      if (Array.isArray(value))
        for (let index = 0; index < value.length && index < maxItems; index += 1)
          enter('[]', value[index], hash);
      else for (const name in value) enter(name, (value as ProviderRecord)[name], hash);
      if (left < before) return;
    }
    left -= 1;
    leaf.hash = hash;
    leaf.isEmpty = value === null || typeof value === 'object';
    visit(leaf);
  };
  walk(record, rootHash);
}

/** Replaces the names of a path that are data by `*`. */
export function hideDataNames(names: readonly string[]): string[] {
  return names.map((name) => (dataName.test(name) ? '*' : name));
}

/** Writes a path as `fields.labels[].name`. */
export function writePath(names: readonly string[]): string {
  return names.join('.').replaceAll('.[]', '[]').slice(0, maxPathLength);
}
