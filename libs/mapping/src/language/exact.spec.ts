import { describe, expect, it } from '@jest/globals';
import { compileTemplate, LimitError, MappingError } from '../index.js';

// Corners in which engines tend to differ from the reference.

describe.each([
  ['closures', { generateAfter: Infinity }],
  ['generated code', { generateAfter: 0 }],
])('exactly, run by %s,', (_tier, options) => {
  const run = (source: string, input: unknown = {}) =>
    compileTemplate(source, options).run(input).root;

  it('logfmt has the escapes of JSON in quotes, and keeps other backslashes', () => {
    const line = String.raw`a="x \"y\"\n\t\\" b="\u00e9" c="C:\Windows" d=\n`;
    expect(run('root = this.parse_logfmt()', line)).toEqual({
      a: 'x "y"\n\t\\',
      b: 'é',
      c: String.raw`C:\Windows`,
      d: String.raw`\n`,
    });
  });

  it.each([
    ['P3Y6M4DT12H30M5.3S', 110839937300000000n],
    ['P3Y6M4DT12H30M5.33S', 110839937300000000n],
    ['PT1,5S', 1500000000],
    ['-PT1.59S', -1500000000],
    ['+PT0.1M', 6000000000],
  ])('the ISO 8601 duration %s has one digit of a fraction', (text, nanoseconds) => {
    expect(run('root = this.parse_duration_iso8601()', text)).toBe(nanoseconds);
  });

  it.each(['P', 'PT', 'P1DT', '-P', 'P1.5Y2.5M', 'PT1.S', 'P1S'])(
    '%s is not an ISO 8601 duration',
    (text) => {
      expect(() => run('root = this.parse_duration_iso8601()', text)).toThrow('duration');
    },
  );

  it('a text equals its bytes, on either side, in lists and as a case', () => {
    const bytes = Buffer.from('hellö');
    const input = { text: 'hellö', bytes, other: Buffer.from('hello'), long: 'x'.repeat(2_000) };
    expect(
      run(
        `root.a = this.text == this.bytes
root.b = this.bytes == this.text
root.c = this.bytes == "hellö"
root.d = "hellö" != this.bytes
root.e = [this.text] == [this.bytes]
root.f = match this.bytes { "hellö" => 1, _ => 2 }
root.g = this.text == this.other
root.h = this.long == this.long.bytes()
root.i = this.missing == "hellö"`,
        input,
      ),
    ).toEqual({ a: true, b: true, c: true, d: false, e: true, f: 1, g: false, h: true, i: false });
  });

  it('nothing can be assigned to a root that was deleted', () => {
    expect(() => run('root = deleted()\nroot.a = 1')).toThrow(
      'failed assignment (line 2): unable to set target path a as the value of root was a non-object type (delete)',
    );
    expect(run('root = deleted()\nroot = {"a": 1}')).toEqual({ a: 1 });
    expect(String(run('root.a = 1\nroot = deleted()'))).toBe('Symbol(deleted())');
  });

  it('an if may do nothing, wherever it stands', () => {
    expect(run('if true { }\nroot.a = 1')).toEqual({ a: 1 });
    expect(run('if false {\n  # later\n} else { root.a = 2 }')).toEqual({ a: 2 });
  });

  it('a lambda names a value, and leaves `this` and the lambdas around it as they are', () => {
    const input = { b: { c: 1 }, c: 2 };
    expect(run('root = this.(a -> a.(b -> b.c))', input)).toBe(2);
    expect(run('root = this.(a -> a.b.(b -> b.c + a.c + this.c))', input)).toBe(5);
  });

  it('negating the smallest integer wraps, as 0 - x does', () => {
    const input = { a: -9223372036854775808n, b: 9223372036854775807n, c: 0 };
    expect(run('root = [-this.a, 0 - this.a, -this.b, -this.c]', input)).toEqual([
      -9223372036854775808n,
      -9223372036854775808n,
      -9223372036854775807n,
      0,
    ]);
  });

  it('a limit of recursion cannot be caught', () => {
    const deep = 'map m { root = this.apply("m") }\nroot = this.apply("m")';
    for (const guard of ['.catch("no")', '.or("no")', ' | "no"'])
      expect(() => run(`${deep}${guard}`)).toThrow(LimitError);
  });
});

describe('what would fail in every run is refused when it is compiled:', () => {
  it.each([
    ['this.slice(3, 1)', 'slice: lower slice bound 3 must be lower than upper bound 1'],
    ['this.slice(-1, -2)', 'slice: lower slice bound -1 must be lower than upper bound -2'],
    ['this.repeat(-1)', 'repeat: invalid count'],
    ['deleted() + 1', 'cannot add types delete and number'],
    ['1 < nothing()', 'cannot compare types number and nothing'],
    ['null + 1', 'cannot add types null and number'],
    ['"soon".ts_unix()', 'ts_unix: parsing time "soon" as RFC 3339 failed'],
    ['this.ts_sub("soon")', 'ts_sub: parsing time "soon" as RFC 3339 failed'],
    ['this.constructor()', "unrecognised method 'constructor'"],
    ['this.__proto__()', "unrecognised method '__proto__'"],
    ['constructor()', "unrecognised function 'constructor'"],
  ])('%s', (expression, message) => {
    const compile = () => compileTemplate(`root = ${expression}`);
    expect(compile).toThrow(MappingError);
    expect(compile).toThrow(message);
  });

  it.each(['this.slice(1)', 'this.slice(-1, 2)', 'this.repeat(0)', 'deleted() | 1'])(
    'and not %s',
    (expression) => {
      expect(() => compileTemplate(`root = ${expression}`)).not.toThrow();
    },
  );

  it.each([
    ['let = 1', 'the name of a variable is expected here', 'root.let'],
    ['root.a = 1\nmap = 1', 'the name of the map is expected here', 'root.map'],
  ])('the keyword of %s is not a field', (source, message, hint) => {
    expect(() => compileTemplate(source)).toThrow(message);
    expect(() => compileTemplate(source)).toThrow(hint);
  });
});
