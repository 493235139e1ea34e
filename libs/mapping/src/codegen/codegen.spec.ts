import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileTemplate, parseJson, standardEnvironment } from '../index.js';
import { parseTemplate } from '../language/parse.js';
import { Adaptive } from './adaptive.js';
import { NotGenerated } from './emitter.js';
import { templateSource } from './generate.js';
import { assertGenerated, js, quoted } from './javascript.js';
import { closures, generatedCode, outcomeOf } from '../../../../test/mapping-oracle/outcome.js';

const { functions, methods } = standardEnvironment;

const cases = Object.values(
  parse(readFileSync(join(process.cwd(), 'libs/mapping/cases/methods.yaml'), 'utf8')) as Record<
    string,
    [string, unknown, unknown][]
  >,
)
  .flat()
  // A case that does not compile cannot run in either way.
  .filter(([, , result]) => (result as { refused?: string } | null)?.refused === undefined);
const examples = [...methods.values(), ...functions.values()].flatMap(
  ({ examples: given }) => given,
);

function agree(source: string, input: unknown, fuel?: number): void {
  expect(outcomeOf(source, input, generatedCode, fuel)).toBe(
    outcomeOf(source, input, closures, fuel),
  );
}

describe('generated code', () => {
  it('does what closures do, and spends as much, in every case and example of a method', () => {
    for (const [expression, self] of cases)
      agree(`root.x = ${expression}`, parseJson(JSON.stringify(self)));
    for (const [source, input] of examples) agree(source, parseJson(input));
    expect(cases.length + examples.length).toBeGreaterThan(150);
  });

  it.each([
    'root.a = this.a.b.c\nroot.b = this.n + 1\nroot.c = this.s + "x" + this.s\nroot.d = this.a',
    'root.a = this.n - this.s',
    'root.a = (this.n * 2 > 3 && this.s == "text") || this.missing > 1',
    'root.a = this.missing.uppercase().catch(this)\nroot.b = this.s.uppercase() | "none"',
    'root.a = this.n.uppercase()\nroot.b = 1',
    'root.a = {"x": {"y": this.n.uppercase()}}',
    'root.a = {"x": this.n.uppercase()}.catch(error -> error)',
    'root.a = [this.n, deleted(), nothing(), this.s.lowercase()]\nroot.b = {"x": deleted(), "y": this.n, this.s: 1}',
    'root.a = {this.n: 1}',
    'root.a = this.list.map_each(v -> if v > 2 { deleted() } else if v > 1 { nothing() } else { v * 10 })',
    'root.a = this.list.map_each(v -> v.uppercase())',
    'root.a = this.a.map_each(item -> item.key + item.value.type())\nroot.b = this.a.filter(item -> item.key == "b")',
    'root.a = this.list.map_each(v -> this.list.filter(w -> w > v).map_each(w -> w + v))',
    'root.a = this.s.map_each(v -> v)',
    'root.a = this.list.map_each(v -> v.lowercase()).catch("none")\nroot.b = this.s.filter(v -> v) | 5',
    'root.a = match this.s { "other" => 1, this.length() == 4 => this + "!", _ => 2 }',
    'root.a = match this.n { this.uppercase() == "X" => 1 }',
    'root.a = match { this.n > 100 => 1, true => 2 }\nroot.b = match this.n { 5 => "five", 7.0 => "seven" }',
    'root.a = if this.n { 1 }\nroot.b = 2',
    'root.a = if this.missing { 1 } else if this.n == 7 { 2 }\nroot.b = if false { 1 }',
    'let a = this.n\nroot.a = $a\nlet a = $a + 1\nroot.b = $a\nlet a = deleted()\nroot.c = $a | "gone"\nroot.d = $a',
    'if this.n > 5 {\n  let x = 1\n  root.a = $x\n} else {\n  root.b = 2\n}\nroot.c = $x + 1',
    'if this.s {\n  root.a = 1\n}',
    'if this.n > 100 {\n  let y = 1\n} else if this.s == "text" {\n  root.y = $y\n}',
    'let name = "v"\nlet v = 3\nroot.a = var($name)\nroot.b = var("w")',
    'root.a.b = this.a\nroot.a.b.c = 1\nroot.d = this.a\nroot.a.b.d = root.d',
    'root.a = 1\nroot.b = root\nlet r = root\nroot.c = 2\nroot.d = $r\nmeta r = root',
    'root.a = 1\nroot.a.b = 2\nroot.c = this.n.uppercase()',
    'root = this\nroot.a = deleted()\nroot.list."0" = "first"\nroot.list."-" = "last"',
    'root.a = this.x | deleted()\nroot.b.c = this.x | deleted()\nroot.b.d = this.n',
    'root.b.c = this.x | deleted()\nroot.b.e = nothing()',
    'root.x = [deleted()].append(deleted()).index(0)\nroot.y = 1',
    'root.x = {"a": [].append(nothing()).index(0), "b": 1}\nroot.y = [[].append(deleted()).index(0), 2]',
    'root = deleted()\nroot.a = 1',
    'root = this.s\nroot.a = 1',
    'meta a = this.n\nmeta b = @a\nmeta m = deleted()\nroot.a = @\nroot.b = @b\nroot.c = root_meta("a")',
    'meta = {"a": this.n}\nmeta c = 2\nmeta = this.n',
    'root.a = (this.n).(n -> n + this.n)\nroot.b = this.a.(b)\nroot.c = this.a.map(b)\nroot.d = (_ -> this.n)',
    'root.a = -this.n\nroot.b = -this.s',
    'root.a = !(this.n == 7)\nroot.b = !this.s',
    'root.a = this.s.number(this.n)\nroot.b = this.s.number(this.s)',
    'root.a = this.big + 1\nroot.b = this.big * this.big\nroot.c = 7 % this.n\nroot.d = this.n / 0',
    'root.a = this.n % 3\nroot.b = -7 % this.n\nroot.c = this.big % 10\nroot.d = this.f * 2 + this.n / 2',
    'root.a = this.n <= 7\nroot.b = this.n >= 8\nroot.c = this.s < "u"\nroot.d = this.s > this.n',
    'root.a = null == this.missing\nroot.b = true == this.n\nroot.c = this.n == true\nroot.d = this.a == this.a\nroot.e = this.big == 9007199254740993',
    'root.a = this.s.length()\nroot.b = this.list.length()\nroot.c = this.a.length()\nroot.d = this.n.length()',
    'root.a = this.list.index(0)\nroot.b = this.list.index(-1)\nroot.c = this.list.index(9)',
    'root.a = this.s.replace_all("t", "T").replace("x", "")\nroot.b = this.n.replace_all("a", "b")',
    'root.a = this.s.replace_all("a text of twenty letters", "x")\nroot.b = this.s.replace("text", "t")',
    'root.a = this.s.string()\nroot.b = this.n.string()\nroot.c = this.list.array()\nroot.d = this.n.array()\nroot.e = this.n.not_null()\nroot.f = this.missing.not_null()',
    'root.a = this.list.fold(0, item -> item.tally + item.value)\nroot.b = this.list.any(v -> v > 2)\nroot.c = this.list.sort(p -> p.left > p.right)',
    'root.a = this.list."*"\nroot.b = this.rows."*".n\nroot.c = this.s.length\nroot.d = this.list.length\nroot.e = this.rows."1".n',
    'map twice {\n  let n = this\n  root = $n * 2\n}\nmap nope {\n  root.x = nothing()\n}\nlet n = 5\nroot.a = this.n.apply("twice")\nroot.b = this.apply("nope")\nroot.c = $n\nroot.d = this.apply("none")',
    'map whole {\n  root = this\n}\nroot = this.apply("whole")\nroot.a = this.n',
    'map down {\n  root = if this > 0 { (this - 1).apply("down") } else { "end" }\n}\nroot = this.n.apply("down")',
    'map deep {\n  root = this.apply("deep")\n}\nroot = this.apply("deep").catch("no")',
    'root.a = throw("why").catch(this)\nroot.b = throw("x") | "y"\nroot.c = throw("z").or(this.n)\nroot.d = throw("end")',
    'root.a = "é".uppercase() + "ß".uppercase() + "İ".lowercase()\nroot.b = this.a.b.bytes().lowercase()',
    'root.a = -5.abs()\nroot.b = (1 + 2) * 3 == 9\nroot.c = "a" + "b" == "ab"\nroot.d = [1, 2] == [1, 2]',
    'root.a = this.s.slice(this.n)\nroot.b = this.s.slice(low: 1, high: this.s)',
    'root.a = x -> x.n\nroot.b = this.(x -> x.n + y)',
  ])('does what closures do: %s', (source) => {
    const input = {
      n: 7,
      s: 'text',
      f: 1.25,
      a: { b: 'b' },
      list: [3, 1, 2],
      rows: [{ n: 1 }, { n: 2 }],
      big: 9007199254740993n,
    };
    for (const one of [input, {}, null, 'text', [input], { ...input, n: 'seven', list: 5 }])
      for (const fuel of [1_000_000, 40, 12, 6, 3, 1]) agree(source, one, fuel);
  });

  it('goes as deep as closures do, however much a template has in it', () => {
    const fields = Array.from({ length: 300 }, (_, n) => `  root.f${n} = this.a.b | ${n}`);
    const source = `map down {\n${fields.join('\n')}\n  root.z = if this > 0 { (this - 1).apply("down") } else { "end" }\n}\nroot = this.apply("down").z.z.f1`;
    agree(source, 450);
  });

  it('holds no text of the template: names that are no words, and literals, go by reference', () => {
    const source =
      'root."a`${x}" = "}; throw 1; {"\nroot."\\"]; x; [\\"" = this."\\u2028"\nroot.__proto__.constructor = $__proto__ | """*/ evil /*""".uppercase()\nlet evil = 1\nroot.b = {"k-k": $evil}\nlet __proto__ = 1';
    const { code, constants } = templateSource(parseTemplate(source), standardEnvironment);
    for (const part of ['evil', 'throw 1', '`', '$', '__proto__', 'k-k', '\u2028', '\\'])
      expect(code).not.toContain(part);
    expect(constants).toContain('}; throw 1; {');
    agree(source, {});
    expect(Object.hasOwn(Object.prototype, 'constructor')).toBe(true);
    expect({}.constructor).toBe(Object);
  });

  it('is read before it is run: a word that the generator does not write is refused', () => {
    for (const code of [
      'process.exit()',
      'let a = `x`',
      "'x'",
      '"a b"',
      'x = /a/',
      '/* x */ c',
      'fuel[\u2028]',
    ])
      expect(() => assertGenerated(`${code};`, ['exhausted'])).toThrow(TypeError);
    assertGenerated('if ((run.fuel -= 3) < 0) exhausted(run);', ['exhausted']);
    expect(() => quoted('a b')).toThrow(TypeError);
    expect(() => js`${NaN}`).toThrow(TypeError);
  });

  it('is made after the work of many runs, not before', () => {
    const template = compileTemplate('root.a = this.a + 1', { generateAfter: 10 });
    for (let run = 0; run < 20; run += 1)
      expect(template.run({ a: run }).root).toEqual({ a: run + 1 });
    let made = 0;
    const tiers = new Adaptive('closures', () => `generated ${(made += 1)}`, 10);
    for (let run = 0; run < 12; run += 1) {
      expect(tiers.current).toBe(run < 10 ? 'closures' : 'generated 1');
      tiers.note(1);
    }
  });

  it('is not made of long templates, nor where making code is forbidden', () => {
    const long = Array.from({ length: 4_000 }, (_, n) => `root.a${n} = this.a + ${n}`).join('\n');
    expect(() => templateSource(parseTemplate(long), standardEnvironment)).toThrow(NotGenerated);
    agree(long.slice(0, 3_000).replace(/\n.*$/, ''), { a: 1 });
    expect(compileTemplate(long, generatedCode).run({ a: 1 }).root).toHaveProperty('a3999', 4_000);
    const onto = compileTemplate('root.b = this.a', generatedCode);
    expect(onto.run({ a: 1 }, { root: { c: 2 } }).root).toEqual({ b: 1, c: 2 });
    expect(onto.run({ a: 3 }, { root: { b: 2 } }).root).toEqual({ b: 3 });
    const forbidden = (): never => {
      throw new EvalError('Code generation from strings disallowed for this context');
    };
    expect(new Adaptive('closures', forbidden, 0).current).toBe('closures');
    expect(
      () =>
        new Adaptive(
          'closures',
          () => {
            throw new TypeError('a fault of ours');
          },
          0,
        ),
    ).toThrow('a fault of ours');
  });
});
