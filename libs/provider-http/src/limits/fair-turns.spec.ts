import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

const signal = new AbortController().signal;
const of = (tenant: string, credential = 'one') => ({ tenant, credential });

describe('turns at a host', () => {
  it('go round the tenants, whoever came with many calls first', async () => {
    const turns = new FairTurns({ running: 1 });
    const order: string[] = [];
    const release = await turns.take('host', of('busy'), signal);
    const call = async (tenant: string) => {
      const done = await turns.take('host', of(tenant), signal);
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
    const turns = new FairTurns({ running: 2 });
    const first = await turns.take('a', of('t'), signal);
    await turns.take('a', of('t'), signal);
    await turns.take('b', of('t'), signal);
    let third = false;
    const waiting = Promise.resolve(turns.take('a', of('t'), signal)).then(() => (third = true));
    await new Promise((done) => setImmediate(done));
    expect(third).toBe(false);
    first();
    await waiting;
    expect(third).toBe(true);
  });

  it('are not all of one tenant, where one may have so many only', async () => {
    const turns = new FairTurns({ running: 3, perTenant: 2 });
    const first = await turns.take('a', of('busy'), signal);
    await turns.take('a', of('busy'), signal);
    const order: string[] = [];
    const more = Promise.resolve(turns.take('a', of('busy'), signal)).then(() =>
      order.push('busy'),
    );
    const quiet = await turns.take('a', of('quiet'), signal);
    order.push('quiet');
    quiet(); // free, and still not for who has two
    await new Promise((done) => setImmediate(done));
    expect(order).toEqual(['quiet']);
    first();
    await more;
    expect(order).toEqual(['quiet', 'busy']);
  });

  it('are not all of one credential of a tenant, and go round its credentials', async () => {
    const turns = new FairTurns({ running: 3, perTenant: 3, perCredential: 2 });
    const order: string[] = [];
    const call = async (credential: string) => {
      const done = await turns.take('host', of('t', credential), signal);
      order.push(credential);
      return done;
    };
    const first = await call('slow');
    await call('slow');
    const waiting = [call('slow'), call('slow')];
    const quick = await call('quick');
    const other = call('other');
    expect(turns.held).toEqual({ running: 3, waiting: 3 });
    quick(); // free, and still not for the credential that has two
    await other;
    first();
    await waiting[0];
    expect(order).toEqual(['slow', 'slow', 'quick', 'other', 'slow']);
  });

  it('are given up by who hangs up while waiting', async () => {
    const turns = new FairTurns({ running: 1 });
    const release = await turns.take('a', of('t'), signal);
    const caller = new AbortController();
    const gone = turns.take('a', of('t'), caller.signal);
    const stays = turns.take('a', of('t'), signal);
    caller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    release();
    (await stays)();
    (await turns.take('a', of('t'), signal))();
  });
});
