import { describe, expect, it } from '@jest/globals';
import { compileTemplate, describeFault } from '../index.js';
import {
  lintDocument,
  type LintOptions,
  lintTemplate,
  type RecordOutline,
} from './lint-document.js';

const head = 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n';
const outline = (
  names: readonly string[],
  required: readonly string[] = [],
  inner: Readonly<Record<string, RecordOutline>> = {},
): RecordOutline => ({ names, required, inside: (name) => inner[name] });
const operation = {
  id: 'ticketing_query_tickets',
  outline: outline(['id', 'name', 'custom_fields', 'files'], ['id', 'name'], {
    files: outline(['size']),
  }),
};

/** Place, message and remedy of each warning. */
function warningsOf(templates: string, options?: LintOptions): string[] {
  return lintDocument(head + templates, options).map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}. ${hint ?? ''}`,
  );
}

describe('the lint of a document', () => {
  it('warns of templates, maps, data types and variables that nothing uses', () => {
    const templates = [
      '  default: |',
      '    map one { root = this }',
      '    map two { root = this }',
      '    let read = 1',
      '    let lost = 2',
      '    root.a = $read + this.a.apply("one").apply("used")',
      '  used: root = this.apply("inner")',
      '  inner: root = this',
      '  lonely: root = this.apply("loneliest")',
      '  loneliest: root = 1',
      'data_types:',
      '  when: { transform: this.ts_unix() }',
      '',
    ].join('\n');
    expect(warningsOf(templates)).toEqual([
      '6:5 the map "two" is never applied. Remove it, or .apply("two") it.',
      '8:5 $lost is never read. Remove the let, or read it as $lost.',
      '12:11 the template "lonely" is never used. Remove it, or .apply("lonely") it.',
      '13:14 the template "loneliest" is never used. Remove it, or .apply("loneliest") it.',
      '15:22 the data type "when" is never applied. Remove it, or .apply("when") it.',
    ]);
  });

  it('says nothing of what is named when it runs, and of pre, select and post', () => {
    expect(
      warningsOf(
        '  default: root.a = this.a.apply(this.kind)\n  one: root = 1\n  two: |\n    let n = 1\n    root.b = var("n")\npre: [two]\n',
      ),
    ).toEqual([]);
    const shared = () => compileTemplate('root = this');
    expect(warningsOf('  default: root.a = this.a.apply("acme")\n', { shared })).toEqual([]);
    const condition = 'select: [{ name: default, match: this.apply("isTicket") }]\n';
    expect(warningsOf(`  default: root = 1\n  isTicket: root = this.t == 1\n${condition}`)).toEqual(
      [],
    );
  });

  it('warns of fields that the contract does not have, and of required ones that nothing assigns', () => {
    const templates = [
      '  default: |',
      '    root.id = this.id',
      '    root.nmae = this.name',
      '    root.custom_fields.mine = 1',
      '    root.files = {"length": 1, "size": 2}',
      '    root.files.0.size = 3',
      '    root.old = deleted()',
      '',
    ].join('\n');
    expect(warningsOf(templates, { operation })).toEqual([
      '5:5 nothing assigns root.name, which ticketing_query_tickets requires. Add root.name = ….',
      '6:5 root.nmae is not a field of ticketing_query_tickets. Did you mean name?',
      '8:19 root.files.length is not a field of ticketing_query_tickets. The fields are size.',
    ]);
    expect(warningsOf('  default: |\n    root = {"id": 1, "mine": 2}\n', { operation })).toEqual([
      '5:5 nothing assigns root.name, which ticketing_query_tickets requires. Add root.name = ….',
      '5:22 root.mine is not a field of ticketing_query_tickets. Put fields of your own below root.custom_fields.',
    ]);
    expect(warningsOf('  default: root = this\n', { operation })).toEqual([]);
  });

  it('warns of fields of a sample that nothing reads, at any depth', () => {
    const templates = [
      '  default: |',
      '    root.id = this.id',
      '    root.name = this.user.name | nick',
      '    root.rows = this.rows.filter(this.open).map_each(row -> row.id + this.base)',
      '    root.kind = match this.kind { this == "x" => this.inner, _ => null }',
      '',
    ].join('\n');
    const inputs = [
      { id: 1, user: { name: 'a', mail: 'b' }, nick: 'n', rows: [{ id: 1, x: 2 }], base: 3 },
      { kind: 'x', inner: 1, row: 1, extra: { a: 1 } },
    ];
    expect(warningsOf(templates, { inputs })).toEqual(
      ['user.mail', 'inner', 'row', 'extra'].map(
        (field) =>
          `5:5 nothing reads this.${field} of the input. ` +
          `Assign it, as by root.custom_fields.${field.split('.').at(-1) ?? ''} = this.${field}, or let it be lost.`,
      ),
    );
    for (const whole of ['root = this', 'root.all = this.without("id")', 'root.t = json()'])
      expect(warningsOf(`  default: ${whole}\n`, { inputs })).toEqual([]);
  });

  it('is for templates alone too, with their own lines', () => {
    const source = 'root.id = 1\nlet lost = 2\n';
    expect(lintTemplate(source).map((one) => describeFault(one, source))).toEqual([
      'line 2, column 1: $lost is never read\n  |\n2 | let lost = 2\n  | ^\nRemove the let, or read it as $lost.',
    ]);
  });
});

describe('the lint of names', () => {
  const lines = (template: string) =>
    lintTemplate(template).map(({ line, column, message, hint }) => [
      `${line}:${column} ${message}`,
      hint,
    ]);

  it.each([
    [
      'root.a = {name: this.name}',
      '1:11 this key is the value of the field name of the input',
      'Write "name": … for a key of that name, or (this.name): … for its value.',
    ],
    [
      'root.a = this.b == undefined',
      '1:20 undefined is read as the field this.undefined of the input',
      'Nothing is null; a field is left out by deleted().',
    ],
    [
      'root.a = this.items.length > 0',
      '1:21 .length is read as a field of that name',
      'Did you mean .length()? Write ."length" for a field of that name.',
    ],
    [
      'root.a = (this.items | []).map_each(x -> x.name.lowercase)',
      '1:49 .lowercase is read as a field of that name',
      'Did you mean .lowercase()? Write ."lowercase" for a field of that name.',
    ],
    [
      'if this.at.ts_unix > 5 {\n  root.a = 1\n}',
      '1:12 .ts_unix is read as a field of that name',
      'Did you mean .ts_unix()? Write ."ts_unix" for a field of that name.',
    ],
    [
      'root.kind == "user"',
      '1:1 this is a comparison, and its result is the record',
      'An assignment has one =; a condition stands in if a == b { … }.',
    ],
  ])('warns of %s, which compiles and means something else', (template, warning, hint) => {
    expect(lines(template)).toEqual([[warning, hint]]);
  });

  it.each([
    'root.a = {(name): this.name, ( kind ): 1, "c": 2}',
    'root = root.kind == "user"',
    'this.kind == "user"',
    'root.a = this.file."length"',
    'root.length = this.items.length()',
    'root.a = (this.items | []).map_each(undefined -> {undefined: undefined})',
    'root.a = this.type + this.number + this.keys',
  ])('lets %s be: it says what it means', (template) => {
    expect(lines(template)).toEqual([]);
  });

  it('warns of the first fifty of a text', () => {
    const template = `root.a = [${'undefined, '.repeat(200)}nil]`;
    expect(lintTemplate(template)).toHaveLength(50);
  });

  it('looks at every text of a document', () => {
    const templates = [
      '  default: root.a = this.apply("cut")',
      '  other: root.a = None',
      'select:',
      "  - { name: other, match: 'this.a.length > 1' }",
      'data_types:',
      '  cut: { transform: "root = this.trim" }',
    ].join('\n');
    expect(warningsOf(templates).map((one) => one.split('. ')[0])).toEqual([
      '5:19 None is read as the field this.None of the input',
      '7:35 .length is read as a field of that name',
      '9:34 .trim is read as a field of that name',
    ]);
  });
});
