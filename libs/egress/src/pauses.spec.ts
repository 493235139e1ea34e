import { describe, expect, it } from '@jest/globals';
import { Pauses } from './pauses.js';

const { signal } = new AbortController();

describe('a pause', () => {
  it('that is long ends with the process, and begins no more', async () => {
    const pauses = new Pauses();
    const long = pauses.take(3_600_000, signal);
    pauses.end();
    expect([await long, await pauses.take(3_600_000, signal)]).toEqual([false, false]);
  });

  it('that is short goes on to its end', async () => {
    const pauses = new Pauses();
    const short = pauses.take(50, signal);
    pauses.end();
    expect([await short, await pauses.take(1, signal)]).toEqual([true, true]);
  });

  it('ends with the reason of its caller', async () => {
    const caller = new AbortController();
    const long = new Pauses().take(3_600_000, caller.signal);
    caller.abort(new Error('gone'));
    await expect(long).rejects.toThrow('gone');
    await expect(new Pauses().take(3_600_000, caller.signal)).rejects.toThrow('gone');
  });
});
