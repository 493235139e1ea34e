import { describe, expect, it } from '@jest/globals';
import type { AsyncOperation } from '#store';
import { maxErrors, noteError, problemsOf } from './job-errors.js';

describe('the errors of a job', () => {
  it('are the newest hundred', () => {
    const job = { errors: null } as AsyncOperation;
    for (let n = 1; n <= maxErrors + 50; n += 1) noteError(job, `failure ${n}`);
    expect(job.errors).toHaveLength(100);
    expect(job.errors?.[0]).toEqual({ message: 'failure 51' });
    expect(job.errors?.at(-1)).toEqual({ message: 'failure 150' });
  });

  it('are what a page left out, too', () => {
    const problems = [{ message: 'record 3 was left out', status: 200 }];
    expect(problemsOf({ result: [], messages: { problems } })).toEqual(['record 3 was left out']);
    expect(problemsOf({ result: [] })).toEqual([]);
    expect(problemsOf({ messages: { problems: null } })).toEqual([]);
  });
});
