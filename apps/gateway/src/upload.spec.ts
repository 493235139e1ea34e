import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import type { ApiError } from '#contract';
import { Upload } from './upload.js';

function begin(silenceMs = 100) {
  const request = Object.assign(new PassThrough(), { headers: {} });
  const failures: ApiError[] = [];
  const upload = new Upload(
    request as unknown as IncomingMessage,
    1_000,
    (error) => failures.push(error),
    silenceMs,
  );
  return { request, upload, failures, chunks: upload[Symbol.asyncIterator]() };
}

it('an upload whose client falls silent is given up with 408', async () => {
  const { request, chunks, failures, upload } = begin();
  request.write('a');
  expect(await chunks.next()).toEqual({ done: false, value: Buffer.from('a') });
  const next = chunks.next();
  await eventually(() => expect(failures.map(({ status }) => status)).toEqual([408]));
  upload.end();
  expect((await next).done).toBe(true);
});

it('an upload that nobody takes, or that is not answered, is given up with 504', async () => {
  const untaken = begin();
  await eventually(() => expect(untaken.failures.map(({ status }) => status)).toEqual([504]));
  const unanswered = begin();
  unanswered.request.end('a');
  await unanswered.chunks.next();
  expect((await unanswered.chunks.next()).done).toBe(true);
  await eventually(() => expect(unanswered.failures.map(({ status }) => status)).toEqual([504]));
});

it('an upload goes on as long as something moves', async () => {
  const { request, chunks, failures } = begin(1_000);
  for (let at = 0; at < 6; at += 1) {
    setTimeout(() => request.write('a'), 250);
    await chunks.next();
    await sleep(150);
  }
  expect(failures).toEqual([]);
});

it('an upload lets go of its request when it has its answer, and leaves it open', async () => {
  const { request, chunks, upload, failures } = begin();
  request.write('a');
  await chunks.next();
  upload.end();
  await chunks.return?.(undefined);
  request.resume();
  request.end('the rest');
  await once(request, 'end');
  await sleep(150);
  expect([request.errored, failures]).toEqual([null, []]);
});

it('an upload beyond its limit is given up with 413, at the byte', async () => {
  const { request, chunks, failures } = begin();
  request.write(Buffer.alloc(1_000));
  await chunks.next();
  request.write('a');
  await expect(chunks.next()).rejects.toMatchObject({ status: 413 });
  expect(failures.map(({ status }) => status)).toEqual([413]);
});
