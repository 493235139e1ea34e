import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Expression, Statement, Template } from './ast.js';
import { formatTemplate } from './format-template.js';
import { Original } from './original.js';
import { parseTemplate } from './parse.js';
import { printTemplate } from './print.js';

/** The tree without its places. */
function bare(template: Template): unknown {
  const plain = { statements: template.statements, maps: [...template.maps] };
  return JSON.parse(
    JSON.stringify(plain, (key, value: unknown) => {
      if (['start', 'end', 'line', 'mapSpans'].includes(key)) return undefined;
      if (typeof value === 'bigint') return `int ${value}`;
      return Object.is(value, -0) ? 'minus zero' : value;
    }),
  );
}

const at = { start: 0, end: 0 };
const word = fc
  .stringMatching(/^[a-z_][a-z0-9_]{0,4}$/)
  .filter((name) => !/^(?:this|root|true|false|null)/.test(name));
const key = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 5 }));
const literal = fc
  .oneof(
    fc.constantFrom(null, true, false, -0, 1e21, 1.5e-9, 2n ** 63n - 1n, 'a\nb', '"""\n', 'x\n"'),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  .map((value): Expression => ({ kind: 'literal', value, ...at }));

const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const one = tie('expression');
  const calls = fc.oneof(
    fc.array(
      one.map((value) => ({ value })),
      { maxLength: 3 },
    ),
    fc.array(fc.record({ name: word, value: one }), { maxLength: 3 }),
  );
  const node = (fields: Record<string, fc.Arbitrary<unknown>>, optional: string[] = []) => {
    const requiredKeys = Object.keys(fields).filter((name) => !optional.includes(name));
    return fc.record(fields, { requiredKeys }).map((made) => ({ ...at, ...made }) as Expression);
  };
  const kind = (name: Expression['kind']) => fc.constant(name);
  const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 3 });
  const operator = fc.constantFrom('*', '/', '%', '|', '+', '-', '==', '!=', '>', '<=', '&&', '||');
  return {
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      literal,
      fc.constantFrom<Expression>({ kind: 'this', ...at }, { kind: 'root', ...at }),
      node({ kind: kind('name'), name: fc.oneof(word, fc.constantFrom('if', 'match', '_')) }),
      node({ kind: kind('variable'), name: word }),
      node({ kind: kind('metadata'), key }, ['key']),
      node({ kind: kind('field'), target: one, name: key }),
      node({ kind: kind('scoped'), target: one, body: one }),
      node({ kind: kind('method'), target: one, name: word, arguments: calls }),
      node({ kind: kind('function'), name: word, arguments: calls }),
      node({ kind: kind('array'), items: fc.array(one, { maxLength: 3 }) }),
      node({
        kind: kind('object'),
        entries: fc.array(fc.record({ key: one, value: one }), { maxLength: 3 }),
      }),
      node({ kind: kind('not'), operand: one }),
      node({ kind: kind('negate'), operand: one }),
      node({ kind: kind('binary'), operator, left: one, right: one }),
      node({
        kind: kind('lambda'),
        parameter: word,
        body: one.filter((body) => body.kind !== 'lambda'),
      }),
      node(
        {
          kind: kind('if'),
          branches: some(fc.record({ condition: one, value: one })),
          otherwise: one,
        },
        ['otherwise'],
      ),
      node(
        {
          kind: kind('match'),
          subject: one,
          cases: some(fc.record({ test: one, value: one }, { requiredKeys: ['value'] })),
        },
        ['subject'],
      ),
    ),
  };
});

