import { describe, expect, it } from '@jest/globals';
import { ApiError } from '#contract';
import { LoginRefused, type Session, Sessions } from './sessions.js';

/** Sessions with a clock of their own, and what they have done. */
function setUp() {
  let now = 1_000;
  const done: string[] = [];
  const sessions = new Sessions({ now: () => now });
  let logins = 0;
  const open = async (more: Partial<Session> = {}): Promise<Session> => {
    logins += 1;
    const token = `t${logins}`;
    done.push(`login ${token}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return {
      use: { send: 'header', name: 'x-token', value: token },
      secrets: [token],
      lifetimeMs: undefined,
      logOut: () => Promise.resolve(done.push(`logout ${token}`)),
      ...more,
    };
  };
  const { signal } = new AbortController();
  const get = (logIn: () => Promise<Session> = open, key = 'one') =>
    sessions.get({ key, logIn }, signal);
  const pass = (ms: number) => {
    now += ms;
  };
  return { sessions, get, open, pass, done };
}

describe('sessions', () => {
  it('are opened once, however many calls need one', async () => {
    const { get, done } = setUp();
    const all = await Promise.all(Array.from({ length: 50 }, () => get()));
    expect(new Set(all).size).toBe(1);
    expect(await get()).toBe(all[0]);
    expect(done).toEqual(['login t1']);
  });

  it('are opened anew when the provider has refused one, which is not closed', async () => {
    const { get, done } = setUp();
    (await get()).isRefused = true;
    const [one, other] = await Promise.all([get(), get()]);
    expect(one).toBe(other);
    expect(done).toEqual(['login t1', 'login t2']);
  });

  it('are opened anew when their lifetime is over, and closed', async () => {
    const { get, open, pass, done } = setUp();
    const short = () => open({ lifetimeMs: 60_000 });
    const first = await get(short);
    pass(59_000);
    expect(await get(short)).toBe(first);
    pass(2_000);
    await get(short);
    expect(done).toEqual(['login t1', 'login t2', 'logout t1']);
  });

  it('are closed once at the end of the process, whatever becomes of the others', async () => {
    const { sessions, get, open, done } = setUp();
    await get();
    await get(() => open({ logOut: () => Promise.reject(new Error('gone')) }), 'two');
    await get(() => open({ logOut: undefined }), 'three');
    await sessions.end();
    expect(done.filter((one) => one.startsWith('logout'))).toEqual(['logout t1']);
  });

  it('do not end with a call that no longer waits for the login', async () => {
    const { sessions, get, open, done } = setUp();
    const gone = new AbortController();
    const first = sessions.get({ key: 'one', logIn: open }, gone.signal);
    const second = get();
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect((await second).secrets).toEqual(['t1']);
    expect(done).toEqual(['login t1']);
  });
});

describe('a login', () => {
  it('that is refused is not tried again at once, by whatever number of calls', async () => {
    const { get } = setUp();
    let tries = 0;
    const logIn = () => {
      tries += 1;
      return Promise.reject(new LoginRefused(new ApiError(502, 'wrong password')));
    };
    for (let index = 0; index < 5; index += 1)
      await expect(get(logIn)).rejects.toMatchObject({ status: 502, message: 'wrong password' });
    expect(tries).toBe(1);
  });

  it('that fails otherwise is tried again by the next call', async () => {
    const { get, open } = setUp();
    await expect(get(() => Promise.reject(new ApiError(503, 'down')))).rejects.toThrow('down');
    expect((await get(open)).secrets).toEqual(['t1']);
  });
});
