import { describe, expect, it } from '@jest/globals';
import { compileDocument, compileTemplate, DocumentCache, MappingRunError } from '../index.js';

const head = 'engine: bloblang_direct\nversion: "1.0"\n';

describe.each([
  ['closures', { generateAfter: Infinity }],
  ['generated code', { generateAfter: 0 }],
])('a mapping document, run by %s', (_tier, options) => {
  const run = (body: string, record: unknown) =>
    compileDocument(head + body, options).run(record)?.record;

  it('"A template may call another template by name via .apply"', () => {
    const body = `templates:
  default: |
    root.names = this.names.map_each(n -> n.apply("shout"))
  shout: |
    root = this.uppercase()
`;
    expect(run(body, { names: ['a', 'b'] })).toEqual({ names: ['A', 'B'] });
  });

  it('takes what an alias stands for, wherever a text or a list may stand', () => {
    const body = `select:
  - { name: other, match: &isShort this.a.length() < 3 }
templates:
  default: &copy root.a = this.a.apply("own")
  other: *copy
  last: |
    root.b = 1
pre: &last [last]
post: *last
data_types:
  own: &own { transform: 'root = this + "!"', ignored: [&none "-"] }
  second: *own
  third: { ignored: [*none] }
`;
    expect(run(body, { a: 'x' })).toEqual({ a: 'x!', b: 1 });
    expect(run(body, { a: 'long' })).toEqual({ a: 'long!', b: 1 });
    expect(run(body, { a: '-' })).toEqual({ b: 1 });
  });

  it('"see the entire input as this and all previously mapped output as root; this additionally carries __root__"', () => {
    const body = `templates:
  first: |
    root.a = this.x
    root.empty = this.__root__
  default: |
    root.b = root.a + 1
    root.c = this.__root__.a + 2
  last: |
    root.all = this.without("__root__")
pre: [first]
post: [last]
`;
    expect(run(body, { x: 1 })).toEqual({ a: 1, empty: {}, b: 2, c: 3, all: { x: 1 } });
  });

  it('copies what was mapped before only for templates that may look at it', () => {
    const observes = (source: string) => compileTemplate(source).mayObserve('__root__');
    for (const source of [
      'root = this',
      'root.a = this.b',
      'root.rest = this.without("a", "b.c")',
      'if this.a == 1 { root = this }',
    ])
      expect([source, observes(source)]).toEqual([source, false]);
    for (const source of [
      'root = this.__root__.a',
      'root.n = this.length()',
      'root.keys = this.without("a").keys()',
      'root = this.without(this.name)',
      'let all = this\nroot.n = $all.keys()',
      'root = this\nroot.n = root.keys()',
      'if this.keys().length() > 1 { root.a = 1 }',
      'root = this.apply("other")',
      'map m { root = this }\nroot = this.apply("m")',
      'root = json()',
    ])
      expect([source, observes(source)]).toEqual([source, true]);
    // A record that has the field itself loses it all the same.
    expect(run('templates:\n  default: root = this\n', { x: 1, __root__: 2 })).toEqual({ x: 1 });
  });

  it('never shows __root__ in a record: it is an input of templates', () => {
    const template = (body: string) => `templates:\n  default: ${body}\n`;
    expect(run(template('root = this'), { x: 1 })).toEqual({ x: 1 });
    expect(run(template('root.unmapped = this'), { x: 1 })).toEqual({ unmapped: { x: 1 } });
    expect(run(template('root.all = [this, [this]]'), { x: 1 })).toEqual({
      all: [{ x: 1 }, [{ x: 1 }]],
    });
    expect(run(template('\'root = this.assign({"y": 2})\''), { x: 1 })).toEqual({ x: 1, y: 2 });
    const body = `templates:
  first: root = this
  picked: root.picked = this
  default: root = deleted()
  last: root.last = this
pre: [first]
select: [{ name: picked, match: this.x == 1 }]
post: [last]
`;
    const record = { x: 1, inner: { y: [2] } };
    expect(run(body, record)).toEqual({ ...record, picked: record, last: record });
    expect(record).toEqual({ x: 1, inner: { y: [2] } });
  });

  it('"Evaluated top to bottom; the first match wins; if none match the default template runs"', () => {
    const body = `templates:
  high: root.kind = "high"
  low: root.kind = "low"
  other: root.kind = "other"
default: other
select:
  - { name: high, match: this.n > 10 }
  - { name: low, match: this.n > 0 }
`;
    expect([20, 5, -1].map((n) => run(body, { n }))).toEqual([
      { kind: 'high' },
      { kind: 'low' },
      { kind: 'other' },
    ]);
  });

  it('"Built-in type casts skip the key when the value is null"', () => {
    const body = `templates:
  default: |
    root.s = this.s.apply("string")
    root.n = this.n.apply("number")
    root.d = this.d.apply("datetime")
    root.b = this.b.apply("boolean")
    root.a = this.a.apply("array")
    root.none = this.none.apply("string")
`;
    const record = { s: 5, n: '2.5', d: '2026-01-01T00:00:00.5Z', b: 'true', a: 1 };
    expect(run(body, record)).toEqual({ s: '5', n: 2.5, d: 1767225600500, b: true, a: [1] });
  });

  it('finds shared templates behind its own templates and data types', () => {
    const asked: string[] = [];
    const shared = (name: string) => {
      asked.push(name);
      return name === 'acme.twice' ? compileTemplate('root = this * 2', options) : undefined;
    };
    const document = `engine: bloblang_direct
version: "1.0"
templates:
  default: |
    root.a = this.a.apply("acme.twice")
    root.b = this.a.apply("mine")
    root.c = this.a.apply("number")
  mine: root = this + 1
`;
    const compiled = compileDocument(document, { ...options, shared });
    expect(compiled.run({ a: 5 })?.record).toEqual({ a: 10, b: 6, c: 5 });
    expect(new Set(asked)).toEqual(new Set(['acme.twice']));
    const wrong = document.replace('acme.twice', 'acme.thrice');
    expect(() => compileDocument(wrong, { shared }).run({ a: 5 })).toThrow(
      'there is no template "acme.thrice"',
    );
    expect(() => compileDocument(document).run({ a: 5 })).toThrow(
      'there is no template "acme.twice"',
    );
  });

  it('measures what shared templates make: a small document cannot grow by them', () => {
    const shared = () => compileTemplate('root = [this, this, this, this, this, this, this, this]');
    const applied = '.apply("eight")'.repeat(9);
    const document = `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.a = this.a${applied}\n`;
    expect(() => compileDocument(document, { shared }).run({ a: 'x'.repeat(1_000) })).toThrow(
      MappingRunError,
    );
  });

  it('"Values listed in ignored cause the mapped key to be omitted; otherwise transform is applied"', () => {
    const body = `templates:
  default: |
    root.a = this.a.apply("status")
    root.b = this.b.apply("status")
    root.c = this.c.apply("string")
data_types:
  status:
    transform: this.lowercase()
    ignored: ["", "N/A"]
  string:
    transform: '"text " + this.string()'
`;
    expect(run(body, { a: 'OPEN', b: 'N/A', c: 1 })).toEqual({ a: 'open', c: 'text 1' });
  });

  it('drops the record when root is deleted, and leaves root as it was when nothing is assigned', () => {
    expect(
      compileDocument(`${head}templates:\n  default: root = deleted()\n`, options).run({ a: 1 }),
    ).toBeUndefined();
    expect(run('templates:\n  default: root.a = nothing()\n', { a: 1 })).toEqual({});
  });

  it('drops the record in pre and post, and takes records that are no objects', () => {
    const dropping = (where: string) =>
      `templates:\n  default: root.a = 1\n  drop: root = deleted()\n${where}: [drop]\n`;
    expect(run(dropping('pre'), {})).toBeUndefined();
    expect(run(dropping('post'), {})).toBeUndefined();
    expect(run('templates:\n  default: root = this + 1\n', 1)).toBe(2);
    expect(run('templates:\n  default: root = nothing()\n', 1)).toEqual({});
  });

  it('takes the time and metadata that the run is given', () => {
    const document = compileDocument(
      `${head}templates:\n  default: |\n    root.t = now()\n    root.m = @m\n`,
    );
    const options = { surroundings: { now: () => 0, random: () => 0 }, metadata: { m: 'x' } };
    expect(document.run({}, options)?.record).toEqual({ t: '1970-01-01T00:00:00Z', m: 'x' });
  });

  it('makes ids that differ when nobody gives it chance', () => {
    const document = compileDocument(
      `${head}templates:\n  default: |\n    root.a = uuid_v4()\n    root.b = uuid_v4()\n`,
    );
    const { a, b } = document.run({})?.record as { a: string; b: string };
    expect(a).toMatch(/^[\da-f]{8}-/);
    expect(a).not.toBe(b);
  });

  it('pays for all its parts from one limit, conditions too', () => {
    const document = compileDocument(
      `${head}templates:\n  default: root.a = 1\nselect:\n${'  - {name: default, match: "range(0, 40).length() < 0"}\n'.repeat(10)}`,
    );
    expect(document.run({}, { limits: { fuel: 1_000 } })?.record).toEqual({ a: 1 });
    expect(() => document.run({}, { limits: { fuel: 200 } })).toThrow(
      'the template takes more than 200 steps',
    );
  });

  it('casts numbers to datetime as they are, and types without a transform as nothing', () => {
    const body = `templates:
  default: |
    root.a = this.n.apply("datetime")
    root.b = this.n.apply("kind")
    root.c = this.n.apply("no" + "where").catch(this)
data_types:
  kind: { ignored: [1] }
`;
    expect(run(body, { n: 5 })).toEqual({ a: 5, b: 5, c: 'there is no template "nowhere"' });
  });

  it('keeps integers that a double cannot hold', () => {
    expect(run('templates:\n  default: root.id = this.id\n', { id: 9007199254740993n })).toEqual({
      id: 9007199254740993n,
    });
  });

  it('stops templates that apply each other for ever', () => {
    const document = compileDocument(
      `${head}templates:\n  default: root = this.apply("a")\n  a: root = this.apply("b").catch("caught")\n  b: root = this.apply("a").catch("caught")\n`,
      options,
    );
    expect(() => document.run({})).toThrow(/apply each other more than 500 deep|nested too deep/);
  });

  it('counts the parts of values over all of its templates', () => {
    const doubled = `    let a = [1]\n${'    let a = [$a, $a]\n'.repeat(11)}`;
    const document = compileDocument(
      `${head}templates:\n  first: |\n${doubled}    root.x = $a\n  default: |\n    let a = root.x\n${'    let a = [$a, $a]\n'.repeat(9)}    root.y = $a\npre: [first]\n`,
      options,
    );
    // Few steps, so that the time of a run does not end it first, which coverage makes many times slower.
    expect(() => document.run({}, { limits: { fuel: 300_000 } })).toThrow(
      'in template default: the template takes more than 300000 steps',
    );
  });

  it('names the template in which it fails', () => {
    const document = compileDocument(
      `${head}templates:\n  default: |\n    root.ok = 1\n    root.a = this.a.uppercase()\n`,
      options,
    );
    expect(() => document.run({ a: 1 })).toThrow(MappingRunError);
    expect(() => document.run({ a: 1 })).toThrow(
      'line 6, column 14 in template default, root.a: expected string, got number 1 (this.a)',
    );
  });
});

