import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { optionalPackage } from '../../language/optional-package.js';
import type { Run } from '../../language/run.js';
import type { ObjectValue, Value } from '../../language/values.js';

export const markdownLibrary = optionalPackage<typeof MarkdownIt>('markdown-it', 15);

let reader: InstanceType<typeof MarkdownIt> | undefined;

/** Makes the parser once: HTML in a text is text, and only addresses that are written in full are links. */
function markdownReader(): InstanceType<typeof MarkdownIt> {
  if (reader !== undefined) return reader;
  const Library = markdownLibrary.load();
  reader = new Library({ html: false, linkify: true });
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  return reader;
}

/** Reads CommonMark with tables and strikethrough: a list of nodes with `type`, `children` or `text`, and attributes such as `href`. */
export function parseMarkdown(text: string, run: Run): Value[] {
  const root: Value[] = [];
  addNodes(root, markdownReader().parse(text, {}), run);
  return root;
}

function addNodes(target: Value[], tokens: readonly Token[], run: Run): void {
  const open: Value[][] = [target];
  for (const token of tokens) {
    run.spend(8);
    const siblings = open.at(-1) ?? target;
    if (token.nesting < 0) open.pop();
    else if (token.type === 'inline') addNodes(siblings, token.children ?? [], run);
    else if (token.type !== 'text' || token.content !== '') {
      const node = nodeOf(token);
      siblings.push(node);
      if (token.nesting > 0) open.push((node['children'] = []));
    }
  }
}

function nodeOf({ type, attrs, content, info, tag }: Token): ObjectValue & { children?: Value[] } {
  const node: ObjectValue = { type: type.replace(/_open$/, '') };
  for (const [name, value] of attrs ?? []) node[name] = value;
  if (type === 'heading_open') node['level'] = Number(tag.slice(1));
  if (content !== '') node['text'] = content;
  if (type === 'fence' && info !== '') node['info'] = info;
  return node;
}
