import { describe, expect, it } from '@jest/globals';
import {
  compileDocument,
  compileTemplate,
  LimitError,
  MappingRunError,
  standardEnvironment,
  type Value,
} from '@onefold/mapping';
import { hostileTemplates } from './hostile-templates.js';
import { kept, type Measured, measureTemplate } from './measure.js';
import { largeLoads } from './method-loads.js';

const { methods } = standardEnvironment;

/** A hundredth of the usual budget: what stops at it stops at the usual one. */
const limits = { fuel: 50_000, bytes: 1_000_000 };

describe('a hostile template', () => {
  it('is one of at least 220', () => {
    expect(hostileTemplates.length).toBeGreaterThanOrEqual(220);
    expect(new Set(hostileTemplates.map(({ name }) => name)).size).toBe(hostileTemplates.length);
  });

  it.each(hostileTemplates)(
    'that $name stays within its budget of steps and bytes, the same in both tiers',
    ({ name, source, input = {} }) => {
      const [closures, generated] = [Infinity, 0].map((generateAfter) =>
        measureTemplate(source, input, { generateAfter, limits, collects: false }),
      );
      expect(closures?.outcome).not.toBe('escape');
      if (/^(?:doubles|loops) /.test(name)) expect(closures?.outcome).toBe('limit');
      // Not at the size of what it made: that is too late.
      if (name.startsWith('writes ')) expect(closures?.message).toMatch(/^(?:fuel|bytes):/);
      expect(generated?.outcome).toBe(closures?.outcome);
      // How deep calls go before the stack ends differs between the tiers.
      if (closures?.message.startsWith('depth')) return;
      expect(generated?.message).toBe(closures?.message);
      if (closures?.outcome !== 'limit') {
        expect(generated?.steps).toBe(closures?.steps);
        expect(generated?.bytes).toBe(closures?.bytes);
      }
    },
  );
});

/** Values in a result that are not of its input, each once, and their characters. */
function freshSize(result: unknown, input: unknown): number {
  const seen = new Set<unknown>();
  const count = (value: unknown): number => {
    if (seen.has(value)) return 0;
    if (typeof value === 'string' || typeof value === 'object') seen.add(value);
    if (typeof value === 'string') return 1 + (value.length >> 5);
    if (value instanceof Uint8Array) return 1 + (value.length >> 5);
    if (typeof value !== 'object' || value === null) return 1;
    return Object.values(value).reduce((sum: number, one) => sum + count(one), 1);
  };
  count(input);
  return count(result);
}

/** Parts of a result that so many steps and bytes pay for. */
function paidFor({ steps, bytes }: Measured): number {
  return 64 + 2 * steps + bytes / 16;
}

describe('each method', () => {
  it.each([...methods.keys()].filter((name) => !['apply', 'catch', 'or'].includes(name)))(
    '%s lets no error of the host out, whatever it is called on, and pays for what it makes',
    (name) => {
      for (const { source, input } of largeLoads(2_000, name, 2)) {
        if (!compiles(source)) continue;
        const measured = measureTemplate(source, input, { collects: false });
        expect([source, measured.outcome]).toEqual([source, expect.not.stringMatching('escape')]);
        if (measured.outcome !== 'made') continue;
        const made = freshSize(kept, input);
        const isPaid = made <= paidFor(measured);
        expect([source, isPaid, made, measured]).toEqual([source, true, made, measured]);
      }
    },
  );
});

function compiles(source: string): boolean {
  try {
    compileTemplate(source);
    return true;
  } catch {
    return false;
  }
}

