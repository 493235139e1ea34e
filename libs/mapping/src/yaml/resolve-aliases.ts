import { type Alias, isAlias, type Node, visit } from 'yaml';

/** Returns the value that an alias stands for, and any other node as it is. */
export type ResolveAlias = <One>(node: One) => One | Node | undefined;

/** Finds what the aliases of a YAML document stand for: the value that had the anchor last before each. */
export function resolveAliases(root: Node | null): ResolveAlias {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(root, {
    Node: (_key, node) => {
      if (isAlias(node)) targets.set(node, anchors.get(node.source));
      else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return (node) => (isAlias(node) ? targets.get(node) : node);
}
