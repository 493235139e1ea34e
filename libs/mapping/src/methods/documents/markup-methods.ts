import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asArray, asObject, asString, typeName } from '../../language/values.js';
import { formatXml } from './format-xml.js';
import { markupLibrary } from './markup-library.js';
import { parseXml, xmlText } from './parse-xml.js';
import { stripHtml } from '../text/strip-html.js';
import { textOf } from '../text.js';
import { deep, flat } from '../costs.js';

export const markupMethods: readonly Method[] = [
  {
    name: 'parse_xml',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 100, steps: 100, own: 'size' },
    needs: markupLibrary,
    description:
      'The object of an XML document: attributes are keys with a hyphen, text beside them is `#text`, repeated elements are an array. With cast, numbers and bools are such.',
    parameters: [{ name: 'cast', type: 'bool', default: false }],
    examples: [
      [
        'root = this.parse_xml()',
        '"<root><title>This is a title</title><item id=\\"1\\">a</item><item>b</item></root>"',
        '{"root":{"item":[{"#text":"a","-id":"1"},"b"],"title":"This is a title"}}',
      ],
      [
        'root = this.parse_xml(cast: true)',
        '"<root><number id=99>123</number><bool>True</bool></root>"',
        '{"root":{"bool":true,"number":{"#text":123,"-id":99}}}',
      ],
    ],
    run: (target, [cast], run) => parseXml(xmlText(target), cast === true, run),
  },
  {
    name: 'format_xml',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, own: 'square' },
    description:
      'The object as XML, in bytes, as `parse_xml` reads it; the root is the only key, `root_tag`, or doc.',
    parameters: [
      { name: 'indent', type: 'string', default: '    ' },
      { name: 'no_indent', type: 'bool', default: false },
      { name: 'root_tag', type: 'string', optional: true },
    ],
    examples: [
      [
        'root = this.format_xml(no_indent: true).string()',
        '{"foo":{"-id":1,"bar":["a","b"]}}',
        '"<foo id=\\"1\\"><bar>a</bar><bar>b</bar></foo>"',
      ],
    ],
    run: (target, [indent, none, rootTag], run) =>
      Buffer.from(
        formatXml(
          asObject(target),
          none === true ? undefined : textOf(indent).slice(0, 32),
          rootTag === undefined || rootTag === null ? undefined : textOf(rootTag),
          run,
        ),
      ),
  },
  {
    name: 'strip_html',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 150, steps: 20, own: 'size' },
    needs: markupLibrary,
    description:
      'Without tags, and without the content of script, style and the like; elements to preserve lose their attributes.',
    parameters: [{ name: 'preserve', type: 'any', optional: true }],
    examples: [
      [
        'root = this.strip_html()',
        '"<p>the plain <strong>old text</strong></p>"',
        '"the plain old text"',
      ],
      [
        'root = this.strip_html(["article"])',
        '"<article><p>the plain <strong>old text</strong></p></article>"',
        '"<article>the plain old text</article>"',
      ],
    ],
    run: (target, [preserve], run) => {
      const names = preserve === undefined || preserve === null ? [] : asArray(preserve);
      const kept = names.map((name, index) => {
        if (typeof name === 'string') return name.toLowerCase();
        throw new RunError(`invalid arg at index ${index}: expected string, got ${typeName(name)}`);
      });
      return stripHtml(asString(target), new Set(kept), run);
    },
  },
];
