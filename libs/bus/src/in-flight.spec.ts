import { describe, expect, it } from '@jest/globals';
import { InFlight, Running } from './in-flight.js';

describe('what is under way', () => {
  it('is found by its text until it is deleted', () => {
    const calls = new InFlight<number>();
    calls.set('inbox.1', 1);
    calls.set('inbox.2', 2);
    calls.delete('inbox.1');
    expect(calls.get('inbox.1')).toBeUndefined();
    expect(calls.has('inbox.1')).toBe(false);
    expect(calls.get('inbox.2')).toBe(2);
  });

  it('is not found by the name of a property that every object has', () => {
    const calls = new InFlight<number>();
    expect(calls.has('constructor')).toBe(false);
    expect(calls.get('__proto__')).toBeUndefined();
  });
});

describe('running work', () => {
  it('is waited for, what begins meanwhile too', async () => {
    const running = new Running();
    const ends: (() => void)[] = [];
    const begin = () => running.add(new Promise<void>((settle) => ends.push(settle)));
    const order: string[] = [];
    begin();
    const all = running.ended().then(() => order.push('all'));
    begin();
    ends[0]?.();
    await new Promise((done) => setImmediate(done));
    order.push('last');
    ends[1]?.();
    await all;
    expect(order).toEqual(['last', 'all']);
  });

  it('is not waited for when there is none', async () => {
    await expect(new Running().ended()).resolves.toBeUndefined();
  });
});
