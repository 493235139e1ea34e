import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

const signal = new AbortController().signal;

describe('turns at a host', () => {
  it('go round the tenants, whoever came with many calls first', async () => {
    const turns = new FairTurns(1);
    const order: string[] = [];
    const release = await turns.take('host', 'busy', signal);
    const call = async (tenant: string) => {
      const done = await turns.take('host', tenant, signal);
      order.push(tenant);
      done();
    };
    const calls = [...'bbbb'].map(() => call('busy'));
    calls.push(call('quiet'), call('other'), call('busy'));
    release();
    await Promise.all(calls);
    expect(order).toEqual(['busy', 'quiet', 'other', 'busy', 'busy', 'busy', 'busy']);
  });

  it('are as many as there are, per host', async () => {
    const turns = new FairTurns(2);
    const first = await turns.take('a', 't', signal);
    await turns.take('a', 't', signal);
    await turns.take('b', 't', signal);
    let third = false;
    const waiting = Promise.resolve(turns.take('a', 't', signal)).then(() => (third = true));
    await new Promise((done) => setImmediate(done));
    expect(third).toBe(false);
    first();
    await waiting;
    expect(third).toBe(true);
  });

  it('are not all of one tenant, where one may have so many only', async () => {
    const turns = new FairTurns(3, 2);
    const first = await turns.take('a', 'busy', signal);
    await turns.take('a', 'busy', signal);
    const order: string[] = [];
    const more = Promise.resolve(turns.take('a', 'busy', signal)).then(() => order.push('busy'));
    const quiet = await turns.take('a', 'quiet', signal);
    order.push('quiet');
    quiet(); // free, and still not for who has two
    await new Promise((done) => setImmediate(done));
    expect(order).toEqual(['quiet']);
    first();
    await more;
    expect(order).toEqual(['quiet', 'busy']);
  });

  it('are given up by who hangs up while waiting', async () => {
    const turns = new FairTurns(1);
    const release = await turns.take('a', 't', signal);
    const caller = new AbortController();
    const gone = turns.take('a', 't', caller.signal);
    const stays = turns.take('a', 't', signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    (await stays)();
    (await turns.take('a', 't', signal))();
  });
});
