import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MappingError } from '../index.js';
import { formatDocument } from './format-document.js';

const laidOut = `# A mapping of tickets.
engine: bloblang_direct
version: "1.0" # the only one

templates:
  # The one that runs.
  default: |
    # who it is
    root.id = this.id

    root.owner = this.owner.apply("person") # another template
  person: root.name = this.name
select:
  - { name: default, match: this.kind == "ticket" }
data_types:
  when: { transform: this.ts_unix(), ignored: [""] } # epoch seconds
`;

/** The mapping documents of the product. */
function documents(): [string, string][] {
  const libs = fileURLToPath(new URL('../../../../../libs/', import.meta.url));
  return readdirSync(libs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && file.includes('mappings/'))
    .map((file): [string, string] => [file, readFileSync(`${libs}${file}`, 'utf8')])
    .filter(([, text]) => /^engine:/m.test(text) && /^templates:/m.test(text));
}

describe('formatDocument', () => {
  it('lays out YAML and templates, and keeps the comments of both', () => {
    expect(formatDocument(laidOut)).toBe(laidOut);
    const messy = laidOut
      .replace('root.id = ', 'root.id =    ')
      .replace('person: root', 'person:    root')
      .replaceAll('    #', '        #')
      .replaceAll('    root', '        root')
      .replace('this.kind == ', 'this.kind  ==  ')
      .replace('{ name', '{name');
    expect(messy).not.toBe(laidOut);
    expect(formatDocument(messy)).toBe(laidOut);
  });

  it('puts templates of several lines below a |, however they were written', () => {
    const head = 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n';
    const block = `${head}  default: |\n    root.a = 1\n    root.b = 2\n`;
    for (const text of [
      '  default: "root.a = 1\\nroot.b = 2"\n',
      '  default: |-\n      root.a = 1\n      root.b = 2\n',
      '  default: >\n    root.a = 1\n\n    root.b = 2\n',
    ])
      expect(formatDocument(head + text)).toBe(block);
    expect(formatDocument(`${head}  default: "root.a = this.a"\n`)).toBe(
      `${head}  default: "root.a = this.a"\n`,
    );
  });

  it('leaves a text that is a value elsewhere', () => {
    const repeated =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: &a root =   1\ndata_types:\n  x: { ignored: [*a] }\n';
    expect(formatDocument(repeated)).toBe(repeated);
  });

  it('changes neither what the documents of the product mean, nor what it has laid out', () => {
    const all = documents();
    expect(all.length).toBeGreaterThan(100);
    for (const [file, text] of all) {
      // It refuses what it would change, or whose comments it would lose.
      const formatted = formatDocument(text);
      expect([file, formatDocument(formatted)]).toEqual([file, formatted]);
    }
  });

  it.each([
    [
      'a template that does not parse',
      laidOut.replace('this.id', "'id'"),
      /^line 9, column 15: .*[^]*double quotes/,
    ],
    ['a match that does not parse', laidOut.replace('== "t', '= "t'), /^line 14, column 39: /],
    ['malformed YAML', laidOut.replace('[""]', '['), /^line 16, column 47: /],
  ])('refuses %s', (_what, text, message) => {
    expect(() => formatDocument(text)).toThrow(MappingError);
    expect(() => formatDocument(text)).toThrow(message);
  });
});
