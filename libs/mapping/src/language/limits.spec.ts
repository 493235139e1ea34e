import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  compileTemplate,
  LimitError,
  MappingError,
  RunError,
  standardEnvironment,
} from '../index.js';
import { anyText } from '../../../../test/mapping-oracle/any-text.js';
import { cpuTimeOf } from '../../../../test/mapping-oracle/cpu-time.js';

const surroundings = { now: () => 1_767_225_600_000, random: () => 0.5 };

describe.each([
  ['closures', { generateAfter: Infinity }],
  ['generated code', { generateAfter: 0 }],
])('a hostile template, run by %s', (_tier, options) => {
  const run = (source: string, input: unknown = {}) =>
    compileTemplate(source, options).run(input, { surroundings }).root;

  it.each([
    ['loops by folding', 'root = range(0, 400000).fold(0, item -> range(0, 400000).sum())'],
    [
      'loops by nested ranges',
      'root = range(0, 400000).map_each(a -> range(0, 400000).map_each(b -> a + b)).catch("caught")',
    ],
    [
      'doubles a text',
      `let a = "x".repeat(1000000)\n${Array.from({ length: 12 }, () => 'let a = $a + $a').join('\n')}\nroot = $a`,
    ],
    ['repeats a text', 'root = "x".repeat(9000000000)'],
    ['fills by replacing', 'root = "a".repeat(1000000).replace_all("a", "b".repeat(1000000))'],
    ['makes a long array', 'root = range(0, 9000000000)'],
    ['makes many bytes', 'root = bytes(9000000000)'],
    ['joins a long text', 'root = range(0, 400000).map_each(n -> "x".repeat(1000)).join("")'],
    ['sorts for ever', 'root = range(0, 400000).sort(item -> range(0, 1000).sum() > item.left)'],
    [
      'recurses',
      'map a {\n  root = this.apply("a").catch("caught").or("caught")\n}\nroot = this.apply("a")',
    ],
  ])('that %s ends at a limit it cannot catch, soon and in little memory', (_name, source) => {
    const memory = process.memoryUsage().heapUsed;
    const time = cpuTimeOf(() => {
      expect(() => run(source)).toThrow(LimitError);
    });
    expect(time).toBeLessThan(5_000);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(500_000_000);
  });

  const doubled = `let a = [1]\n${'let a = [$a, $a]\n'.repeat(60)}`;
  it.each([
    ['copies', `${doubled}root = $a\nroot."0" = 1`],
    ['returns', `${doubled}root.x = $a`],
    ['keeps in metadata', `${doubled}meta x = $a`],
    ['compares', `${doubled}${doubled.replaceAll('a', 'b')}root = $a == $b`],
    ['writes out', `${doubled}root.x = $a.string().length()`],
    ['writes out with margins', `${doubled}root.x = $a.format_json().length()`],
    [
      'makes of root',
      `root.a = 1\n${Array.from({ length: 60 }, (_, n) => `root.b${n} = root\n`).join('')}`,
    ],
    ['folds', 'root.x = range(0, 100).fold([1], item -> [item.tally, item.tally])'],
    ['names in lambdas', `root = [1]${'.(a -> [a, a])'.repeat(60)}`],
    ['makes of each element', `root = [[1]]${'.map_each(a -> [a, a])'.repeat(60)}`],
    [
      'repeats per element',
      'let t = "x".repeat(1000000)\nroot = range(0, 100000).map_each(n -> $t)',
    ],
    [
      'applies',
      'map a {\n  let n = this\n  let x = if $n > 0 { ($n - 1).apply("a") } else { 1 }\n  root = [$x, $x]\n}\nroot = 60.apply("a")',
    ],
  ])('that shares parts of values which it %s is stopped before they are many', (_name, source) => {
    const memory = process.memoryUsage().heapUsed;
    const time = cpuTimeOf(() => {
      expect(() => run(source)).toThrow(LimitError);
    });
    expect(time).toBeLessThan(5_000);
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(500_000_000);
  });

  it('gets no time out of a regular expression', () => {
    const time = cpuTimeOf(() => {
      expect(run('root = this.re_match("(a+)+$")', `${'a'.repeat(50_000)}b`)).toBe(false);
    });
    expect(time).toBeLessThan(5_000);
  });

  it('does not reach the prototype of anything', () => {
    const made = run(
      'root.__proto__.polluted = 1\nroot.constructor.prototype.polluted = 1\nroot.merged = {"a":1}.merge(this)\nlet k = "__proto__"\nroot.dynamic = {$k: {"polluted": 1}}',
      JSON.parse('{"__proto__": {"polluted": 1}}'),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.hasOwn(made as object, '__proto__')).toBe(true);
    expect(Object.hasOwn((made as { merged: object }).merged, '__proto__')).toBe(true);
    expect(run('root = [this.constructor, this.toString, this.__proto__, this.a.length]')).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('reads no file, no environment and no network', () => {
    for (const source of [
      'root = file("/etc/passwd")',
      'root = env("HOME")',
      'root = hostname()',
      'import "/etc/passwd"',
      'from "/etc/passwd"',
      'root = this.geoip_city("/x")',
      'root = this.bloblang("root = 1")',
    ])
      expect(() => compileTemplate(source)).toThrow(MappingError);
  });

  it.each(['5 % this', 'this % 5', 'this.bitwise_and(3)', 'this.ts_format()', '"%x".format(this)'])(
    'fails as any other where infinity has no answer: %s',
    (expression) => {
      for (const infinity of [Infinity, -Infinity, NaN]) {
        expect(() => run(`root = ${expression}`, infinity)).toThrow(RunError);
        expect(run(`root = (${expression}).catch("no")`, infinity)).toBe('no');
      }
    },
  );

  it('fails as any other on data that is not what it seems', () => {
    expect(() => run('root = this.uppercase()', { toString: '' })).toThrow(
      'expected string value, got object',
    );
    expect(run('root = null\nroot.a.b = deleted()')).toBeNull();
    expect(run('root = [this + 0, this * 2, this - 1, 1 - this]', 1e30)).toEqual([
      1e30, 2e30, 1e30, -1e30,
    ]);
    expect(run('root.a = 1\nroot.b = root\nroot.c = root')).toEqual({
      a: 1,
      b: { a: 1 },
      c: { a: 1, b: { a: 1 } },
    });
  });

  it('writes half a surrogate pair into URLs as the replacement character', () => {
    for (const name of ['escape_url_query', 'escape_url_path'])
      expect(run(`root = this.${name}()`, 'a\ud800')).toBe('a%EF%BF%BD');
    expect(run('root = this.parse_url().path', 'a\ud800')).toContain('a');
  });

  it('takes the whole part of a number where a whole number is wanted', () => {
    expect(run('root = 1.9.ts_round(1.5).string()')).toBe('1970-01-01T00:00:01.9Z');
    expect(run('root = snowflake_id(1.5) == snowflake_id(1)')).toBe(true);
  });

  it('sees the time and the randomness it is given', () => {
    expect(run('root = [now(), timestamp_unix(), random_int(min: 0, max: 9), uuid_v4()]')).toEqual([
      '2026-01-01T00:00:00Z',
      1767225600,
      5,
      '80808080-8080-4080-8080-808080808080',
    ]);
  });

  it('is refused when it nests without end, and the parser throws nothing but its own error', () => {
    for (const source of [
      `root = ${'('.repeat(100_000)}`,
      `root = ${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      `root = ${'!'.repeat(10_000)}true`,
      `root = ${'-'.repeat(10_000)}1`,
      `root = this${'.a'.repeat(50_000)}`,
      `root = 1${' + this'.repeat(30_000)}`,
      'x'.repeat(300_000),
    ])
      expect(() => compileTemplate(source)).toThrow(MappingError);
  });

  it.each([
    ['has many statements', 'a = 1\n'.repeat(40_000)],
    ['has many faults', 'root.a = this.nope()\n'.repeat(10_000)],
    ['tries one rule inside of another', `root = ${'match {'.repeat(199)}`],
    ['asks what each if is', `${'if true {\n'.repeat(20_000)}`],
    ['has many lambdas', `root = this${'.map(a -> 1)'.repeat(400)}`],
  ])('compiles soon or is refused soon when it %s', (_name, source) => {
    const time = cpuTimeOf(() => {
      try {
        compileTemplate(source);
      } catch (error) {
        expect(error).toBeInstanceOf(MappingError);
      }
    });
    expect(time).toBeLessThan(3_000);
  });
});

it('tries a function on its literals within low limits when the template is compiled', () => {
  const range = standardEnvironment.functions.get('range') as (typeof functions)[number][1];
  const tried: number[] = [];
  const functions = [...standardEnvironment.functions];
  const run: typeof range.run = (args, current, self) => {
    tried.push(current.limits.arrayLength);
    return range.run(args, current, self);
  };
  const environment = {
    ...standardEnvironment,
    functions: new Map([...functions, ['range', { ...range, run }]]),
  };
  compileTemplate('root = range(0, 400000)', { environment });
  expect(tried).toEqual([2_000]);
  expect(() => compileTemplate('root = range(3, 1)', { environment })).toThrow(/range: .*stop/);
});

describe('any text', () => {
  it('compiles or is a MappingError, and runs or is a RunError or LimitError', () => {
    fc.assert(
      fc.property(anyText, fc.jsonValue(), (text, input) => {
        let template: ReturnType<typeof compileTemplate>;
        try {
          template = compileTemplate(text);
        } catch (error) {
          expect(error).toBeInstanceOf(MappingError);
          return;
        }
        try {
          template.run(input, { surroundings });
        } catch (error) {
          expect(error instanceof RunError || error instanceof LimitError).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('is mapped to itself by root = this', () => {
    const template = compileTemplate('root = this');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(template.run(value).root).toEqual(value)),
    );
  });
});
