import type { Method } from '../../language/specification.js';
import { asString } from '../../language/values.js';
import { parseHtml } from './html-tree.js';
import { markdownLibrary, parseMarkdown } from './markdown-tree.js';
import { markupLibrary } from './markup-library.js';
import { deep } from '../costs.js';

/** Methods that read texts of people as trees, which templates walk. */
export const documentMethods: readonly Method[] = [
  {
    name: 'parse_html',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 200, steps: 60 },
    needs: markupLibrary,
    description:
      'The list of what is in an HTML text, as browsers read it: texts, and elements as objects of name, attributes and children. Elements that are nested more than 64 deep are children of the 64th.',
    examples: [
      [
        'root = this.parse_html()',
        '"<p>a &amp; <a href=\\"/b\\">b</a></p>"',
        '[{"attributes":{},"children":["a & ",{"attributes":{"href":"/b"},"children":["b"],"name":"a"}],"name":"p"}]',
      ],
    ],
    run: (target, _args, run) => parseHtml(asString(target), run),
  },
  {
    name: 'parse_markdown',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 3_000, steps: 100, own: 'size' },
    needs: markdownLibrary,
    description:
      'The list of nodes of a Markdown text (CommonMark with tables and strikethrough), by the names of markdown-it: objects of type, children or text, and href, src, title, level, start or info where the node has it. HTML is text.',
    examples: [
      [
        'root = this.parse_markdown()',
        '"## Go **on**"',
        '[{"children":[{"text":"Go ","type":"text"},{"children":[{"text":"on","type":"text"}],"type":"strong"}],"level":2,"type":"heading"}]',
      ],
      [
        'root = this.parse_markdown()',
        '"[a](https://b.example)"',
        '[{"children":[{"children":[{"text":"a","type":"text"}],"href":"https://b.example","type":"link"}],"type":"paragraph"}]',
      ],
    ],
    run: (target, _args, run) => parseMarkdown(asString(target), run),
  },
];
