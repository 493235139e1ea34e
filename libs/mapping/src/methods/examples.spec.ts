import { describe, expect, it } from '@jest/globals';
import {
  compileTemplate,
  formatJson,
  functions,
  methods,
  Nothing,
  parseJson,
  refusedFunctions,
  refusedMethods,
} from '../index.js';

const documented = [...methods.values(), ...functions.values()];

describe.each(documented.filter(({ examples }) => examples))('$name', ({ examples = [] }) => {
  it.each(examples.map(([source, input, output]) => ({ source, input, output })))(
    '$source makes $output of $input',
    ({ source, input, output }) => {
      const { root } = compileTemplate(source).run(parseJson(input));
      expect(formatJson(root === Nothing ? parseJson(input) : root)).toBe(output);
    },
  );
});

describe('methods and functions', () => {
  it('say what they do', () => {
    for (const { name, description } of documented)
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/s)]);
  });

  it('are there or refused, never both', () => {
    for (const name of Object.keys(refusedMethods)) expect(methods.has(name)).toBe(false);
    for (const name of Object.keys(refusedFunctions)) expect(functions.has(name)).toBe(false);
  });
});
