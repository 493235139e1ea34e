import { executionAsyncId } from 'node:async_hooks';
import { expect, it } from '@jest/globals';
import { noting } from './document-failures.js';

/** Id of what runs after a promise: with a hook of Node for promises, each has one of its own. */
async function idAfterPromise(): Promise<number> {
  await Promise.resolve();
  return executionAsyncId();
}

it('leaves no hook of promises behind when no run is under way', async () => {
  const ids = async () => [await idAfterPromise(), await idAfterPromise()];
  let finishFirst: () => void = () => undefined;
  const first = noting(() => new Promise<void>((resolve) => (finishFirst = resolve)));
  const [[during]] = [await noting(ids)];
  expect(new Set(during).size).toBe(2);
  finishFirst();
  await first;
  expect(new Set(await ids()).size).toBe(1);
});
