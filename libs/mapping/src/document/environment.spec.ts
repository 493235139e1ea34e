import { describe, expect, it } from '@jest/globals';
import {
  compileDocument,
  compileTemplate,
  type Environment,
  restrictEnvironment,
  standardEnvironment,
} from '../index.js';
import { templateSource } from '../codegen/generate.js';
import { parseTemplate } from '../language/parse.js';

const pure = restrictEnvironment(
  standardEnvironment,
  ({ purity }) => purity === 'pure' || purity === 'run',
  'this environment has no clock and no random numbers',
);
const tiers = [
  ['closures', Infinity],
  ['generated code', 0],
] as const;

describe('an environment', () => {
  it('without some functions refuses them when a template is compiled, with the reason', () => {
    const environment = pure;
    expect(compileTemplate('root.a = now()').run({}).root).toHaveProperty('a');
    for (const source of ['root = now()', 'root = this.a.(b -> uuid_v4())', 'root = random_int()'])
      expect(() => compileTemplate(source, { environment })).toThrow(
        /the function \w+ is not available: this environment has no clock/,
      );
    expect(() => compileTemplate('root = this.ts_unix()', { environment })).not.toThrow();
    const document = `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = now()\n`;
    expect(() => compileDocument(document, { environment })).toThrow(
      /line 4, column 24: the function now/,
    );
  });

  it.each(tiers)('that is empty leaves the language, in %s', (_tier, generateAfter) => {
    const environment = restrictEnvironment(standardEnvironment, () => false, 'it is empty');
    const { root } = compileTemplate(
      'let a = this.n + 1\nroot.b = if $a > 1 { [$a, {"c": this.m | "x"}] }',
      { environment, generateAfter },
    ).run({ n: 1 });
    expect(root).toEqual({ b: [2, { c: 'x' }] });
    for (const source of ['this.n.or(1)', 'this.n.catch(1)', 'this.map_each(v -> v)', 'deleted()'])
      expect(() => compileTemplate(`root = ${source}`, { environment })).toThrow('it is empty');
  });

  it('is asked for the methods that generated code has in place, too', () => {
    const template = parseTemplate('root.a = this.lowercase()\nroot.b = this.or(1)');
    expect(() => templateSource(template, standardEnvironment)).not.toThrow();
    const empty = restrictEnvironment(standardEnvironment, () => false, '');
    expect(() => templateSource(template, empty)).toThrow('there is no method');
  });

  it.each(tiers)('may have a method of its own under a known name, in %s', (_tier, after) => {
    const [lowercase] = [...standardEnvironment.methods.values()].filter(
      ({ name }) => name === 'lowercase',
    );
    const environment: Environment = {
      ...standardEnvironment,
      methods: new Map([
        ...standardEnvironment.methods,
        ['lowercase', { ...(lowercase as NonNullable<typeof lowercase>), run: () => 'own' }],
      ]),
    };
    const options = { environment, generateAfter: after };
    expect(compileTemplate('root = this.lowercase()', options).run('A').root).toBe('own');
    expect(compileTemplate('root = this.lowercase()').run('A').root).toBe('a');
  });

  it('has no methods of the host', () => {
    expect(() => compileTemplate('root = this.constructor()')).toThrow(
      "unrecognised method 'constructor'",
    );
    expect(() => compileTemplate('root = constructor()')).toThrow(
      "unrecognised function 'constructor'",
    );
  });
});
