import { describe, expect, it } from '@jest/globals';
import type { AsyncOperation } from '#store';
import { maxErrors, noteError } from './job-errors.js';

describe('the errors of a job', () => {
  it('are the newest hundred', () => {
    const job = { errors: null } as AsyncOperation;
    for (let n = 1; n <= maxErrors + 50; n += 1) noteError(job, `failure ${n}`);
    expect(job.errors).toHaveLength(100);
    expect(job.errors?.[0]).toEqual({ message: 'failure 51' });
    expect(job.errors?.at(-1)).toEqual({ message: 'failure 150' });
  });
});
