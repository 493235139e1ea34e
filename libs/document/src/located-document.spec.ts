import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LocatedDocument } from './index.js';

const validate = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile({
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    size: { type: 'integer' },
    rows: { type: 'string' },
    calls: { type: 'object', propertyNames: { pattern: '^[a-z_]+$' } },
  },
});
const format = { validate, standIns: { name: 'unnamed' } };
const read = (source: string) => new LocatedDocument(source, format);

describe('a document with a schema', () => {
  it('has its values, and compiles expressions of it', () => {
    const document = read('name: acme\nrows: this.items.length()\n');
    expect(document.value).toEqual({ name: 'acme', rows: 'this.items.length()' });
    expect(document.query(['rows'])?.({ items: [1, 2] })).toBe(2);
  });

  it('compiles what an alias stands for', () => {
    const document = read('name: &name this.items.length()\nrows: *name\n');
    expect(document.query(['rows'])?.({ items: [1] })).toBe(1);
  });

  it.each([
    ['/a/{this.id}', '/a/7'],
    ['{this.rows.map_each({"a": this.id}).length()}/{this.id}', '2/7'],
    ['/{"}" + "{"}/{ this.id }}', '/}{/7}'],
    ['no braces', 'no braces'],
  ])('splits the text %j where the grammar of its queries says', (text, expected) => {
    const parts = read(`name: ${JSON.stringify(text)}\n`).textParts(['name']) ?? [];
    const input = { id: 7, rows: [{ id: 1 }, { id: 2 }] };
    const written = parts.map(({ literal, query }) =>
      query === undefined ? literal : `${literal}${query(input) as string}`,
    );
    expect(written.join('')).toBe(expected);
  });

  it.each([
    ['a brace without its end', 'x/{this.id', 3, 'the { has no matching }'],
    ['an end that belongs to an object', 'x/{ {"a": 1}', 3, 'the { has no matching }'],
    ['words behind a query', '{this.id b}', 10, 'an operator or } is expected here'],
    ['an invalid query', 'x{this.id}/{this.+}', 18, 'expected'],
    ['an unknown method', 'x{this.id}/{[1].lenght()}', 25, 'lenght'],
    ['the second line', '|\n  x/{this.id}\n  y/{this.+}', 11, 'expected'],
  ])('locates %s', (_name, text, column, message) => {
    const document = read(`name: ${text.startsWith('|') ? text : `'${text}'`}\n`);
    document.textParts(['name']);
    const line = text.startsWith('|') ? 3 : 1;
    const at = text.startsWith('|') ? column : column + "name: '".length;
    expect(() => document.finish()).toThrow(
      new RegExp(`^line ${line}, column ${at}: [^\n]*${message.replace(/[{}]/g, '\\$&')}`),
    );
  });

  it('reports every error of schema and expressions at once, each at its line', () => {
    const fail = () => {
      const document = read('nmae: acme\nsize: big\nrows: this.items.lenght(\n');
      document.query(['rows']);
      document.finish();
    };
    expect(fail).toThrow(/line 1, column 1: unknown key "nmae"[^]*line 2, column 7: size must be/);
    expect(fail).toThrow(/line 3, column/);
  });

  it('names a key that is not a valid name, and keys that are not merged', () => {
    expect(() => read('name: acme\ncalls:\n  find: 1\n  find-all: 2\n').finish()).toThrow(
      /^line 4, column 3: the key "find-all" of calls does not match the pattern \^\[a-z_\]\+\$/,
    );
    expect(() => read('name: acme\n<<: { size: 1 }\n').finish()).toThrow(
      /Keys are not merged: an alias/,
    );
  });
});
