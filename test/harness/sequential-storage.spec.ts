import { expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';

interface Storage {
  getStore(): unknown;
  run<T>(store: unknown, callback: () => T): T;
}
const file = new URL('../../../tools/jest/sequential-storage.mjs', import.meta.url).href;
const { SequentialStorage } = (await import(file)) as { SequentialStorage: new () => Storage };

it("keeps the running test, and a hook's context in it, until the promise of each is settled", async () => {
  const storage = new SequentialStorage();
  const seen: unknown[] = [];
  const look = async () => {
    await turn();
    seen.push(storage.getStore());
  };
  await storage.run('test', async () => {
    await look();
    await storage.run('hook', look);
    await look();
    await expect(storage.run('failing hook', () => Promise.reject(new Error('x')))).rejects.toThrow(
      'x',
    );
    await look();
  });
  await look();
  expect(seen).toEqual(['test', 'hook', 'test', 'test', undefined]);
});

it('ends with the call, if that throws or returns no promise', () => {
  const storage = new SequentialStorage();
  expect(storage.run('test', () => storage.getStore())).toBe('test');
  expect(storage.getStore()).toBeUndefined();
  const fail = () => {
    throw new Error('x');
  };
  expect(() => storage.run('test', fail)).toThrow('x');
  expect(storage.getStore()).toBeUndefined();
});
