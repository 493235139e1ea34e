import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { EgressPolicy } from '#egress';
import { wholeOrganization } from '#store';
import { Receiver } from '#test/harness';
import { DeliveryWorld, secret } from './deliver.fixture.js';

const hourMs = 3_600_000;
let world: DeliveryWorld;
let receiver: Receiver;
beforeAll(async () => {
  world = await DeliveryWorld.open();
});
beforeEach(async () => {
  receiver = await Receiver.start();
  world.now = Date.now();
});
afterEach(() => receiver.stop());
afterAll(() => world.close());

const status = (code: number, headers: Record<string, string> = {}) => {
  receiver.answer = (_request, response) => response.writeHead(code, headers).end('so said');
};

describe('a delivery', () => {
  it('is signed so that both a plain HMAC and Standard Webhooks accept it, at every attempt', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    status(500);
    const next = await world.engine().run(endpoint);
    status(200);
    world.now = next?.getTime() ?? 0;
    expect(await world.engine().run(endpoint)).toBeUndefined();
    expect(receiver.requests).toHaveLength(2);
    for (const { headers, body } of receiver.requests) {
      const hex = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers).toMatchObject({
        'x-onefold-signature': `sha256=${hex}`,
        'webhook-id': id,
        'content-type': 'application/json',
      });
      const witness = new Webhook(secret, { format: 'raw' });
      expect(witness.verify(body, headers as Record<string, string>)).toMatchObject({ id });
      expect(() => witness.verify(`${body} `, headers as Record<string, string>)).toThrow();
    }
    expect(receiver.requests[0]?.body).toBe(receiver.requests[1]?.body);
  });

  it('is listed with every attempt: refused, broken off, redirected, accepted', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    const answers: Receiver['answer'][] = [
      (_request, response) => response.writeHead(503).end(),
      (_request, response) => void response.destroy(),
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      (_request, response) => void response.socket?.end('nonsense\r\n\r\n'),
      (_request, response) => response.writeHead(404).end('\0 not found'),
    ];
    receiver.answer = (request, response) =>
      (answers.shift() ?? ((_one, accept) => accept.writeHead(202).end()))(request, response);
    await world.play(world.engine(), endpoint);
    expect(await world.delivery(id)).toMatchObject({
      status: 'delivered',
      reason: null,
      nextAttemptAt: null,
      attempts: [
        { number: 1, status_code: 503, reason: 'status_5xx' },
        { number: 2, reason: 'connection' },
        { number: 3, status_code: 302, reason: 'redirect' },
        { number: 4, reason: 'connection' },
        { number: 5, status_code: 404, reason: 'status_4xx' },
        { number: 6, status_code: 202, reason: null },
      ],
    });
  });

  it('is tried for three days, with growing waits, and then has failed', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    const times: number[] = [];
    receiver.answer = (_request, response) => {
      times.push(world.now);
      response.writeHead(500).end();
    };
    const started = world.now;
    const engine = world.engine();
    for (let next = await engine.run(endpoint); next; next = await engine.run(endpoint)) {
      world.now = next.getTime();
      // As if others had been accepted: the address is not paused.
      await world.owner.query(
        'update organization_webhooks set failing_since = null where id = $1',
        [endpoint.endpointId],
      );
    }
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(waits.slice(0, 4)).toEqual([5_000, 30_000, 120_000, 600_000]);
    const growing = waits.slice(0, -1); // the last attempt is made when the time is over
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect((times.at(-1) ?? 0) - started).toBe(72 * hourMs);
    expect(await world.delivery(id)).toMatchObject({ status: 'failed', reason: 'status_5xx' });
  });

  it('waits as long as the receiver asks, a day at most, and the others of the address with it', async () => {
    const endpoint = await world.webhook(receiver.url);
    await world.deliveries(endpoint);
    status(429, { 'retry-after': '7200' });
    const next = await world.engine().run(endpoint);
    expect(next?.getTime()).toBe(world.now + 2 * hourMs);
    await world.deliveries(endpoint);
    expect(await world.engine().run(endpoint)).toEqual(next);
    expect(receiver.requests).toHaveLength(1);
    world.now += 2 * hourMs;
    status(503, { 'retry-after': '31536000' });
    const later = await world.engine().run(endpoint);
    expect(later?.getTime()).toBe(world.now + 24 * hourMs);
  });

  it('is not sent without a secret, or to an address that is refused by then', async () => {
    const expired = await world.webhook(receiver.url, undefined, new Date(world.now - 1));
    const [id = ''] = await world.deliveries(expired);
    await world.engine().run(expired);
    expect(await world.delivery(id)).toMatchObject({ status: 'waiting', reason: 'no_secret' });
    const port = new URL(receiver.url).port;
    const named = await world.webhook(`http://moved.example.com:${port}/`);
    const [other = ''] = await world.deliveries(named);
    // The name resolved to a public address when the webhook was created.
    const policy = new EgressPolicy([], (_host, done) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    await world.engine(policy).run(named);
    expect(await world.delivery(other)).toMatchObject({ reason: 'address_refused' });
    expect(receiver.requests).toEqual([]);
  });

  it('is accepted by its status: a response of 200 MB or one that never ends is read for a moment only', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    let written = 0;
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (!response.destroyed && written < 200_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    };
    await world.engine().run(endpoint);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered' });
    expect(written).toBeLessThan(20_000_000);
    receiver.answer = (_request, response) => void response.writeHead(200).write('…');
    const [slow = ''] = await world.deliveries(endpoint);
    await world.engine().run(endpoint);
    expect(await world.delivery(slow)).toMatchObject({ status: 'delivered' });
  });

  it('times out after ten seconds at a receiver that does not answer', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    receiver.answer = () => undefined;
    await world.engine().run(endpoint);
    expect(await world.delivery(id)).toMatchObject({ status: 'waiting', reason: 'timeout' });
  });
});

