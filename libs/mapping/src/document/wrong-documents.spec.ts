import { describe, expect, it } from '@jest/globals';
import { compileDocument, compileTemplate } from '../index.js';

const head = 'engine: bloblang_direct\nversion: "1.0"\n';

describe('a wrong mapping document', () => {
  const whole = `${head}templates:\n  default: |\n    root.s = this.s.apply("status")\n  status: root = this\n`;

  it.each([
    [
      'a template whose aliases make far more of it than was sent',
      `${head}templates:\n  default: &long root = "${'x'.repeat(100_000)}"\n  a: *long\n  b: *long\n`,
      /^line 4, column 18: its aliases make it too large/,
    ],
    [
      'a template that is applied and not there',
      whole.replace('"status"', '"stattus"'),
      /^line 5, column 27: there is no template "stattus"[^]*Did you mean status\?$/,
    ],
    [
      'a template that a condition applies and that is not there',
      `${whole}select: [{ name: status, match: this.apply("stattus") }]\n`,
      /^line 7, column 44: there is no template "stattus"[^]*Did you mean status\?$/,
    ],
    [
      'a template that a data type applies and that is not there',
      `${whole}data_types: { x: { transform: this.apply("stattus") } }\n`,
      /^line 7, column 42: there is no template "stattus"[^]*Did you mean status\?$/,
    ],
    [
      'a variable in a condition',
      `${whole}select: [{ name: status, match: $usr == 1 }]\n`,
      /^line 7, column 33: variable 'usr' undefined[^]*An expression alone has no variables; [^]*$/,
    ],
    [
      'an unknown key of a data type',
      `${whole}data_types: { x: { transfrom: root = this } }\n`,
      /^line 7, column 20: unknown key "transfrom" of the data type "x"[^]*Did you mean transform\?$/,
    ],
    [
      'an unknown key of select',
      `${whole}select: [{ name: status, match: "true", wen: 1 }]\n`,
      /^line 7, column 41: unknown key "wen" of an entry of select[^]*The keys are name, match\.$/,
    ],
    [
      'a line without a colon',
      whole.replace('engine:', 'engine'),
      /^line 1, column 1: the line has no key with a colon/,
    ],
    [
      'a quote that is not closed',
      whole.replace('root = this\n', '"root = this\n'),
      /^line 6, column 11: " is opened here and never closed/,
    ],
    [
      'a bracket that is not closed',
      `${whole}pre: [status\npost: []\n`,
      /^line 7, column 6: \[ is opened here and never closed/,
    ],
    [
      'a tab',
      whole.replace('  status', '\tstatus'),
      /^line 6, column 1: the line is indented by a tab/,
    ],
    [
      'a key that is given twice',
      `${whole}templates: {}\n`,
      /^line 7, column 1: the key "templates" is given twice/,
    ],
    [
      'a comma that is missing',
      `${whole}pre: ["status" "default"]\n`,
      /^line 7, column 1\d: a comma is missing in brackets[^]*Put one between the parts/,
    ],
    [
      'a comma that is too many',
      `${whole}pre: [status,, default]\n`,
      /^line 7, column 1[34]: a comma in brackets has nothing before it[^]*Remove it\.$/,
    ],
    [
      'a text on the line of its |',
      `${head}templates:\n  default: | root.a = 1\n`,
      /^line 4, column \d+: the text is on the same line as its \|[^]*Begin it on the next line, indented\.$/,
    ],
    ['two keys in a line', `${head}default: a: b\n`, /^line 3, column 10: the line has two keys/],
  ])('names %s in a sentence, with its line', (_what, text, message) => {
    expect(() => compileDocument(text)).toThrow(message);
  });

  it('applies casts, data types, maps and shared templates by their names', () => {
    const body = (name: string) =>
      `${head}data_types: { when: {} }\ntemplates:\n  default: |\n    map own { root = this }\n    root.s = this.s.apply("${name}")\n`;
    const shared = () => compileTemplate('root = this');
    for (const name of ['datetime', 'when', 'own', 'default'])
      expect(() => compileDocument(body(name))).not.toThrow();
    expect(() => compileDocument(body('acme.one'), { shared })).not.toThrow();
  });

  it('names the line, the column and the field of a failure at run time', () => {
    const text = `${head}templates:\n  default: |\n    root.id = this.id\n    if this.id > 0 {\n      root.user."first name" = this.profile.name.uppercase()\n    }\n`;
    const document = compileDocument(text);
    expect(() => document.run({ id: 1 })).toThrow(
      'line 7, column 32 in template default, root.user."first name": expected string, got null (this.profile.name)',
    );
    expect(() => document.run({ id: 'x' })).toThrow(
      'line 6, column 8 in template default: cannot compare types string and number (this.id > 0)',
    );
    const error = (() => {
      try {
        return document.run({ id: 1 });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ template: 'default', place: { line: 7, column: 32 } });
  });
});
