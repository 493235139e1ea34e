import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { standardEnvironment } from '../methods/standard-environment.js';
import { multiplies } from './multiplies.js';
import { parseTemplate } from './parse.js';
import { mayRead } from './walk.js';

const bench = join(process.cwd(), 'libs/mapping/bench');

describe('a result whose size need not be measured', () => {
  it('is that of the templates that are measured for speed', () => {
    const files = readdirSync(bench).filter((name) => name.endsWith('.blobl'));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files)
      expect([
        file,
        multiplies(parseTemplate(readFileSync(join(bench, file), 'utf8')), standardEnvironment),
      ]).toEqual([file, false]);
  });

  it.each([
    'root = this',
    'root.a = this.a\nroot.b = this.a',
    'let a = this.a\nroot = [$a, $a.b | this.c]',
    'let n = this.a.length()\nroot.a = this.list.map_each(v -> v.n + $n)',
    'root.a = this.list.map_each(v -> {"a": v.b, "c": v.b.uppercase()})',
    'root.a = this.list.map_each({"a": this.b})',
    'root.a = this.list.filter(v -> v.a > 1).map_each(v -> v.a)',
    'root.a = if this.a == 1 { this.b } else { [] }\nroot.b = match this.a { 1 => this.b, _ => a }',
    'root.a = this.a.or([this.b]).index(0).c\nroot.b = this.b.uppercase().catch(null)\nmeta a = @b',
    'if this.a == 1 {\n  root.a = this.b\n} else {\n  root.a = deleted()\n}\nroot.b = -this.c + now().length()',
    'root.a = root.a.length()\nroot.b = !this.a',
    'root.a = "%s at %s".format(this.a, this.b)\nroot.b = this.a.re_replace_all("a+", "b")',
    'root.a = this.a.split(",").map_each(v -> {"a": v.trim(), "b": v})',
    'root.a = [this.a].concat(this.list.map_each(v -> v.a | deleted())).map_each(v -> v.lowercase())',
    'let a = this.a.or({})\nroot.a = $a.b\nroot.b = this.a.map_each(v -> v.b).concat([{"a": this.b}])',
  ])('is that of %s', (source) => {
    expect(multiplies(parseTemplate(source), standardEnvironment)).toBe(false);
  });

  it.each([
    'let a = [this]\nroot = [$a, $a]',
    'root.a = this.list.map_each(v -> this.b)',
    'let a = this.a\nroot.a = this.list.map_each(v -> $a)',
    'root.a = this.list.map_each(v -> v.list.map_each(w -> v.a))',
    'root.a = this.list.map_each(v -> v.list.map_each({"a": v.a}))',
    'root.a = range(0, 10).map_each(n -> "text" + this.a)\nroot.b = range(0, 9).map_each(n -> [n])',
    'root.a = 1\nroot.b = root',
    'let a = "%s".format(this.a)\nroot.a = this.list.map_each(v -> $a)',
    'let a = json()\nroot.a = this.list.map_each(v -> $a)',
    'root.a = this.list.map_each(v -> [v, v]).map_each(v -> [v, v])',
    'root.a = this.list.concat(this.list.map_each(v -> this.a))',
    'root.a = [this].concat([this.list.map_each(v -> [v, v])]).map_each(v -> [v, v])',
    'root.a = [this].(v -> [v, v])',
    'root.a = [].(1)', // which is not certain
    'root.a = match [this.a] { _ => [this, this] }',
    'root.a = this.a.fold([], item -> [item.tally, item.tally])',
    'root.a = this.apply("b")',
    'map b {\n  root = 1\n}\nroot = 1',
    'root.a = var("b")',
    'root.a = this.a.merge(this.b)',
    'if this.a == 1 {\n  root.a = root\n}',
  ])('is not that of %s', (source) => {
    expect(multiplies(parseTemplate(source), standardEnvironment)).toBe(true);
  });
});

describe('whether a template may read a field', () => {
  it.each([
    ['root.a = this.b.c', false],
    ['root.a = this.x.b', true],
    ['root.a = x', true],
    ['root.a = this."*".b', true],
    ['root = this', true],
    ['root.a = this.get("b")', true],
    ['root.a = json("b")', true],
    ['root = this.without("a", "x")', false],
    ['root = this.without("a")', true],
    ['root = this.without("x", this.x)', true],
    ['root.a = [now(), this.b | this.c.(d)]', false],
    ['map a {\n  root.a = this.x\n}\nroot.a = this.b', true],
    ['if this.x == 1 {\n  root.a = 1\n}', true],
  ])('of %s is %p', (source, expected) => {
    expect(mayRead(parseTemplate(source), 'x')).toBe(expected);
  });
});
