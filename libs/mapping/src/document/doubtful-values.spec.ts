import { describe, expect, it } from '@jest/globals';
import { lintNames, lintText } from '../index.js';

/** Warnings of a mapping document whose default template this is, by column and message. */
function warningsOf(template: string, more = ''): string[] {
  const lines = template.split('\n').map((line) => `    ${line}\n`);
  const source = `engine: bloblang_direct\nversion: '1.0'\ntemplates:\n  default: |\n${lines.join('')}${more}`;
  return lintNames(source, true).map(
    ({ line, column, message }) => `${line - 4}:${column - 4} ${message}`,
  );
}

const subject = (path: string) => `this is the subject of the match here, and has no field ${path}`;
const whole = '.get("") is the whole value, and no field of it';
const open = 'another value than these is lost: the match has no case _';
const noList = (name: string) => `.${name}() fails where the list is missing`;

describe('a mapping that loses what a record has', () => {
  it.each<[string, ...string[]]>([
    // A field of the subject of a match, which is a text.
    [
      'root.a = match this.p { "a" => 1, _ => if this.u == "x" { 2 } else { u } }',
      `1:43 ${subject('u')}`,
      `1:70 ${subject('u')}`,
    ],
    ['root.a = match this.p { this.q.r == 1 => 1, "a" => 2, _ => 3 }', `1:25 ${subject('q.r')}`],
    [
      'root.a = match this.p { 1 => match this.q { "x" => 1, _ => 2 }, _ => 3 }',
      `1:36 ${subject('q')}`,
    ],
    ['root.a = match this.p { "a" => 1, this.contains("b") => 2, _ => this }'],
    ['root.a = match this.p { this.q == 1 => this.r, _ => 2 }'],
    ['let u = this.u\nroot.a = match this.p { "a" => $u, _ => root.b }'],
    ['root.a = match this.p { "a" => [1].map_each(this.x), _ => [1].map_each(x -> x.y) }'],
    ['root.a = match { this.p == "a" => this.q, _ => 1 }'],
    [
      'root.a = match this.p { "a" => this.l.map_each(one -> one.b), _ => [] }',
      `1:32 ${noList('map_each')}`,
      `1:32 ${subject('l')}`,
    ],

    // A match without another case.
    ['root.a = match this.priority.name { "High" => "HIGH" }', `1:10 ${open}`],
    ['root.a = match this.issueType | "" { "a" => 1, "b" => 2 }', `1:10 ${open}`],
    ['root.a = match this { "a" => 1 }', `1:10 ${open}`],
    ['root.a = match this.priority { "High" => "HIGH", _ => nothing() }'],
    ['root.a = match this.priority { "High" => 1, this.contains("x") => 2 }'],
    ['root.a = match this.version { 1 => "a", 2 => "b" }'],

    // A table that is asked for an empty text.
    ['root.a = {"x": 1}.get(this.p | "")', `1:23 ${whole}`],
    ['root.a = {"x": 1}.get((this.p | "").lowercase()) | 2', `1:23 ${whole}`],
    ['let p = this.p.or("")\nlet t = {"x": 1}\nroot.a = $t.get($p)', `3:17 ${whole}`],
    ['root.a = {"x": 1}.get(this.p | "none")'],
    ['root.a = {"x": 1}.get(this.p)'],

    // Lists and times that may be missing.
    ['root.a = this.l.map_each(one -> one.b)', `1:10 ${noList('map_each')}`],
    ['root.a = this.get("l").unique()', `1:10 ${noList('unique')}`],
    ['let l = this.l\nroot.a = $l.map_each(one -> one.b)', `2:10 ${noList('map_each')}`],
    [
      'root.a = (this.l | this.m).map_each(one -> one.m.map_each(two -> two))',
      `1:11 ${noList('map_each')}`,
      `1:44 ${noList('map_each')}`,
    ],
    ['root.a = (this.l | []).map_each(one -> one.b)'],
    ['root.a = this.l.map_each(one -> one.b) | []'],
    ['root.a = this.l.map_each(one -> one.b).catch([])'],
    ['root.a = if this.l != null { this.l.map_each(one -> one.b) }'],
    ['root.a = if (this.l | []).length() > 0 { this.l.map_each(one -> one.b) } else { [] }'],
    ['if this.l != null {\n  root.a = this.l.map_each(one -> one.b)\n}'],
    ['root.a = this.l != null && this.l.map_each(one -> one.b).length() > 1'],
    ['root.a = match { this.l == null => [], _ => this.l.map_each(one -> one.b) }'],
    [
      'let l = if (this.l | []).length() > 0 { this.l } else { [1] }\nroot.a = $l.map_each(one -> one)',
    ],
    ['root.a = @path.a.map_each(one -> one)'],
    ['root.a = [this.a, this.b].unique()', '1:10 .unique() fails where an element is null'],
    [
      'root.a = [this.a | "x"].concat([this.b]).unique()',
      '1:10 .unique() fails where an element is null',
    ],
    [
      'root.a = (this.l | []).map_each(one -> one.b).unique()',
      '1:10 .unique() fails where an element is null',
    ],
    ['root.a = [this.a, this.b].filter(one -> one != null).unique()'],
    ['root.a = this.t.apply("ocsf.time")', '1:10 ocsf.time fails where the time is missing'],
    [
      'root.a = (this.t | this.u).apply("ocsf.time")',
      '1:11 ocsf.time fails where the time is missing',
    ],
    ['root.a = this.t.apply("ocsf.time") | nothing()'],
    ['root.a = if this.t != null { this.t.apply("ocsf.time") }'],
    ['root.a = now().apply("ocsf.time")'],

    // Fields that nothing reads.
    [
      'root.a = this.b\nroot.unmapped = this.without("b", "c", "d.e")',
      '2:35 nothing reads c, and without() drops it',
      '2:40 nothing reads d.e, and without() drops it',
    ],
    ['root.a = this.get("b.c")\nroot.unmapped = this.without("b.c", "__root__")'],
    [
      'root.a = this.b.map_each(one -> one.c) | []\nlet rest = this.without("b.*.c", "d")\nroot.unmapped = $rest',
      '2:34 nothing reads d, and without() drops it',
    ],
    ['root = this.without("b")'],
  ])('%s', (template, ...expected) => {
    expect(warningsOf(template)).toEqual(expected);
  });

  it('reads a field in any of its templates', () => {
    const other = '  other: root = this.c\n';
    const template = 'root = this.without("c").assign({"a": this.apply("other")})';
    expect(warningsOf(template, other)).toEqual([]);
  });

  it('warns at an expression of another document of what does not depend on records', () => {
    const at = (text: string) => ({
      located: { text, locate: (line: number, column: number) => ({ line, column }) },
      isQuery: true,
    });
    expect(lintText(at('this.l.map_each(one -> {"a": 1}.get(one.b | ""))'))).toMatchObject([
      { column: 37, message: whole },
    ]);
  });

  it('takes a time that grows with the length of a text of strangers', () => {
    const many = (part: (at: number) => string, separator: string, length = 4_000) =>
      Array.from({ length }, (_, at) => part(at)).join(separator);
    const texts = [
      `root.a = ${many((at) => `this.a${at} == 1`, ' && ', 400)}`,
      `root.a = match { ${many((at) => `this.a${at} == 1 => this.b${at}.map_each(x -> x)`, ', ')} }`,
      `let v0 = this.a\n${many((at) => `let v${at + 1} = if $v${at} { $v${at} } else { $v${at} }`, '\n')}\nroot.a = $v4000.map_each(x -> x)`,
    ];
    const begun = performance.now();
    for (const text of texts) expect(warningsOf(text).length).toBeLessThan(51);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