it('names the keys that its templates may write, whichever are chosen', () => {
  const document = compileDocument(`${head}templates:
  default: |
    root.id = this.id
    if this.open { root.state = "open" } else if this.gone { root.gone = true } else { root.shut.at = now() }
  other: |
    let unseen = 1
    root."a.b" = $unseen
    if this.x { root.x = 1 }
    bare.key = 1
  after: |
    meta seen = true
    root = {"whole": root, this.key: 1}
    root = root.merge({"unknown": 1})
  unused: root.never = 1
select:
  - {name: other, match: this.other}
post: [after]
`);
  expect(document.fields()).toEqual(['a.b', 'bare', 'gone', 'id', 'shut', 'state', 'whole', 'x']);
});

describe('the document cache', () => {
  it('compiles once, and forgets the oldest when it holds too much', () => {
    const cache = new DocumentCache({}, 10_000);
    const source = (n: number) => `${head}templates:\n  default: root.n = ${n}\n`;
    const first = cache.get(source(1));
    expect(cache.get(source(1))).toBe(first);
    for (let n = 2; n < 10; n += 1) cache.get(source(n));
    expect(cache.get(source(1))).not.toBe(first);
  });
});

describe('what a document may read of its input', () => {
  const document = compileDocument(`
engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root.text = this.text.apply("paragraph")
  paragraph: |
    root = this.split("\\n")
`);

  it('is what the templates read that run on the input, and not what they apply others to', () => {
    expect(document.mayRead('text')).toBe(true);
    expect(document.mayRead('other')).toBe(false);
  });

  it('is all of it for a template that is applied to the input as a whole', () => {
    const whole = compileDocument(`
engine: bloblang_direct
version: '1.0'
templates: { default: 'root = this.apply("all")', all: 'root.text = this.text' }
`);
    expect(whole.mayRead('other')).toBe(true);
  });
});
