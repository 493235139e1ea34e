import { describe, expect, it } from '@jest/globals';
import { LineCounter, type Node, parseDocument } from 'yaml';
import { compileDocument, MappingError, resolveAliases } from '../index.js';

const head = 'engine: bloblang_direct\nversion: "1.0"\n';
const faultsOf = (source: string) => {
  try {
    compileDocument(source);
  } catch (error) {
    if (error instanceof MappingError) return error;
    throw error;
  }
  throw new Error('it compiled');
};

describe('a mapping document inside of another', () => {
  it('tells its faults at the lines of the whole', () => {
    const source = `provider: x\nmapping:\n  engine: bloblang_direct\n  version: "1.0"\n  templates:\n    default: root.a = this.nope()\n`;
    const lines = new LineCounter();
    const whole = parseDocument(source, { lineCounter: lines });
    const node = whole.get('mapping', true) as Node;
    expect(() =>
      compileDocument({ node, lines, source, resolve: resolveAliases(whole.contents) }),
    ).toThrow("line 6, column 34: unrecognised method 'nope'");
    const fine = source
      .replace('provider: x', 'provider: &text root.a = this.b')
      .replace('root.a = this.nope()', '*text');
    const again = parseDocument(fine, { lineCounter: lines });
    const document = compileDocument({
      node: again.get('mapping', true) as Node,
      lines,
      source: fine,
      resolve: resolveAliases(again.contents),
    });
    expect(document.run({ b: 1 })?.record).toEqual({ a: 1 });
  });
});

describe('a wrong mapping document', () => {
  it('points at the line and column of the document, with the source and a caret', () => {
    const error = faultsOf(
      `${head}templates:\n  default: |\n    root.a = this.a\n    root.b = this.b.uppercas()\n`,
    );
    expect(error.message).toBe(
      [
        "line 6, column 31: unrecognised method 'uppercas'",
        '  |',
        '6 |     root.b = this.b.uppercas()',
        '  |                               ^',
        'Did you mean uppercase?',
      ].join('\n'),
    );
  });

  it('tells all faults at once, of every template', () => {
    const error = faultsOf(
      `${head}templates:\n  default: root.a = this.a.nope()\n  other: |\n    root.b = nowhere()\n    root.c = range()\n`,
    );
    expect(error.faults.map(({ line, message }) => [line, message])).toEqual([
      [4, "unrecognised method 'nope'"],
      [6, "unrecognised function 'nowhere'"],
      [7, 'range: missing parameter: start'],
    ]);
  });

  it.each([
    ['malformed YAML', 'engine: [', /line \d+, column \d+/],
    ['no mapping', '- 1\n', /a mapping document is a YAML mapping/],
    [
      'a wrong engine',
      'engine: jq\nversion: "1.0"\ntemplates:\n  default: root = this\n',
      /line 1, column 9: engine is "jq"[\s\S]*The only engine is bloblang_direct/,
    ],
    [
      'no engine',
      'version: "1.0"\ntemplates:\n  default: root = this\n',
      /the key "engine" is missing/,
    ],
    [
      'a wrong version',
      'engine: bloblang_direct\nversion: "2.0"\ntemplates:\n  default: root = this\n',
      /version is ""?2\.0"?"/,
    ],
    [
      'an unknown key',
      `${head}templates:\n  default: root = this\nselects: []\n`,
      /line 5, column 1: unknown key "selects"[\s\S]*Did you mean select\?/,
    ],
    ['no templates', head, /the key "templates" is missing/],
    [
      'no default',
      `${head}templates:\n  other: root = this\n`,
      /a default template must always exist/,
    ],
    [
      'a default that is not there',
      `${head}templates:\n  others: root = this\ndefault: other\n`,
      /there is no template "other"[\s\S]*Did you mean others\?/,
    ],
    [
      'an unknown template in pre',
      `${head}templates:\n  default: root = this\npre: [first]\n`,
      /there is no template "first"/,
    ],
    [
      'an unknown template in select',
      `${head}templates:\n  default: root = this\nselect:\n  - {name: x, match: "true"}\n`,
      /line 6, column 12: there is no template "x"/,
    ],
    [
      'a wrong match',
      `${head}templates:\n  default: root = this\nselect:\n  - {name: default, match: "this. >"}\n`,
      /line 6/,
    ],
    [
      'a key that is not a text',
      `${head}templates:\n  default: root = this\n? [a]\n: 1\n`,
      /unknown key ""/,
    ],
    [
      'templates that are no mapping',
      `${head}templates: [a]\n`,
      /line 3, column 12: templates is a mapping of names to template sources/,
    ],
    [
      'a template that is not a text',
      `${head}templates:\n  default: root = this\n  other: 5\n  ? [a]\n  : b\n`,
      /the template "other" is not a text[\s\S]*Write it below a \|/,
    ],
    [
      'a default that is not a name',
      `${head}templates:\n  default: root = this\ndefault: [a]\n`,
      /line 5, column 10: default is the name of a template/,
    ],
    [
      'a select that is not a list',
      `${head}templates:\n  default: root = this\nselect: {}\n`,
      /line 5, column 9: select is a list of \{name, match\}/,
    ],
    [
      'an entry of select without a match',
      `${head}templates:\n  default: root = this\nselect:\n  - name: default\n  - 5\n`,
      /an entry of select has a name and a match[\s\S]*an entry of select/,
    ],
    [
      'a pre that is not a list',
      `${head}templates:\n  default: root = this\npre: first\npost: [[a]]\n`,
      /pre is a list of template names[\s\S]*there is no template ""/,
    ],
    [
      'data types that are no mapping',
      `${head}templates:\n  default: root = this\ndata_types: [a]\n`,
      /data_types is a mapping of names to \{transform, ignored\}/,
    ],
    [
      'a data type that is not a mapping',
      `${head}templates:\n  default: root = this\ndata_types:\n  a: 5\n  b: {transform: 5, ignored: 6}\n  ? [c]\n  : {}\n`,
      /the data type "a" is a mapping[\s\S]*transform is a text[\s\S]*ignored is a list of values/,
    ],
    [
      'a version that is a list',
      `engine: bloblang_direct\nversion: [1]\ntemplates:\n  default: root = this\n`,
      /version is "…"/,
    ],
    ['an empty document', '', /line 1, column 1: a mapping document is a YAML mapping/],
    [
      'a document that is too long',
      `${head}# ${'x'.repeat(262_144)}`,
      /the document has more than 262144 characters/,
    ],
    [
      'a nested map',
      `${head}templates:\n  default: |\n    if true {\n      map a {\n        root = 1\n      }\n    }\n`,
      /a map cannot be defined inside a block/,
    ],
  ])('%s has a message', (_name, source, message) => {
    expect(faultsOf(source).message).toMatch(message);
  });

  it('names the template of select that fails', () => {
    const document = compileDocument(
      `${head}templates:\n  default: root.a = 1\n  b: root = 1\nselect:\n  - {name: b, match: this.a > 1}\n`,
    );
    expect(() => document.run({ a: 'x' })).toThrow(
      'line 7, column 22 in template b, select.match: cannot compare types string and number (this.a > 1)',
    );
  });
});
