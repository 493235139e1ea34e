import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileTemplate, formatJson, Nothing, parseJson, type Value } from '@onefold/mapping';

const page = new URL('../../../docs/mapping/language.md', import.meta.url);

interface Run {
  source: string;
  input: string;
  /** The values that `@` reads, as JSON. */
  metadata: string;
  output: string | undefined;
  failure: string | undefined;
}

/** The runs of every example: a template, and pairs of what it gets and what it makes of it. */
function examples(): Run[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/^```coffee\n(.*?)^```$/gms)].flatMap(([, block = '']) => {
    const source = block.slice(0, block.search(/^# (?:Meta|In):/m));
    const [, metadata = '{}'] = /^# Meta: +(.*)$/m.exec(block) ?? [];
    const pairs = block.matchAll(/^# In: +(.*)\n# (?:Out: +(.*)|Fails: +(.*))$/gm);
    return [...pairs].map(([, input = '', output, failure]) => ({
      source,
      input,
      metadata,
      output,
      failure,
    }));
  });
}

describe('the page on the mapping language', () => {
  it('has an example for each part of the syntax', () => {
    const all = examples().map(({ source }) => source);
    for (const part of [
      'let ',
      'match ',
      'match {',
      'map ',
      ' | ',
      '"""',
      '->',
      '@',
      '.catch(',
      'throw(',
    ])
      expect(all.filter((source) => source.includes(part))).not.toEqual([]);
  });

  it.each(examples())(
    'makes of $input what it says',
    ({ source, input, metadata, output, failure }) => {
      const options = { metadata: parseJson(metadata) as Record<string, Value> };
      const run = () => compileTemplate(source).run(parseJson(input), options).root;
      if (failure !== undefined) expect(run).toThrow(failure);
      else {
        const made = run();
        expect(made === Nothing ? 'nothing' : formatJson(made)).toBe(output);
      }
    },
  );
});
