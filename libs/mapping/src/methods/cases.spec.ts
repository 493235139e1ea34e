import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileQuery, formatJson, methods, parseJson, RunError } from '../index.js';

type Case = [expression: string, self: unknown, result: unknown];
const file = join(process.cwd(), 'libs/mapping/cases/methods.yaml');
const cases = parse(readFileSync(file, 'utf8')) as Record<string, Case[]>;

const value = (one: unknown) => parseJson(JSON.stringify(one));
const failure = (result: unknown) => (result as { fails?: string } | null)?.fails;

describe.each(Object.entries(cases))('%s', (name, list) => {
  it('has a usual, an edge and a refused case', () => {
    expect(methods.has(name)).toBe(true);
    expect(list.length).toBeGreaterThanOrEqual(3);
    expect(list.some(([, , result]) => failure(result) !== undefined)).toBe(true);
  });

  it.each(list)('%s of %j', (expression, self, result) => {
    const run = () => formatJson(compileQuery(expression)(value(self)));
    const fails = failure(result);
    if (fails === undefined) expect(run()).toBe(formatJson(value(result)));
    else {
      expect(run).toThrow(RunError);
      expect(run).toThrow(fails);
    }
  });
});
