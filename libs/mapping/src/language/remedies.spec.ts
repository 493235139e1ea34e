import { describe, expect, it } from '@jest/globals';
import { compileQuery, compileTemplate } from '../index.js';

function faultOf(source: string): string {
  try {
    compileTemplate(source);
  } catch (error) {
    return (error as Error).message;
  }
  return 'it compiles';
}

describe('a template by somebody who comes from another language', () => {
  it.each([
    ['root.a = this.name.toLowerCase()', 1, 'Write .lowercase().'],
    ['root.a = this.name.trimStart()', 1, 'Write .re_replace('],
    ['root.a = this.a.fooBar()', 1, 'lower case'],
    ['root.a = this.list.includes("x")', 1, 'Write .contains("…").'],
    ['root.a = items[0]', 1, 'An element is written items.0'],
    ['root.a = this.items[-1].x', 1, '.index(-1)'],
    ['root.a = this["a b"]', 1, 'this."the name"'],
    ['root.a = this.x ? 1 : 2', 1, 'if a { b } else { c }'],
    ['root.a = 1 if this.b', 1, 'root.a = if this.b { 1 }'],
    ["root.a = 1\nroot.b = 'text'", 2, 'double quotes'],
    ['root.a = `text`', 1, 'double quotes'],
    ['// note\nroot.a = 1', 1, 'A comment begins with #.'],
    ['root.a = 1 // note', 1, 'A comment begins with #.'],
    ['root.a = 1\n/* note */', 2, 'A comment begins with #.'],
    ['root.kind == "user"\nroot.b = 1', 2, 'An assignment has one ='],
    ['root.a = 1\nroot.kind == "user"', 2, 'An assignment has one ='],
    ['if this.a = 1 {\n  root.b = 1\n}', 1, 'Equal is written ==.'],
    ['root.a = this.b === 1', 1, 'Equal is written ==.'],
    ['root.a = this.b !== 1', 1, 'Unequal is written !=.'],
    ['root.a = this?.b', 1, 'a path through null is null'],
    ['root.a = this.b ?? 1', 1, 'a | b'],
    ['root.a = this.l.map_each(x => x.a)', 1, 'x -> …'],
    ['root.a = 1;', 1, 'semicolon'],
    ['const a = 1', 1, 'let name = …'],
    ['return this.a', 1, 'nothing is returned'],
    ['root.a += 1', 1, 'root.a = root.a + 1'],
    ['root.a = {...this}', 1, 'a.merge(b)'],
    ['for x in this.l { root.a = x }', 1, '.map_each(x -> …)'],
    ['root.a = .foo', 1, 'this.name'],
    ['.foo | length', 1, 'this.name'],
    ['root.a = this.x.to_entries()', 1, 'Write .key_values().'],
    ['root.a = ascii_downcase(this.a)', 1, 'Write .lowercase().'],
    ['root.a = this.a and this.b', 1, 'And is written &&.'],
    ['root.a = if this.a { 1 } elif this.b { 2 }', 1, 'else if'],
    ['root.a = $.foo', 1, 'The input is `this`'],
    ['root.a = $uppercase(this.a)', 1, 'Write .uppercase().'],
    ['root.a = $formatNumber2(this.a)', 1, 'lower case'],
    ['root.a = this.a & "x"', 1, 'Texts are joined by +.'],
  ])('%j is told the remedy', (source, line, remedy) => {
    const message = faultOf(source);
    expect(message).toContain(remedy);
    expect(message).toContain(`line ${line}, column `);
  });

  it('is told of variables that no let makes, with the nearest that one makes', () => {
    expect(faultOf('let user = this.user\nroot.a = $usr.name')).toMatch(
      /^line 2, column 10: variable 'usr' undefined\n[^]*Did you mean user\?$/,
    );
    expect(faultOf('root.a = $user')).toContain('A variable is made by let user = ….');
    expect(faultOf('map m {\n  root = $a\n}\nlet a = 1\nroot = this.apply("m")')).toContain(
      "line 2, column 10: variable 'a' undefined",
    );
    expect(faultOf('if this.x { let a = 1 }\nroot.a = $a')).toBe('it compiles');
    expect(() => compileQuery('this.a + $b')).toThrow(
      /^line 1, column 10: variable 'b' undefined\n[^]*\nAn expression alone has no variables/,
    );
  });
});
