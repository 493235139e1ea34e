import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileTemplate, formatJson, LimitError } from '../../index.js';

const template = compileTemplate('root = this.a.patch(this.a.diff(this.b))');
const run = (a: unknown, b: unknown) => template.run({ a, b }).root;

/** One type per place, so that values can be compared; arrays are sorted, as their order is not compared. */
const record = fc.record(
  {
    n: fc.integer(),
    t: fc.option(fc.string()),
    list: fc.array(fc.string()).map((list) => [...list].sort()),
    inner: fc.record({ x: fc.boolean(), __proto__: fc.string() }, { requiredKeys: [] }),
    rows: fc.array(fc.record({ id: fc.nat(5) }), { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted).sort((a, b) => (formatJson(a) < formatJson(b) ? -1 : 1))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sorted(one)]))
      : value;

describe('diff and patch', () => {
  it('make the other value, up to the order of arrays', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(formatJson(sorted(run(a, b)))).toBe(formatJson(sorted(b)));
      }),
    );
  });

  it('find no change in a value and its copy', () => {
    fc.assert(
      fc.property(record, (a) => {
        expect(compileTemplate('root = this.diff(this)').run(a).root).toEqual([]);
      }),
    );
  });

  it('leave the value they change as it was', () => {
    const a = { list: [{ n: 1 }] };
    run(a, { list: [{ n: 2 }, { n: 3 }] });
    expect(a).toEqual({ list: [{ n: 1 }] });
  });

  it('compare long arrays in a time that grows as they do', () => {
    // Far from the deadline of a run on a slow machine, and a quadratic comparison would pass it many times over.
    const a = Array.from({ length: 20_000 }, (_one, index) => index);
    expect(run(a, [...a].reverse())).toHaveLength(20_000);
    expect(() =>
      compileTemplate('root = this.diff(this)').run(a, {
        limits: { fuel: 1_000, depth: 10, stringLength: 1_000_000, arrayLength: 1_000_000 },
      }),
    ).toThrow(LimitError);
  });

  it('pay for the paths of deep values, which are copied at each level', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 2_000; level += 1) deep = { a: deep };
    const compare = compileTemplate('root = this.diff(this).length()');
    expect(compare.run(deep).root).toBe(0);
    expect(() => compare.run(deep, { limits: { fuel: 100_000 } })).toThrow(LimitError);
  });
});
