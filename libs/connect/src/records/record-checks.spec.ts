import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ResolvedIntegration } from '#bus';
import { RecordChecks } from './record-checks.js';

describe('records that do not fit the contract', () => {
  it('are counted each, and logged at most once in a minute', () => {
    let now = 1_000_000;
    const integration = { id: 'int_1', providerType: 'ticketing_acme' } as ResolvedIntegration;
    const problem = 'the field /status must be a string, is a number';
    const fitted = { mapping: 'default:0', outcome: 'fitted', problem } as const;
    const leftOut = {
      ...fitted,
      outcome: 'left_out',
      problem: 'the field /id is missing',
    } as const;
    const outcomes: string[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const checks = new RecordChecks({ onFault: (outcome) => outcomes.push(outcome) });
    for (let count = 0; count < 10; count += 1) checks.note(integration, fitted, now);
    checks.note(integration, leftOut, now);
    expect(outcomes).toEqual([...Array<string>(10).fill('fitted'), 'left_out']);
    expect(warn).toHaveBeenCalledTimes(1);
    now += 60_000;
    checks.note(integration, leftOut, now);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });
});