describe('the budget of a run', () => {
  const work = 'range(0, 100000).map_each(n -> n.string()).length()';

  it.each(['catch(0)', 'or(0)', 'catch(0).or(1)'])('is not given back by %s', (guard) => {
    const source = `root = (${work}).${guard}`;
    expect(() => compileTemplate(source).run({}, { limits: { fuel: 1_000 } })).toThrow(LimitError);
  });

  it('is not given back by | or by a conversion with a default', () => {
    for (const source of [`root = (${work}) | 0`, `root = (${work}).number(0)`])
      expect(() => compileTemplate(source).run({}, { limits: { fuel: 1_000 } })).toThrow(
        LimitError,
      );
  });

  it('is one for steps and one for bytes, whichever ends first', () => {
    const run = (source: string, lower: object) =>
      compileTemplate(source).run({}, { limits: lower });
    expect(() => run(`root = ${work}`, { fuel: 1_000 })).toThrow('takes more than 1000 steps');
    expect(() => run('root = "x".repeat(5000)', { bytes: 9_000 })).toThrow(
      'makes more than 9000 bytes',
    );
    expect(run('root = "x".repeat(4000).length()', { bytes: 9_000 }).root).toBe(4_000);
  });

  it('pays for each piece of the replacement of each match', () => {
    const template = compileTemplate('root = "xx".re_replace_all("(.)", "$1".repeat(1000))');
    expect(() => template.run({}, { limits: { fuel: 3_000 } })).toThrow(LimitError);
    expect(template.run({}, { limits: { fuel: 10_000 } }).root).toBe('x'.repeat(2_000));
  });

  it('can be lowered and not raised', () => {
    const template = compileTemplate(
      'root = range(0, 400000).map_each(a -> range(0, 1000)).length()',
    );
    expect(() =>
      template.run({}, { limits: { fuel: 1e12, bytes: 1e12, deadlineMs: 1e9 } }),
    ).toThrow(LimitError);
  });

  it('has a deadline that is looked at in long loops', () => {
    const template = compileTemplate(`root = ${work}`);
    expect(() => template.run({}, { limits: { deadlineMs: 0 } })).toThrow(
      'takes more than 0 ms of processor time',
    );
  });

  it.each([
    ['a template', `default: root.n = ${work}`, ''],
    ['a cast', 'default: root.n = this.apply("number")', `transform: root = ${work}`],
    ['a condition', 'default: root.n = 1', `match: ${work} > 0`],
  ])('holds for %s of a document, whose failure names the template', (_what, template, more) => {
    const lines = ['engine: bloblang_direct', 'version: "1.0"', 'templates:', `  ${template}`];
    if (more.startsWith('match')) lines.push('select:', '  - name: default', `    ${more}`);
    if (more.startsWith('transform')) lines.push('data_types:', '  number:', `    ${more}`);
    const document = compileDocument(`${lines.join('\n')}\n`);
    expect(() => document.run({}, { limits: { fuel: 1_000 } })).toThrow(MappingRunError);
    expect(() => document.run({}, { limits: { fuel: 1_000 } })).toThrow(
      /in template default.*: .*1000 steps/,
    );
  });
});

describe('a condition of a document', () => {
  const documentOf = (match: string) =>
    `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root.n = 1\n  deep: root = this.apply("deep")\n` +
    `select:\n  - name: deep\n    match: '${match}'\n`;
  const deepValue = () => {
    let deep: Value = 1;
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    return deep;
  };

  it.each([Infinity, 0])(
    'that goes deeper than the stack ends with its place and no error of the host (code generated after %s)',
    (generateAfter) => {
      const run = (match: string, input: Value) =>
        compileDocument(documentOf(match), { generateAfter }).run(input)?.record;
      for (const guard of ['', '.catch(true)', '.or(true)']) {
        const recurses = () => run(`this.apply("deep")${guard}`, {});
        expect(recurses).toThrow(MappingRunError);
        expect(recurses).toThrow(/^line 8, column 13 in template deep, select\.match: /);
      }
      const input = { a: deepValue() };
      for (const guard of ['', '.catch("x")', '.or("x")']) {
        const writes = () => run(`this.a.string()${guard} == "x"`, input);
        expect(writes).toThrow(MappingRunError);
        expect(writes).toThrow(/in template deep, select\.match: .*nested too deep/);
      }
    },
  );
});
