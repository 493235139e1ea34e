import { getEventListeners } from 'node:events';
import { expect, it } from '@jest/globals';
import { IdleTimer } from './idle-timer.js';

it('aborts its signal when the call ends, which is not a timeout', () => {
  const outer = new AbortController();
  const timer = new IdleTimer(60_000, outer.signal);
  timer.start();
  outer.abort(new Error('the caller has left'));
  expect(timer.signal.reason).toBe(outer.signal.reason);
  expect(timer.timedOut).toBe(false);
  timer.end();
});

it('is aborted from the beginning for a call that has ended', () => {
  expect(new IdleTimer(60_000, AbortSignal.abort()).signal.aborted).toBe(true);
});

it('times out, unless it is started again', async () => {
  const timer = new IdleTimer(1, new AbortController().signal);
  timer.start();
  await new Promise((aborted) => timer.signal.addEventListener('abort', aborted));
  expect(timer.timedOut).toBe(true);
  expect(timer.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('leaves no listener at the signal of the call when it has ended', () => {
  const outer = new AbortController();
  const timer = new IdleTimer(60_000, outer.signal);
  expect(getEventListeners(outer.signal, 'abort')).toHaveLength(1);
  timer.end();
  expect(getEventListeners(outer.signal, 'abort')).toHaveLength(0);
});
