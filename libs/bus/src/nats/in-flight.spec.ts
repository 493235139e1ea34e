import { describe, expect, it } from '@jest/globals';
import { InFlight, Running, Underway } from './in-flight.js';

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

describe('work that is looked at all at once', () => {
  it('has what was added and not deleted since', () => {
    const work = ['a', 'b', 'c', 'd'].map((name) => ({ name, place: 0 }));
    const underway = new Underway<(typeof work)[number]>();
    const names = () =>
      underway
        .list()
        .map(({ name }) => name)
        .toSorted();
    for (const one of work) underway.add(one);
    const [a, b, c, d] = work as [
      (typeof work)[0],
      (typeof work)[0],
      (typeof work)[0],
      (typeof work)[0],
    ];
    underway.delete(b);
    underway.delete(b);
    expect(names()).toEqual(['a', 'c', 'd']);
    underway.delete(d);
    underway.add(b);
    underway.delete(a);
    expect(names()).toEqual(['b', 'c']);
    underway.delete(c);
    underway.delete(b);
    expect(names()).toEqual([]);
  });

  it('may end while it is read', () => {
    const work = [{ place: 0 }, { place: 0 }, { place: 0 }];
    const underway = new Underway<{ place: number }>();
    for (const one of work) underway.add(one);
    const read = underway.list();
    for (const one of read) underway.delete(one);
    expect([read.length, underway.list()]).toEqual([3, []]);
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
