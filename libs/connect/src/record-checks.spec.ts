import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { operationOf } from '#contract';
import type { OperationRun } from './operation-run.js';
import { RecordChecks } from './record-checks.js';

const right = {
  ...{ id: '1', name: 'a', summary: 'a' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
};
const wrong = { ...right, status: 5 };

function runOf(mappings: string[] = []): OperationRun {
  const operation = operationOf('ticketing_query_tickets');
  const chains = mappings.map((reference) => ({
    operationIds: [operation.id],
    mappings: [{ reference: 'default:0' }, { reference, data: '' }],
  }));
  return {
    operation,
    integration: { id: 'int_1', providerType: 'ticketing_acme', chains },
    offered: { resource: 'tickets', action: 'query' },
    clock: { now: () => 1_000_000 },
  } as unknown as OperationRun;
}

// "Every record is held against the contract before it leaves: a missing `id`, `status: 5`, `created_at: null` are a 502 naming the mapping
// and the field in the kit and in verification, and a counted warning in production, sampled (1 row in 100 unless configured)."
describe('records', () => {
  it('that do not fit are a 502 that names mapping and field, in the kit', () => {
    const checks = new RecordChecks({ every: 1, strict: true });
    const check = () => checks.check(runOf(['customer:3']), [right, wrong]);
    expect(check).toThrow(
      'the mapping default:0, customer:3 failed: the field /status of ticketing_query_tickets must be a string, is a number',
    );
    expect(check).toThrow(expect.objectContaining({ status: 502 }));
    expect(() => checks.check(runOf(), [right])).not.toThrow();
  });

  it.each([
    [100, 1_000, 10],
    [1, 25, 25],
    [7, 70, 10],
    [0, 1_000, 0],
  ])('of which one in %i is checked are counted', (every, amount, expected) => {
    let count = 0;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const checks = new RecordChecks({ every, onFault: () => (count += 1) });
    const run = runOf();
    // Lists of different lengths and single records count as one sequence.
    let left = amount;
    for (let size = 1; left > 0; size += 1) {
      const next = Math.min(size, left);
      checks.check(run, next === 1 ? wrong : Array(next).fill(wrong));
      left -= next;
    }
    expect(count).toBe(expected);
    expect(warn).toHaveBeenCalledTimes(expected > 0 ? 1 : 0); // at most one in a minute
    warn.mockRestore();
  });
});
