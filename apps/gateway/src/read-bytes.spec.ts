import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Metrics } from '#observe';
import { BodyBudget } from './body-budget.js';
import { readBytes } from './read-bytes.js';

const maxBodiesBytes = 8_000;

function begin(maxMs = 60_000) {
  const budget = new BodyBudget({ maxBodiesBytes } as never, new Metrics('spec'));
  const lease = budget.open('192.0.2.1', false);
  const request = Object.assign(new PassThrough(), { headers: {} });
  const pace = { windowMs: 200, minBytes: 100, maxMs };
  const body = readBytes(request as unknown as IncomingMessage, 2_000, lease, 'Less.', pace);
  return { budget, lease, request, body };
}

it('a body that makes no progress ends with 408, and is left open for the answer', async () => {
  const { request, body } = begin();
  request.write('a');
  await expect(body).rejects.toMatchObject({ status: 408 });
  expect(request.destroyed).toBe(false);
});

it('a byte now and then does not count as progress', async () => {
  const { request, body } = begin();
  const drip = setInterval(() => request.write('a'), 20);
  await expect(body).rejects.toMatchObject({ status: 408 });
  clearInterval(drip);
});

it('a body that makes progress may take several windows', async () => {
  const { request, body } = begin();
  for (let at = 0; at < 6; at += 1) {
    request.write('a'.repeat(100));
    await sleep(100);
  }
  request.end();
  expect((await body).length).toBe(600);
});

it('a body has an end, however steadily it comes', async () => {
  const { request, body } = begin(0);
  await sleep(5);
  request.write('a'.repeat(100));
  await expect(body).rejects.toMatchObject({ status: 408 });
});

it('bytes are held as they come, and given back once', async () => {
  const { request, body, budget, lease } = begin();
  request.write('a'.repeat(150));
  await sleep(20);
  expect(budget.heldBytes).toBe(150);
  request.end();
  await body;
  lease.release();
  lease.release();
  expect(budget.heldBytes).toBe(0);
});

it('a client that hangs up ends its body', async () => {
  const { request, body } = begin();
  request.destroy();
  await expect(body).rejects.toThrow('the client hung up');
});

it('addresses share the budget of the process; an IPv6 network counts as one', () => {
  const budget = new BodyBudget({ maxBodiesBytes } as never, new Metrics('spec'));
  budget.open('2001:db8::1', false).take(4_000);
  expect(() => budget.open('2001:db8::2', false).take(1)).toThrow('from this address');
  budget.open('::ffff:192.0.2.1', false).take(3_000);
  expect(() => budget.open('192.0.2.1', false).take(1_001)).toThrow('in flight');
  expect(() => budget.open('192.0.2.2', false).take(1_001)).toThrow(/bodies are in flight/);
  budget.open('192.0.2.3', true).take(1_000);
  expect(budget.heldBytes).toBe(maxBodiesBytes);
});