const place = { ...at, line: 1 };
const plain = fc.oneof(
  fc
    .record({ path: fc.array(key, { maxLength: 3 }), value: expression })
    .map(({ path, value }): Statement => ({
      kind: 'assign',
      path: ['root', ...path],
      value,
      ...place,
    })),
  fc
    .record({ name: word, value: expression })
    .map((made): Statement => ({ kind: 'let', ...made, ...place })),
);
const statement = fc.oneof(
  plain,
  fc
    .record({ key, value: expression }, { requiredKeys: ['value'] })
    .map((made): Statement => ({ kind: 'meta', ...made, ...place })),
  fc
    .record(
      {
        branches: fc.array(
          fc.record({
            condition: expression,
            body: fc.array(plain, { minLength: 1, maxLength: 2 }),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        otherwise: fc.array(plain, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['branches'] },
    )
    .map((made): Statement => ({ kind: 'if', ...made, ...place })),
);
const template = fc
  .record({
    statements: fc.array(statement, { minLength: 1, maxLength: 4 }),
    maps: fc.uniqueArray(fc.tuple(key, fc.array(plain, { minLength: 1, maxLength: 2 })), {
      maxLength: 2,
      selector: ([name]) => name,
    }),
  })
  .map(({ statements, maps }): Template => ({ statements, maps: new Map(maps) }));

describe('printTemplate', () => {
  it('prints what parses to the same tree, whatever the tree', () => {
    fc.assert(
      fc.property(template, (tree) => {
        expect(bare(parseTemplate(printTemplate(tree)))).toEqual(bare(tree));
      }),
      { numRuns: 500 },
    );
  });

  it('lays a template out one way', () => {
    const source =
      'root.a=this.a'.replace('=', ' =  ') +
      '\nroot."b c" = (1+2)*3\nif this.x==1{ let y = -5\n}else{meta k = -(5).abs()}';
    expect(printTemplate(parseTemplate(source))).toBe(
      'root.a = this.a\nroot."b c" = (1 + 2) * 3\n' +
        'if this.x == 1 {\n  let y = -5\n} else {\n  meta k = -(5).abs()\n}\n',
    );
  });

  it('breaks lines that would be longer than 140 characters', () => {
    const long = 'a'.repeat(70);
    expect(printTemplate(parseTemplate(`root = {"x": this.${long}, "y": [this.${long}]}`))).toBe(
      `root = {\n  "x": this.${long},\n  "y": [this.${long}]\n}\n`,
    );
  });
});

/** Puts comments and empty lines into a text, at places where the grammar allows them. */
function withComments(text: string, seeds: readonly number[]): string {
  let count = 0;
  const lines = text.split('\n').slice(0, -1);
  const isInText = (index: number) =>
    (lines
      .slice(0, index + 1)
      .join('\n')
      .match(/"""/g)?.length ?? 0) %
      2 ===
    1;
  return lines
    .map((line, index) => {
      if (isInText(index)) return `${line}\n`;
      const seed = seeds[index % seeds.length] ?? 0;
      count += 1;
      if (seed === 1) return `${line} # behind ${count}\n`;
      if (seed === 2) return `${line}\n# below "${count}\n\n`;
      return seed === 3 ? `${line}\n\n\n` : `${line}\n`;
    })
    .join('');
}

const commentsOf = (text: string) => new Original(text).comments.map((one) => one.text);

describe('formatTemplate', () => {
  const names = Array.from({ length: 30 }, (_one, index) => `"name ${index}"`);

  it('fills lines with values alone, where they are too many for one', () => {
    const formatted = formatTemplate(`root.a = this.without(${names.join(', ')})\n`);
    expect(formatted).toBe(
      `root.a = this.without(\n  ${names.slice(0, 13).join(', ')},\n  ${names.slice(13, 25).join(', ')},\n  ${names.slice(25).join(', ')}\n)\n`,
    );
    expect(formatTemplate(formatted)).toBe(formatted);
  });

  it('leaves a short else beside its braces', () => {
    const source = `root.a = if this.b != null {\n  [this.b]\n} else { deleted() }\n`;
    expect(formatTemplate(source)).toBe(source);
  });

  it('keeps parts of a broken list beside each other, as far as the line goes', () => {
    const source = 'root.a = {\n  "b": this.b, "c": [1],\n  "d": this.d\n}\n';
    expect(formatTemplate(source)).toBe(source);
    const long = `"${'x'.repeat(90)}"`;
    expect(formatTemplate(`root = [\n  ${long}, ${long}\n]\n`)).toBe(
      `root = [\n  ${long},\n  ${long}\n]\n`,
    );
  });

  it('keeps the tree and the comments of any template, and leaves what it has laid out', () => {
    fc.assert(
      fc.property(template, fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }), (tree, seeds) => {
        const text = withComments(printTemplate(tree), seeds);
        const formatted = formatTemplate(text);
        expect(bare(parseTemplate(formatted))).toEqual(bare(parseTemplate(text)));
        expect(commentsOf(formatted)).toEqual(commentsOf(text));
        expect(formatTemplate(formatted)).toBe(formatted);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves comments, empty lines, line breaks and literals at their places', () => {
    const laidOut = `# first
map one { # of the map
  root = this # all of it
}

let raw = """C:\\temp"""
root.a = (this.a | "x") + this.b # why

# of b
root.b = match this.level { # cases
  # urgent
  "p1" => "URGENT" # behind
  _ => null
  # at the end
}
root.c = {
  "d": 1.50, # a number
  # of the next
  (this.key): [1, 2],
  $key: 5.floor()
}
root.e = this.list.
  filter(x -> x > 1).
  # then
  map_each(x -> {
    "y": x
  })
root.f = this.one +
  # and
  this.two # last
if this.g {
  # nothing yet
} else {
  root.h = 1

  root.i = 2
}
`;
    expect(formatTemplate(laidOut)).toBe(laidOut);
    const messy = laidOut
      .replaceAll(/^ +/gm, '')
      .replaceAll('\n\n', '\n\n\n')
      .replaceAll(' # ', '     # ');
    expect(formatTemplate(messy)).toBe(laidOut);
  });

  it('leaves a statement as it is, with a comment that has no line of its own', () => {
    const odd = 'root.a = ( # why\nthis.b)\nroot.b = if this.c # if\n  { 1 }\n';
    const result = formatTemplate(`${odd}root.c   = 1\n`);
    expect(result).toContain('# why');
    expect(result).toContain('# if');
    expect(result).toContain('root.c = 1\n');
    expect(formatTemplate(result)).toBe(result);
  });

  it('keeps a template that is an expression alone', () => {
    expect(formatTemplate('# of it\n(this.a)   | 1 # why\n')).toBe('# of it\nthis.a | 1 # why\n');
  });
});
