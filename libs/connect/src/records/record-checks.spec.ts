import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { OperationRun } from '../operation-run.js';
import { RecordChecks } from './record-checks.js';

describe('records that do not fit the contract', () => {
  it('are counted each, and logged at most once in a minute', () => {
    let now = 1_000_000;
    const run = {
      integration: { id: 'int_1', providerType: 'ticketing_acme' },
      clock: { now: () => now },
    } as unknown as OperationRun;
    const outcomes: string[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const checks = new RecordChecks({ onFault: (outcome) => outcomes.push(outcome) });
    for (let count = 0; count < 10; count += 1)
      checks.note(run, 'default:0', 'fitted', 'the field /status must be a string, is a number');
    checks.note(run, 'default:0', 'left_out', 'the field /id is missing');
    expect(outcomes).toEqual([...Array<string>(10).fill('fitted'), 'left_out']);
    expect(warn).toHaveBeenCalledTimes(1);
    now += 60_000;
    checks.note(run, 'default:0', 'left_out', 'the field /id is missing');
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });
});
