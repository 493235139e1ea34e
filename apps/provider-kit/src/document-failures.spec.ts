import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);

/** Prints how many ids two promises have during a run and after it: with a hook of Node for promises, each has one of its own. */
const script = `
  import { executionAsyncId } from 'node:async_hooks';
  const { noting } = await import(${JSON.stringify(new URL('./document-failures.js', import.meta.url).href)});
  const idAfterPromise = async () => {
    await Promise.resolve();
    return executionAsyncId();
  };
  const ids = async () => new Set([await idAfterPromise(), await idAfterPromise()]).size;
  let finishFirst;
  const first = noting(() => new Promise((resolve) => (finishFirst = resolve)));
  const [during] = await noting(ids);
  finishFirst();
  await first;
  console.log(JSON.stringify([during, await ids()]));
`;

// In a process of its own: a worker of specs has other storages with such hooks.
it('leaves no hook of promises behind when no run is under way', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([2, 1]);
});
