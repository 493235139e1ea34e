import { describe, expect, it } from '@jest/globals';
import { documentFormat, LocatedDocument } from './index.js';

const format = documentFormat(
  {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer' },
      rows: { type: 'string' },
    },
  },
  { name: 'unnamed' },
);
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

  it('reports every error of schema and expressions at once, each at its line', () => {
    const fail = () => {
      const document = read('nmae: acme\nsize: big\nrows: this.items.lenght(\n');
      document.query(['rows']);
      document.finish();
    };
    expect(fail).toThrow(/line 1, column 1: unknown key "nmae"[^]*line 2, column 7: size must be/);
    expect(fail).toThrow(/line 3, column/);
  });
});
