import { afterEach, describe, expect, it } from '@jest/globals';
import { Budgets, compileDocument, compileTemplate, maxLimits } from '../index.js';

const work = 'root = range(0, 100000).map_each(n -> n + 1).length()';

describe('mapping budgets', () => {
  afterEach(() => {
    new Budgets().limitProcess();
  });

  it('are percentages of steps, bytes and time by id, of which the lowest applies', () => {
    const budgets = new Budgets(['int_a:10', 'acc_b:50']);
    expect(budgets.limitsOf('int_x', 'acc_x')).toBeUndefined();
    expect(budgets.limitsOf('int_a', 'acc_b')).toEqual({
      ...maxLimits,
      fuel: 500_000,
      bytes: 8_388_608,
      deadlineMs: 100,
    });
    expect(budgets.limitsOf('int_x', 'acc_b')?.fuel).toBe(2_500_000);
  });

  it('for every run hold without being passed, and cannot be raised by options', () => {
    const template = compileTemplate(work);
    expect(template.run({}).root).toBe(100_000);
    new Budgets(['*:2']).limitProcess();
    const refused = 'the template takes more than 100000 steps';
    for (const limits of [undefined, maxLimits, { fuel: 1e9 }])
      expect(() => template.run({}, limits && { limits })).toThrow(refused);
    const document = compileDocument(
      `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: ${work}\n`,
    );
    expect(() => document.run({})).toThrow(
      `line 4, column 19 in template default, root: ${refused}`,
    );
    new Budgets().limitProcess();
    expect(template.run({}).root).toBe(100_000);
  });
});
