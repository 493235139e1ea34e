import type { Run } from '../../language/run.js';
import { setKey, type ObjectValue, type Value } from '../../language/values.js';
import { markupLibrary } from './markup-library.js';

/** Elements that are nested deeper become children of the last level, so that templates which walk a tree come to its end. */
const maxDepth = 64;

/** Reads HTML as browsers do, where any text is valid: a list of texts, and of elements with name, attributes and children. */
export function parseHtml(text: string, run: Run): Value[] {
  const root: Value[] = [];
  const levels: Value[][] = [root];
  let depth = 0;
  const add = (node: Value): void => {
    const children = levels[Math.min(depth, levels.length - 1)] ?? root;
    const last = children.at(-1);
    if (typeof node === 'string' && typeof last === 'string')
      children[children.length - 1] = last + node;
    else {
      run.array(children.length + 1 > run.limits.arrayLength ? children.length + 1 : 1);
      children.push(node);
    }
  };
  const { Parser } = markupLibrary.load();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const fields: ObjectValue = {};
        for (const [key, value] of Object.entries(attributes)) setKey(fields, key, value);
        run.spend(8 * (1 + Object.keys(attributes).length));
        const children: Value[] = [];
        add({ name, attributes: fields, children });
        depth += 1;
        if (levels.length < maxDepth) levels.push(children);
      },
      ontext: add,
      onclosetag: () => {
        depth -= 1;
        if (depth < levels.length - 1) levels.length = depth + 1;
      },
    },
    { decodeEntities: true },
  );
  parser.write(text);
  parser.end();
  return root;
}
