import { describe, expect, it } from '@jest/globals';
import { compileDocument, compileTemplate, formatJson } from '../index.js';

/** Imports a module of the bench, which is not built. */
const bench = async (file: string): Promise<unknown> =>
  import(new URL(`../../../../../libs/mapping/bench/${file}`, import.meta.url).href);

interface Measured {
  name: string;
  template: string;
  input: unknown;
  byHand: (input: unknown) => unknown;
}
const { readRealMappings, variantsOf } = (await bench('real-mappings.mjs')) as {
  readRealMappings: () => Promise<Measured[]>;
  variantsOf: (input: unknown, count: number) => unknown[];
};
const { methodCalls } = (await bench('method-calls.mjs')) as { methodCalls: Measured[] };
const plain = (value: unknown): unknown => JSON.parse(formatJson(value));
const measured = await readRealMappings();

// "The hand-written function must do the same work": the figures of the bench mean nothing otherwise.
describe('what the bench measures', () => {
  it('has ten mappings of real size', () => {
    expect(measured).toHaveLength(10);
    for (const { template } of measured)
      expect(template.trim().split('\n').length).toBeGreaterThan(18);
  });

  it.each([...measured, ...methodCalls])(
    'gives in both tiers what $name by hand gives',
    ({ template, input, byHand }) => {
      const lines = template.trim().replace(/^/gm, '    ');
      const document = compileDocument(
        `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${lines}\n`,
      );
      const tiers = [0, Infinity].map((generateAfter) =>
        compileTemplate(template, { generateAfter }),
      );
      for (const one of [input, ...(Array.isArray(input) ? [] : variantsOf(input, 20))]) {
        const wanted = plain(byHand(one));
        for (const tier of tiers) expect(plain(tier.run(one).root)).toEqual(wanted);
        if (!Array.isArray(input)) expect(plain(document.run(one)?.record)).toEqual(wanted);
      }
    },
  );
});
