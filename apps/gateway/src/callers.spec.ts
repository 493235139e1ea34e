import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { Bus } from '#bus';
import { mintToken } from '#secrets';
import { Callers } from './callers.js';
import { ClientAddresses } from './client-address.js';
import type { GatewaySettings } from './gateway-settings.js';

const flooding = '203.0.113.9';

/** Callers with a fake management service that knows some tokens and responds when the test lets it. */
function begin() {
  const known = new Set<string>();
  const state = { asked: 0, running: 0, maxRunning: 0, isWhole: false };
  let answerAll: (() => void) | undefined;
  let gate = Promise.resolve();
  const bus = {
    subscribe: () => () => undefined,
    onReconnect: () => () => undefined,
    call: async (name: string, _input: unknown, { requestId }: { requestId: string }) => {
      if (name === 'changes.confirm')
        return { position: 'p', changes: state.isWhole ? [] : undefined };
      state.asked += 1;
      state.running += 1;
      state.maxRunning = Math.max(state.maxRunning, state.running);
      await gate;
      state.running -= 1;
      const isKnown = known.has(requestId);
      return isKnown
        ? { caller: {}, kind: 'access', expiresAt: Number.MAX_VALUE, validMs: Number.MAX_VALUE }
        : null;
    },
  } as unknown as Bus;
  const callers = new Callers(bus);
  // The request id tells the fake which token it is about: it sees hashes only.
  const find = (token: string, remoteAddress = flooding) =>
    Promise.resolve(callers.find(token, () => ({ requestId: token, remoteAddress }) as never));
  const give = () => {
    const token = mintToken('ofo_');
    known.add(token);
    return token;
  };
  const fail = async (count: number, address = flooding) => {
    for (let index = 0; index < count; index += 1)
      expect(await find(mintToken('ofo_'), address)).toBeNull();
  };
  return {
    find,
    give,
    fail,
    state,
    hold: () => {
      gate = new Promise((settle) => (answerAll = settle));
    },
    letGo: () => answerAll?.(),
    forgetAll: () => callers.changes.forget(),
    held: () => callers.held.known,
  };
}
const settled = () => new Promise((settle) => setImmediate(settle));
const statusOf = (error: { status: number }) => error.status;

