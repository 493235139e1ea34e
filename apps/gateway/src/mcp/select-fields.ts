/**
 * Returns a record with some of its fields, named as in filters: `device.hostname` is the `hostname` of `device`, and of each element where a list
 * is on the way. Names that the record has not are left out.
 */
export function selectFields(record: unknown, fields: readonly string[]): unknown {
  return select(record, treeOf(fields));
}

/** Fields by name; an empty map stands for all below. */
type Tree = Map<string, Tree>;

function treeOf(fields: readonly string[]): Tree {
  const tree: Tree = new Map();
  const whole = new Set<Tree>();
  for (const field of fields) {
    let at = tree;
    for (const name of field.split('.')) {
      const next = at.get(name) ?? new Map<string, Tree>();
      at.set(name, next);
      at = next;
    }
    whole.add(at);
  }
  for (const one of whole) one.clear(); // `device` beside `device.hostname` is all of it
  return tree;
}

function select(value: unknown, tree: Tree): unknown {
  if (tree.size === 0 || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => select(one, tree));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const next = tree.get(name);
      return next === undefined ? [] : [[name, select(one, next)]];
    }),
  );
}
