import { describe, expect, it } from '@jest/globals';
import {
  compileDocument,
  compileTemplate,
  findText,
  parseJson,
  splitText,
  standardEnvironment,
  suggestName,
} from '@onefold/mapping';
import { compileProvider } from '#provider-document';
import { formatDocument } from '../../libs/mapping/src/document/format-document.js';
import { base64, isDateTime } from '../../libs/contract/src/formats.js';
import { textReaders } from './growth-texts.js';
import { findGrowth, slowShapes as slowShapesOf } from './growth.js';

const length = 120_000;

const slowShapes = (read: (text: string) => unknown, max = length) => slowShapesOf(read, max);

describe('reading a text takes no longer than the text is long', () => {
  const readers: Record<string, (text: string) => unknown> = {
    'JSON with long numbers': parseJson,
    'JSON with long numbers, as a string in it': (text) =>
      parseJson(`[12345678901234567890, ${JSON.stringify(text)}]`),
    base64,
    'a time': isDateTime,
    'a suggestion for a name': (text) => suggestName(text, ['summary', 'description', 'status']),
    'a template': (text) => compileTemplate(`root.a = ${text}`),
    'a template behind a line': (text) => compileTemplate(`root.a = this.b\n${text}`),
    'a method of a template': (text) => compileTemplate(`root.a = this.${text}()`),
    'a document of mappings': (text) => compileDocument(text),
    'a document in another layout': (text) => formatDocument(text),
    'a document of a provider': (text) => compileProvider(text),
    ...textReaders,
  };
  it.each(Object.keys(readers))('%s', (name) => {
    expect(slowShapes(readers[name] as (text: string) => unknown)).toEqual([]);
  });
});

describe('searching a text for a part takes no longer than both are long', () => {
  const replaceAll = compileTemplate('root = this.a.replace_all(this.b, "x")');
  const parseCsv = compileTemplate('root = this.a.parse_csv(delimiter: this.b)');
  const searches: Record<string, (text: string, part: string) => unknown> = {
    findText,
    splitText,
    '.contains()': method('contains'),
    '.index_of()': method('index_of'),
    '.split()': method('split'),
    '.replace_all()': (text, part) => replaceAll.run({ a: text, b: part }),
    '.parse_csv()': (text, part) => parseCsv.run({ a: text, b: part }),
  };
  function method(name: string) {
    const template = compileTemplate(`root = this.a.${name}(this.b)`);
    return (a: string, b: string) => template.run({ a, b });
  }
  it.each(Object.keys(searches))('%s', (name) => {
    const search = searches[name] as (text: string, part: string) => unknown;
    const half = (n: number) => 'a'.repeat(n / 4) + 'b' + 'a'.repeat(n / 4);
    const parts: Record<string, (n: number) => string> = {
      'a break amid': half,
      'a break first': (n) => `b${'a'.repeat(n / 2)}`,
      'a break last': (n) => `${'a'.repeat(n / 2)}b`,
      'a break behind the beginning': (n) => `${'a'.repeat(200)}b${'a'.repeat(n / 2)}`,
    };
    const slow = Object.entries(parts).flatMap(([what, make]) => {
      const growth = findGrowth((n) => {
        const [text, part] = ['a'.repeat(n), make(n)];
        return () => search(text, part);
      }, length);
      return growth === undefined ? [] : [`${what}: ${growth}`];
    });
    expect(slow).toEqual([]);
  });
});

describe('a method of the mapping language on a text takes no longer than its limit', () => {
  const { methods } = standardEnvironment;
  /** Arguments that most methods take; those that take none of them refuse at once. */
  const calls = ['', 'this', '"x"', 'this, "x"', '"x", this', '2', '["x", this]', 'this, this'];

  it('whatever the text and the arguments are', () => {
    const slow: string[] = [];
    for (const name of methods.keys())
      for (const given of calls) {
        let template: ReturnType<typeof compileTemplate>;
        try {
          template = compileTemplate(`root = this.${name}(${given})`);
        } catch {
          continue; // not its arguments
        }
        const found = slowShapes((text) => template.run(text), 40_000);
        slow.push(...found.map((one) => `.${name}(${given}) of ${one}`));
      }
    expect(slow).toEqual([]);
  });
});
