import { describe, expect, it } from '@jest/globals';
import {
  compileQuery,
  compileTemplate,
  describeFault,
  formatJson,
  MappingError,
  parseJson,
} from '../index.js';

const faultOf = (source: string): MappingError => {
  try {
    compileTemplate(source);
  } catch (error) {
    if (error instanceof MappingError) return error;
    throw error;
  }
  throw new Error('it compiled');
};

describe('a template with a fault', () => {
  it.each([
    ['', 'line 1, column 1: an expression is expected here'],
    ['map a {}', 'line 1, column 9: a statement is expected here'],
    ['root = 5.0a', 'line 1, column 11: the number 5.0 runs into a name'],
    ['root = [-1.5x]', 'the number -1.5 runs into a name'],
    ['root = "\\U00110000"', 'the escape is not a Unicode character'],
    ['root = "\\q"', 'the string has an escape that does not exist'],
    ['root = "a\nb"', 'required: expected end quote'],
    ['root = """a', 'the string has no closing """'],
    ['root = 9223372036854775808', 'it does not fit into 64 bits'],
    ['root. = 1', 'line 1, column 7: a method or field is expected after the dot'],
    ['root.a. = 1\n', 'after the dot'],
    ['root = this.', 'a method or field is expected after the dot'],
    ['map a {\n  meta b = 1\n}', 'metadata cannot be set inside a map'],
    ['root = match this { 1 => 2 3 => 4 }', 'a comma or line break is expected after the case'],
    ['root = match this { }', 'a match needs at least one case'],
    ['root = $', 'the name of a variable is expected here'],
    ['root = this.map_each(root -> 1)', 'a parameter cannot be called root'],
    ['root = this.map_each(a -> b -> 1)', 'a lambda cannot be the body of another'],
    ['root = this.slice(1, high: 2)', 'arguments are all named or all in sequence, not both'],
    ['root = nullable', 'a bare field cannot begin with null'],
    ['root = this.slice(high: 1)', 'slice: missing parameter: low'],
    ['root = this.slice(low: 1, top: 2)', 'unknown parameter top, the parameters are low, high'],
  ])('%j says: %s', (source, message) => {
    const error = faultOf(source);
    expect(error.message).toContain(message);
    expect(describeFault(error.faults[0]!, source)).toBe(error.message);
  });

  it('shows the part of a long line where the fault is', () => {
    const { message } = faultOf(`root = ${'this.a + '.repeat(60)}this.nope()`);
    const [, , line = '', caret = ''] = message.split('\n');
    expect(line.length).toBeLessThan(170);
    expect(line.slice(0, caret.length - 1)).toMatch(/this\.nope\(\)$/);
  });
});

describe('a template without a fault', () => {
  it.each([
    ['9007199254740993 + 0.5', null, '9007199254740992'],
    ['"\\x41\\101\\u00e9"', null, '"AAé"'],
    ['["\uffff", "😀", "a"].sort()', null, '["a","\uffff","😀"]'],
    ['["😀", "\uffff"].sort()', null, '["\uffff","😀"]'],
    ['["😁", "😀"].sort()', null, '["😀","😁"]'],
    ['this.get("1.b")', [1, { b: 2 }], '2'],
    ['this.get("x")', [1], 'null'],
    ['this.get("9")', [1], 'null'],
    ['this.a.b.c', { a: 5 }, 'null'],
    ['this.a.timestamp() < this.b.timestamp()', { a: 1, b: 2 }, 'true'],
    ['"2020-13-01T00:00:00Z".timestamp().catch("no time")', null, '"no time"'],
    ['"2020-01-01T00:00:00.5+01:30".timestamp().ts_tz("UTC")', null, '"2019-12-31T22:30:00.5Z"'],
    ['"0050-02-28T23:59:59Z".ts_unix()', null, '-60584198401'],
    ['"2020-02-30T00:00:00Z".timestamp().catch("no time")', null, '"no time"'],
    ['"2020-02-03T00:60:00Z".timestamp().catch("no time")', null, '"no time"'],
    ['-this.a.abs() - -2', { a: -3 }, '-1'],
    ['!(this.a && !this.b)', { a: true, b: false }, 'false'],
    ['match { this.a == 1 => "one", _ => "other" }', { a: 2 }, '"other"'],
    ['match {"a": 1} { {"a": 1} => true, _ => false }', null, 'true'],
    ['{"a": 1} == {"a": 1.0}', null, 'true'],
    ['"a".bytes() + "b" == "ab".bytes()', null, 'true'],
    ['"a".bytes() < "b"', null, 'true'],
    ['1 && 0 || true', null, 'true'],
  ])('%s of %j is %s', (source, input, output) => {
    expect(formatJson(compileQuery(source)(parseJson(JSON.stringify(input))))).toBe(output);
  });

  it.each([
    ['"a".bytes() + 1', 'cannot add types bytes and number'],
    ['"a" && true', 'expected bool value, got string'],
    ['this.a - "x"', 'cannot subtract types null and string'],
    ['"a" < 1', 'cannot compare types string and number'],
    ['this.b / 0', 'attempted to divide by zero'],
    ['this.b % 0.5', 'attempted to divide by zero'],
  ])('%s fails: %s', (source, message) => {
    expect(() => compileTemplate(`root = ${source}`).run({ b: 1 })).toThrow(message);
  });

  it('is refused data that nests deeper than the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(() => compileTemplate('root = this.string()').run(deep)).toThrow('nested too deep');
  });
});

describe('files of types', () => {
  it('have no code', async () => {
    expect(Object.keys(await import('./ast.js'))).toEqual([]);
    expect(Object.keys(await import('./specification.js'))).toEqual([]);
  });
});