describe('an address', () => {
  it('is disabled by 410, and what waits for it has failed', async () => {
    const endpoint = await world.webhook(receiver.url);
    const ids = await world.deliveries(endpoint, 20);
    status(410);
    expect(await world.engine().run(endpoint)).toBeUndefined();
    expect(await world.webhookRow(endpoint)).toMatchObject({
      state: 'disabled',
      stateReason: 'the receiver answered 410 Gone',
    });
    for (const id of ids) expect((await world.delivery(id)).status).toBe('failed');
    expect(receiver.requests.length).toBeLessThan(12);
    expect(world.stopped.at(-1)).toMatchObject({ endpoint, health: { state: 'disabled' } });
  });

  it('is paused after a day of failures; its deliveries wait', async () => {
    const endpoint = await world.webhook(receiver.url);
    const [id = ''] = await world.deliveries(endpoint);
    status(500);
    const started = world.now;
    await world.play(world.engine(), endpoint);
    expect(await world.webhookRow(endpoint)).toMatchObject({
      state: 'paused',
      stateReason: expect.stringContaining('answered 500'),
    });
    expect(world.now - started).toBeGreaterThan(24 * hourMs);
    expect(world.now - started).toBeLessThan(34 * hourMs);
    expect(await world.delivery(id)).toMatchObject({ status: 'waiting', nextAttemptAt: null });
    const sent = receiver.requests.length;
    world.now += hourMs;
    expect(await world.engine().run(endpoint)).toBeUndefined();
    expect(receiver.requests).toHaveLength(sent);
    expect(world.stopped.at(-1)).toMatchObject({ endpoint, health: { state: 'paused' } });
  });

  it('that is down is asked a few times, however much waits', async () => {
    const endpoint = await world.webhook(receiver.url);
    await world.deliveries(endpoint, 500);
    status(500);
    const engine = world.engine();
    await world.play(engine, endpoint, world.now + 60_000);
    expect(receiver.requests.length).toBeLessThan(100);
    status(204);
    await world.play(engine, endpoint);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(500);
    expect(await world.webhookRow(endpoint)).toMatchObject({ failures: 0, failingSince: null });
  });

  it('that is slow does not hold up others, of the same organization or of another', async () => {
    const organizationId = await world.organization();
    const slow = await world.webhook(receiver.url, organizationId);
    await world.deliveries(slow, 100);
    const held: (() => void)[] = [];
    receiver.answer = (_request, response) => void held.push(() => response.writeHead(204).end());
    const quick = await Receiver.start();
    const engine = world.engine();
    const slowTurn = engine.run(slow);
    for (const endpoint of [
      await world.webhook(quick.url, organizationId),
      await world.webhook(quick.url),
    ]) {
      const [id = ''] = await world.deliveries(endpoint);
      await engine.run(endpoint);
      expect(await world.delivery(id)).toMatchObject({ status: 'delivered' });
    }
    expect(held.length).toBeLessThanOrEqual(8);
    engine.stop();
    for (const release of held) release();
    expect(await slowTurn).toBeDefined();
    // A turn that ends hands back what it has not sent, and records what it has.
    const rest = await world.owner.query(
      `select count(*)::int as waiting from deliveries where endpoint_id = $1 and status = 'waiting'`,
      [slow.endpointId],
    );
    expect(rest.rows).toEqual([{ waiting: 100 - receiver.requests.length }]);
    await quick.stop();
  });

  it('that was deleted ends its turn', async () => {
    const endpoint = await world.webhook(receiver.url);
    await world.deliveries(endpoint);
    await world.store.write(wholeOrganization(endpoint.organizationId), async (tx) =>
      tx.organizationWebhooks.delete(await tx.organizationWebhooks.get(endpoint.endpointId)),
    );
    expect(await world.engine().run(endpoint)).toBeUndefined();
    expect(receiver.requests).toEqual([]);
  });
});
