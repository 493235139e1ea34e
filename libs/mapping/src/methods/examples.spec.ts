import { describe, expect, it } from '@jest/globals';
import { compileTemplate, formatJson, Nothing, parseJson, standardEnvironment } from '../index.js';

const { functions, methods, refusedFunctions, refusedMethods } = standardEnvironment;

const documented = [...methods.values(), ...functions.values()];

describe.each(documented)('$name', ({ examples }) => {
  it.each(examples.map(([source, input, output]) => ({ source, input, output })))(
    '$source makes $output of $input',
    ({ source, input, output }) => {
      const { root } = compileTemplate(source).run(parseJson(input));
      expect(formatJson(root === Nothing ? parseJson(input) : root)).toBe(output);
    },
  );
});

/** Surroundings of two runs, in which everything differs. */
const runs = [1, 2].map((index) => ({
  surroundings: { now: () => index * 1e12 + index, random: () => index / 4 },
  metadata: { key: `value ${index}` },
}));

describe('methods and functions', () => {
  it.each(documented.filter(({ purity }) => purity === 'pure'))(
    '$name gives the same whatever the run gives it',
    ({ examples }) => {
      for (const [source, input] of examples) {
        const template = compileTemplate(source);
        const [one, other] = runs.map((options) => template.run(parseJson(input), options).root);
        expect(other).toEqual(one);
      }
    },
  );

  it.each(['now()', 'uuid_v4()', 'uuid_v7()', 'ulid()', 'ksuid()', 'nanoid()', 'snowflake_id()'])(
    '%s is another in another run',
    (expression) => {
      const name = expression.slice(0, -2);
      expect(functions.get(name)?.purity).toMatch(/clock|random/);
      const template = compileTemplate(`root = ${expression}`);
      const [one, other] = runs.map((options) => template.run(null, options).root);
      expect(other).not.toEqual(one);
    },
  );

  it('say what they do', () => {
    for (const { name, description } of documented)
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/s)]);
  });

  it('are there or refused, never both', () => {
    for (const name of Object.keys(refusedMethods)) expect(methods.has(name)).toBe(false);
    for (const name of Object.keys(refusedFunctions)) expect(functions.has(name)).toBe(false);
  });
});