describe('tokens at the gateway', () => {
  it('are looked up once a minute while all changes are known, and refused ones each second', async () => {
    jest.useFakeTimers({ now: Date.now() });
    try {
      const { find, give, state } = begin();
      state.isWhole = true;
      const [valid, unknown] = [give(), mintToken('ofo_')];
      for (let second = 0; second < 55; second += 1) {
        await find(valid);
        await jest.advanceTimersByTimeAsync(1_000);
      }
      expect(state.asked).toBe(1);
      for (let second = 0; second < 10; second += 1) {
        await find(unknown);
        await jest.advanceTimersByTimeAsync(1_001);
      }
      expect(state.asked).toBe(11);
      for (let second = 0; second < 12; second += 1) {
        await find(valid);
        await jest.advanceTimersByTimeAsync(1_000);
      }
      expect(state.asked).toBe(12);
    } finally {
      jest.useRealTimers();
    }
  });

  it('leave the memory of the process when nobody calls with them any more', async () => {
    jest.useFakeTimers({ now: Date.now() });
    try {
      const { find, give, held } = begin();
      for (let once = 0; once < 100; once += 1) await find(give());
      expect(held()).toBe(100);
      await jest.advanceTimersByTimeAsync(80_000);
      for (let other = 0; other < 60; other += 1) await find(give());
      expect(held()).toBe(60);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are looked up each second while changes are not known', async () => {
    jest.useFakeTimers({ now: Date.now() });
    try {
      const { find, give, state } = begin();
      const valid = give();
      for (let second = 0; second < 10; second += 1) {
        await find(valid);
        await jest.advanceTimersByTimeAsync(1_001);
      }
      expect(state.asked).toBe(10);
    } finally {
      jest.useRealTimers();
    }
  });

  it('with a wrong checksum are refused without a look-up, however many there are', async () => {
    const { find, give, state } = begin();
    const wrong = mintToken('ofo_').slice(0, -8) + '00000000';
    for (let count = 0; count < 1_000; count += 1) expect(await find(wrong)).toBeNull();
    expect(state.asked).toBe(0);
    expect(await find(give())).not.toBeNull();
  });

  it('that are valid pass behind an address that sent unknown ones, new or used before', async () => {
    const { find, give, fail } = begin();
    const used = give();
    expect(await find(used)).not.toBeNull();
    await fail(200);
    expect(await find(used)).not.toBeNull();
    expect(await find(give())).not.toBeNull();
  });

  it('of an address that floods are looked up two at a time, and a hundred wait', async () => {
    const { find, fail, state, hold, letGo } = begin();
    await fail(30);
    state.maxRunning = 0;
    hold();
    const asked = state.asked;
    const answers = Array.from({ length: 5_000 }, () => find(mintToken('ofo_')).catch(statusOf));
    await settled();
    expect(state.asked - asked).toBe(2);
    letGo();
    const all = await Promise.all(answers);
    expect(all.filter((answer) => answer === null)).toHaveLength(102);
    expect(new Set(all)).toEqual(new Set([null, 429]));
    expect([state.maxRunning, state.asked - asked]).toEqual([2, 102]);
  });

  it('that are valid pass during a flood: used ones at once, those of other addresses too', async () => {
    const { find, give, fail, hold, letGo, state, forgetAll } = begin();
    const used = give();
    await find(used);
    await fail(30);
    forgetAll();
    hold();
    const flood = Array.from({ length: 1_000 }, () => find(mintToken('ofo_')).catch(statusOf));
    const [mine, others] = [find(used), find(give(), '198.51.100.1')];
    await settled();
    expect(state.running).toBe(4); // two of the flood, and both of these
    letGo();
    expect(await mine).not.toBeNull();
    expect(await others).not.toBeNull();
    await Promise.all(flood);
  });

  it('of many addresses are looked up 32 at a time, in turns', async () => {
    const { find, give, hold, letGo, state } = begin();
    hold();
    const flood = Array.from({ length: 1_500 }, (_, at) =>
      find(mintToken('ofo_'), at < 1_000 ? flooding : `198.51.100.${at % 250}`).catch(statusOf),
    );
    const late = find(give(), '192.0.2.77');
    await settled();
    expect(state.asked).toBe(32);
    letGo();
    expect(await late).not.toBeNull();
    await Promise.all(flood);
    expect(state.maxRunning).toBe(32);
  });

  it('are refused with 503 when two thousand look-ups wait', async () => {
    const { find, hold, letGo } = begin();
    hold();
    const all = Array.from({ length: 3_000 }, (_, at) =>
      find(mintToken('ofo_'), `198.51.100.${at % 250}`).catch(statusOf),
    );
    await settled();
    letGo();
    expect((await Promise.all(all)).filter((answer) => answer === 503)).toHaveLength(968);
  });

  it('a look-up that waits is made once for all who come with the token', async () => {
    const { find, fail, give, hold, letGo, state } = begin();
    await fail(30);
    hold();
    const asked = state.asked;
    const others = [find(mintToken('ofo_')), find(mintToken('ofo_'))];
    const token = give();
    const same = Array.from({ length: 50 }, () => find(token));
    await settled();
    letGo();
    expect(new Set((await Promise.all(same)).map((found) => found !== null))).toEqual(
      new Set([true]),
    );
    await Promise.all(others);
    expect(state.asked - asked).toBe(3);
  });
});

describe('the address of a client', () => {
  const request = (forwarded?: string) =>
    ({
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    }) as unknown as IncomingMessage;

  it('is the peer without PROXY_HOPS, and X-Forwarded-For is warned of once', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const addresses = new ClientAddresses({ proxyHops: 0 } as GatewaySettings);
    expect(addresses.of(request())).toBe('10.0.0.1');
    expect(warn).not.toHaveBeenCalled();
    for (let count = 0; count < 3; count += 1)
      expect(addresses.of(request('192.0.2.1'))).toBe('10.0.0.1');
    expect(warn.mock.calls).toEqual([
      [expect.objectContaining({ message: expect.stringContaining('PROXY_HOPS') })],
    ]);
    warn.mockRestore();
  });

  it('is the entry that many from the end, and no longer than an address', () => {
    const addresses = new ClientAddresses({ proxyHops: 2 } as GatewaySettings);
    expect(addresses.of(request('192.0.2.9, 192.0.2.1, 10.0.0.2'))).toBe('192.0.2.1');
    expect(addresses.of(request('192.0.2.9'))).toBe('10.0.0.1');
    expect(addresses.of(request(`${'x'.repeat(9_000)}, y`))).toHaveLength(64);
  });
});
