import type { Statement } from '../language/ast.js';
import { mentionsRoot } from '../language/walk.js';
import { isWord } from './javascript.js';
import type { Operand } from './operand.js';

/** An assignment whose value is there, and which is not made yet. */
export interface Waiting {
  path: readonly string[];
  value: Operand;
}

/** The shape of root once the waiting assignments are made together. */
export interface Tree {
  leaf?: Operand;
  fields: Map<string, Tree>;
}

/** True when the order of two assignments shows: one goes into, or over, what the other makes. */
export function collides(path: readonly string[], waiting: readonly Waiting[]): boolean {
  return waiting.some(({ path: other }) => {
    const shorter = Math.min(path.length, other.length);
    return path.slice(0, shorter).every((segment, index) => segment === other[index]);
  });
}

/** True for an assignment that may wait: into root, by keys that are words. */
export function canWait({ path, value }: Extract<Statement, { kind: 'assign' }>): boolean {
  return path.length > 1 && path.slice(1).every(isWord) && !mentionsRoot(value);
}

export function treeOf(waiting: readonly Waiting[]): Tree {
  const tree: Tree = { fields: new Map() };
  for (const { path, value } of waiting) {
    let at = tree;
    for (const segment of path) {
      const next = at.fields.get(segment) ?? { fields: new Map<string, Tree>() };
      at.fields.set(segment, next);
      at = next;
    }
    at.leaf = value;
  }
  return tree;
}

/** True when something surely comes to lie in it. */
export function isSure({ leaf, fields }: Tree): boolean {
  if (leaf) return leaf.marked !== 'likely';
  return [...fields.values()].some(isSure);
}

/** True when each object of it has something that surely lies in it, so that it is surely made. */
export function isSolid(tree: Tree): boolean {
  if (tree.leaf) return true;
  return isSure(tree) && [...tree.fields.values()].every(isSolid);
}
