import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileTemplate, LimitError } from '../../index.js';
import { cpuTimeOf } from '../../../../../test/mapping-oracle/cpu-time.js';

const run = (template: string, input: unknown, limits = {}) =>
  compileTemplate(template).run(input, { limits }).root;

describe('XML', () => {
  it('is refused when it nests without end, before the stack is full', () => {
    expect(() => run('root = this.parse_xml()', '<a>'.repeat(100_000))).toThrow(
      'elements are nested more than 256 deep',
    );
  });

  it('keeps __proto__ a field and changes no prototype', () => {
    const root = run(
      'root = this.parse_xml()',
      '<__proto__ polluted="1"><constructor>2</constructor></__proto__>',
    ) as object;
    expect(Object.keys(root)).toEqual(['__proto__']);
    expect('-polluted' in {}).toBe(false);
  });

  it('stops at the longest array', () => {
    expect(() =>
      run('root = this.parse_xml()', `<a>${'<b/>'.repeat(20)}</a>`, { arrayLength: 10 }),
    ).toThrow(LimitError);
  });

  it('is written in steps that grow as its lines do', () => {
    const written = run('root = this.format_xml()', {
      a: { b: Array(20_000).fill('c'.repeat(50)) },
    });
    expect(String(written).length).toBeGreaterThan(1_000_000);
  });

  it('is written as long as a text may be', () => {
    expect(() =>
      run(
        'root = this.format_xml()',
        { a: Array(200).fill('b'.repeat(50)) },
        { stringLength: 999 },
      ),
    ).toThrow(LimitError);
  });

  it('is the same after writing and reading', () => {
    const text = fc.string({ unit: 'grapheme' }).map((one) => one.trim().replace(/\p{Cc}/gu, ''));
    const name = fc.constantFrom('a', 'b', 'c.d', '__proto__', 'é');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, text, fc.dictionary(name, tie('tree'), { minKeys: 1 })),
    }));
    const template = compileTemplate('root = this.format_xml(no_indent: true).parse_xml()');
    fc.assert(
      fc.property(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 1 }), (document) => {
        expect(template.run(document).root).toEqual(document);
      }),
    );
  });

  it('never fails but with an error of its own', () => {
    const template = compileTemplate('root = this.parse_xml(true).catch("no")');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', 'a', '/', '=', '"', '&', '!', '[', ']', '-', '?', ' ')),
        (parts) => {
          expect(template.run(parts.join('')).root).toBeDefined();
        },
      ),
    );
  });
});

describe('HTML', () => {
  it('leaves no tag, whatever it is made of', () => {
    const template = compileTemplate('root = this.strip_html()');
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '<',
            '>',
            'b',
            '/',
            'script',
            '=',
            "'",
            '"',
            '&',
            'lt;',
            '!--',
            '-->',
            ' ',
          ),
        ),
        (parts) => {
          expect(template.run(parts.join('')).root).not.toMatch(/[<>"']/);
        },
      ),
    );
  });

  it('takes a time that grows as the text does', () => {
    const long = '<b'.repeat(200_000);
    const time = cpuTimeOf(() => {
      run('root = this.strip_html()', long);
      run('root = this.strip_html()', '<script>'.repeat(100_000));
    });
    expect(time).toBeLessThan(2_000);
  });
});
