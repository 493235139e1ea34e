import { describe, expect, it } from '@jest/globals';
import { inputFieldsOfQuery, inputFieldsOfTemplate } from './input-fields.js';

const ofQuery = (text: string) => inputFieldsOfQuery(text).map(({ names }) => names.join('.'));

describe('the fields of the input that an expression reads', () => {
  it.each([
    ['this.steps.list.items', ['steps.list.items']],
    ['steps.list', ['steps.list']],
    ['this.a == null && this.b.c > 1', ['a', 'b.c']],
    ['this.a.or(this.b)', ['a', 'b']],
    ['if this.a { this.b } else { {"x": [this.c]} }', ['a', 'b', 'c']],
    ['match { this.a => 1, _ => this.b }', ['a', 'b']],
  ])('are found in %s', (text, fields) => {
    expect(ofQuery(text)).toEqual(fields);
  });

  it.each([
    ['arguments with a `this` of their own', 'this.rows.map_each(this.id)', ['rows']],
    ['bodies behind a dot', 'this.rows.(this.id)', ['rows']],
    ['cases of a match with a subject', 'match this.a { this.b == 1 => 2, _ => this.c }', ['a']],
    ['parameters of lambdas', 'this.rows.map_each(row -> row.id + this.x)', ['rows', 'x']],
    ['variables and metadata', '$name + @name', []],
    ['the input as a whole', 'this.without("a")', []],
  ])('do not include %s', (_name, text, fields) => {
    expect(ofQuery(text)).toEqual(fields);
  });

  it('have the offset of each of their names', () => {
    expect(inputFieldsOfQuery('1 + this.steps.list')).toEqual([
      { names: ['steps', 'list'], offsets: [9, 15], use: 'other' },
    ]);
  });

  it.each([
    ['this.a.b', ['value']],
    ['this.a.length()', ['target']],
    ['1 + this.a.filter(x -> x == this.b).length()', ['target', 'other']],
    ['this.a.length() | 0', ['other']],
    ['this.a.filter(true).length().or(this.b)', ['other', 'other']],
    ['this.a.length().catch(0)', ['other']],
    ['this.a.string()', ['other']],
    ['if this.a == null { this.a.length() }', ['other', 'other']],
    ['this.a.all(x -> this.b.length() > x)', ['target', 'other']],
    ['this.a.length() > 0 && this.b.length() > 0', ['target', 'other']],
  ])('say how %s uses them', (text, uses) => {
    expect(inputFieldsOfQuery(text).map(({ use }) => use)).toEqual(uses);
  });

  it('of a template are those of its statements, without its maps', () => {
    const template = 'map one { root = this.inner }\nlet x = this.a\nroot.b = if this.c { $x }';
    expect(inputFieldsOfTemplate(template).map(({ names }) => names)).toEqual([['a'], ['c']]);
  });
});
