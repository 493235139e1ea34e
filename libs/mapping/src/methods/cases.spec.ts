import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  compileQuery,
  compileTemplate,
  formatJson,
  MappingError,
  parseJson,
  RunError,
  standardEnvironment,
} from '../index.js';

const { functions, methods } = standardEnvironment;

type Case = [source: string, self: unknown, result: unknown];
type Failure = { fails?: string; refused?: string } | null;

const cases = (name: string) =>
  parse(readFileSync(join(process.cwd(), 'libs/mapping/cases', `${name}.yaml`), 'utf8')) as Record<
    string,
    Case[]
  >;

const value = (one: unknown) => parseJson(JSON.stringify(one));
const fault = (result: unknown) =>
  (result as Failure)?.fails ?? (result as Failure)?.refused ?? undefined;

const options = {
  surroundings: { now: () => 1_577_836_800_123, random: () => 0.5 },
  metadata: { a: 'x', n: 5 },
};

describe.each([
  ['methods', methods, (source: string, self: unknown) => compileQuery(source)(value(self))],
  [
    'functions',
    functions,
    (source: string, self: unknown) => compileTemplate(source).run(value(self), options).root,
  ],
] as const)('the cases of %s', (kind, known, evaluate) => {
  const given = cases(kind);

  it('have each a usual, an edge and a refused one', () => {
    expect(Object.keys(given).sort()).toEqual([...known.keys()].sort());
    for (const [name, list] of Object.entries(given)) {
      const refused = list.filter(([, , result]) => fault(result) !== undefined).length;
      expect([name, list.length >= 3, refused > 0]).toEqual([name, true, true]);
    }
  });

  describe.each(Object.entries(given))('%s', (_name, list) => {
    it.each(list)('%s of %j', (source, self, result) => {
      const run = () => formatJson(evaluate(source, self));
      const wanted = fault(result);
      if (wanted === undefined) expect(run()).toBe(formatJson(value(result)));
      else {
        expect(run).toThrow((result as Failure)?.refused === undefined ? RunError : MappingError);
        expect(run).toThrow(wanted);
      }
    });
  });
});
