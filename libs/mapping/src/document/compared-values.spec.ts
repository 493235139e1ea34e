import { describe, expect, it } from '@jest/globals';
import { valueUsesOfTemplate } from './compared-values.js';

const comparedIn = (text: string) =>
  valueUsesOfTemplate(text).compared.map(({ expression, values }) => [expression, values]);

describe('the values that a template knows', () => {
  it.each([
    ['root = match this.state { "open" => 1, "closed" => 2, _ => 0 }', 'this.state'],
    ['root = match (this.state | "").lowercase() { "open" => 1, "closed" => 2 }', 'this.state'],
    ['root = ["open", "closed"].contains(this.state)', 'this.state'],
    ['root = {"open": 1, "closed": 2}.get(this.state | "none")', 'this.state'],
    ['root = this.state == "open" || this.state != "closed"', 'this.state'],
    ['let word = this.state.string()\nroot = match $word { "open" => 1, "closed" => 2 }', '$word'],
    [
      'root = this.list.map_each(one -> match one.state { "open" => 1, "closed" => 2 })',
      'one.state',
    ],
    ['map inner {\n  root = match this { "open" => 1, "closed" => 2 }\n}\nroot = 1', 'this'],
  ])('are found in %s', (text, expression) => {
    expect(comparedIn(text)).toEqual([[expression, ['open', 'closed']]]);
  });

  it('are numbers and truths too', () => {
    const text =
      'root.a = match this.a { 1 => "x", 2 => "y" }\nroot.b = match b { true => 1, false => 2 }';
    expect(comparedIn(text)).toEqual([
      ['this.a', [1, 2]],
      ['b', [true, false]],
    ]);
  });

  it.each([
    ['one value', 'root = this.state == "open"'],
    ['what the template has made', 'root.x = match root.y { 1 => "a", 2 => "b" }'],
    [
      'a variable that chooses',
      'let n = match { this.a => 1, _ => 2 }\nroot = match $n { 1 => 3, 2 => 4 }',
    ],
    ['the name of a type', 'root = match this.a.type() { "object" => 1, "array" => 2 }'],
    ['the key of a field', 'root = this.filter(f -> ["a", "b"].contains(f.key))'],
    ['a variable that names itself', 'let a = $a\nroot = match $a { 1 => 3, 2 => 4 }'],
  ])('do not include %s', (_what, text) => {
    expect(comparedIn(text)).toEqual([]);
  });

  it('go with the templates that are applied to the input, and the fields that depend on it', () => {
    const text = `let word = this.state
root.severity = this.level.apply("severity")
root.fixed = 1.apply("severity_of_id")
root.state.name = $word
root.kind = "alert"`;
    const { applied, assigned } = valueUsesOfTemplate(text);
    expect([applied, assigned]).toEqual([['severity'], ['severity', 'state']]);
  });
});
