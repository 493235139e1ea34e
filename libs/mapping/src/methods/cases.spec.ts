import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileQuery, formatJson, MappingError, methods, parseJson, RunError } from '../index.js';

type Case = [expression: string, self: unknown, result: unknown];
type Failure = { fails?: string; refused?: string } | null;
const file = join(process.cwd(), 'libs/mapping/cases/methods.yaml');
const cases = parse(readFileSync(file, 'utf8')) as Record<string, Case[]>;

const value = (one: unknown) => parseJson(JSON.stringify(one));
const failure = (result: unknown) => (result as Failure)?.fails;
const refusal = (result: unknown) => (result as Failure)?.refused;

describe.each(Object.entries(cases))('%s', (name, list) => {
  it('has a usual, an edge and a refused case', () => {
    expect(methods.has(name)).toBe(true);
    expect(list.length).toBeGreaterThanOrEqual(3);
    const isFault = (result: unknown) => (failure(result) ?? refusal(result)) !== undefined;
    expect(list.some(([, , result]) => isFault(result))).toBe(true);
  });

  it.each(list)('%s of %j', (expression, self, result) => {
    const run = () => formatJson(compileQuery(expression)(value(self)));
    const [fails, refused] = [failure(result), refusal(result)];
    if (fails === undefined && refused === undefined) {
      expect(run()).toBe(formatJson(value(result)));
      return;
    }
    expect(run).toThrow(refused === undefined ? RunError : MappingError);
    expect(run).toThrow(fails ?? refused);
  });
});
