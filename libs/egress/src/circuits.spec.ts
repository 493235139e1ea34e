import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Circuits, HostPaused } from './circuits.js';

let circuits: Circuits;
let calls = 0;

beforeEach(() => {
  jest.useFakeTimers();
  circuits = new Circuits();
  calls = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

const origin = 'https://api.example.com';

/** One call of a host; the result says what is wrong with the host. */
async function call(organizationId: string, failure?: string, at = origin): Promise<string> {
  try {
    await circuits.run({
      origin: at,
      organizationId,
      run: () => Promise.resolve((calls += 1)),
      failureOf: () => failure,
      signal: new AbortController().signal,
    });
    return 'called';
  } catch (error) {
    if (!(error instanceof HostPaused)) throw error;
    return error.lastFailure;
  }
}

async function fail(times: number, organizationId: string): Promise<void> {
  for (let done = 0; done < times; done += 1) await call(organizationId, 'it answered 500');
}

describe('circuits', () => {
  it('pause the calls of one organization when its own calls have failed, and nobody else', async () => {
    await fail(10, 'org_1');
    expect(await call('org_1')).toBe('it answered 500');
    expect(await call('org_2')).toBe('called');
    expect(await call('org_1', undefined, 'https://other.example.com')).toBe('called');
    expect(calls).toBe(12);
  });

  it('stay closed for others however often one organization fails', async () => {
    for (let round = 0; round < 20; round += 1) {
      await fail(10, 'org_1');
      jest.advanceTimersByTime(10_001);
    }
    await fail(4, 'org_2');
    expect(await call('org_3')).toBe('called');
  });

  it('pause the calls of everybody when two organizations see the host fail', async () => {
    await fail(5, 'org_1');
    await fail(5, 'org_2');
    expect(await call('org_3')).toBe('it answered 500');
    jest.advanceTimersByTime(10_001);
    expect(await call('org_3')).toBe('called');
    expect(await call('org_1')).toBe('called');
  });

  it('count failures in a row', async () => {
    await fail(9, 'org_1');
    await call('org_1');
    await fail(9, 'org_1');
    expect(await call('org_1')).toBe('called');
  });

  it('do not count what is thrown: that is not of the host', async () => {
    for (let done = 0; done < 20; done += 1)
      await expect(
        circuits.run({
          origin,
          organizationId: 'org_1',
          run: () => Promise.reject(new Error('a line break in the secret')),
          failureOf: () => undefined,
          signal: new AbortController().signal,
        }),
      ).rejects.toThrow('a line break');
    expect(await call('org_1')).toBe('called');
  });
});
