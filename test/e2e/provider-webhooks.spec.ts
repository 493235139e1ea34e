import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver, type RunningFake, startFake } from '#test/harness';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import type { Client } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

const key = 'k'.repeat(32);

interface Message {
  event_type?: string;
  ticket_id?: string;
  short_description?: string;
  raw_payload: string;
}

let onefold: Pick<Onefold, 'api'>;
let receiver: Receiver;
let sink: EventReceiver;
let github: RunningFake;
beforeAll(async () => {
  [onefold, receiver, sink, github] = await Promise.all([
    sharedOnefold(),
    Receiver.start(),
    EventReceiver.start(),
    startFake('github'),
  ]);
}, 300_000);
afterAll(async () => {
  await receiver.stop();
  await sink.stop();
  await github.stop();
});

async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

const received = (path: string) =>
  receiver.requests
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as Message);

interface Integrated {
  path: { accountId: string; integrationId: string };
  client: Client;
}

/** @param event starts a job that writes the tickets that have changed to the sink */
async function integrate(
  name: string,
  config: object,
  items: object[],
  event?: string,
): Promise<Integrated> {
  const { api } = onefold;
  const { account } = (await api.call('accounts_create', { body: { name } })).result;
  const path = { accountId: account.id };
  const scheduled_operations = event === undefined ? [] : [await startedBy(event, path)];
  const { integration, token } = (
    await api.call('integrations_create', {
      path,
      body: {
        name,
        provider_config: config,
        webhook_config: { items },
        scheduled_operations,
      },
    })
  ).result;
  return {
    path: { accountId: account.id, integrationId: integration.id },
    client: api.as(token.access.secret),
  };
}

/** A schedule with a sink in the account. */
async function startedBy(event: string, path: { accountId: string }): Promise<object> {
  const config = { type: 'sink_http', url: sink.url } as const;
  const body = { provider_config: config };
  const { result } = await onefold.api.call('integrations_create', { path, body });
  return {
    operation: 'ticketing_query_tickets',
    enabled: true,
    frequency: { type: 'event', value: event },
    incremental_config: { mode: 'incremental' },
    sink_integration_id: result.integration.id,
  };
}

describe('webhooks of GitHub', () => {
  const config = () => ({
    type: 'ticketing_github',
    repository: 'alderpoint/desk',
    url: github.url,
    credential: { type: 'token', secret: github.credentials.secret },
  });
  const to = (path: string) => `${receiver.url.slice(0, -1)}${path}`;
  let desk: Integrated;
  beforeAll(async () => {
    const items = [
      { webhook_url: to('/all'), integrator_key: key },
      { webhook_url: to('/comments'), event_filter: ['TicketCommentCreated'], integrator_key: key },
    ];
    desk = await integrate('github', config(), items, 'TicketCreated');
  });

  it('are registered there with a secret of ours, and each change reaches the receivers that want it, signed with their key', async () => {
    const { client } = desk;
    const { result } = await client.call('integrationWebhooks_create_webhook', {
      body: { project: 'alderpoint/desk' },
    });
    expect(result).toMatchObject({ enabled: true, events: ['issues', 'issue_comment'] });
    const listed = await client.call('integrationWebhooks_list_webhooks', {});
    expect(listed.result).toEqual([result]);
    expect(listed.url).toMatch(/\/v1\/hooks\?token=ofi_/);

    const ticket = { name: 'Printer', summary: 'Printer', description: 'It is on fire' };
    const made = (await client.call('ticketing_create_ticket', { body: ticket })).result as {
      id: string;
    };
    await client.call('ticketing_create_comment', {
      path: { ticketId: made.id },
      body: { content: 'Bring water' },
    });
    const comment = await until(() => received('/comments')[0]);
    expect(comment).toMatchObject({
      event_type: 'TicketCommentCreated',
      ticket_id: made.id,
      short_description: 'Printer',
    });
    expect(JSON.parse(comment.raw_payload)).toMatchObject({ comment: { body: 'Bring water' } });
    await until(() => (received('/all').length === 2 ? true : undefined));
    expect(
      received('/all')
        .map((one) => one.event_type)
        .sort(),
    ).toEqual(['TicketCommentCreated', 'TicketCreated']);
    for (const { headers, body } of receiver.requests)
      expect(headers['x-onefold-signature']).toBe(
        `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      );
  });

  it('are listed as deliveries of the integration, and sent again on request with the same ids', async () => {
    const { result, receivers } = await until(async () => {
      const list = await onefold.api.call('integrations_list_deliveries', { path: desk.path });
      return list.result.every(({ status }) => status === 'delivered') ? list : undefined;
    });
    expect(result.map(({ event }) => event)).toEqual([
      'TicketCommentCreated',
      'TicketCommentCreated',
      'TicketCreated',
    ]);
    expect(receivers.map(({ webhook_url: url, state }) => [url, state]).sort()).toEqual([
      [to('/all'), 'active'],
      [to('/comments'), 'active'],
    ]);
    const sent = receiver.requests.length;
    const [last] = result;
    const replayed = await onefold.api.call('integrations_replay_deliveries', {
      path: desk.path,
      body: { delivery_ids: [last?.id ?? ''] },
    });
    expect(replayed.result).toEqual({ replayed: 1, complete: true });
    const again = await until(() => receiver.requests[sent]);
    expect(again.headers['webhook-id']).toBe(last?.id);
    expect(JSON.parse(again.body)).toEqual(last?.payload);
  });

  describe('a message', () => {
    const message = JSON.stringify({
      action: 'closed',
      issue: { number: 7, title: 'Recorded', updated_at: '2026-01-01T00:00:00Z' },
    });
    const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-github-event': 'issues', ...headers },
        body,
      });
      return { status: response.status, text: await response.text() };
    };
    const sign = (own: string, body: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', own).update(body).digest('hex')}`,
    });
    const registered = async () => {
      const { url } = await desk.client.call('integrationWebhooks_list_webhooks', {});
      const made = github.engine.log.requests.find(
        ({ method, path }) => method === 'POST' && path.endsWith('/hooks'),
      );
      const { config } = JSON.parse(made?.body ?? '') as { config: { secret: string } };
      return { url, own: config.secret };
    };

    it('is taken in once, however often it is sent', async () => {
      const { url, own } = await registered();
      const before = received('/all').length;
      for (let time = 0; time < 3; time += 1)
        expect(await post(url, message, sign(own, message))).toEqual({ status: 204, text: '' });
      const other = message.replace('Recorded', 'Another');
      expect((await post(url, other, sign(own, other))).status).toBe(204);
      await until(() => received('/all').find((one) => one.short_description === 'Another'));
      const now = received('/all').slice(before);
      expect(now.map((one) => one.short_description).sort()).toEqual(['Another', 'Recorded']);
      expect(now[0]).toMatchObject({ event_type: 'TicketUpdated', ticket_id: '7' });
    });

    it('without a signature, with a wrong one, or with an unknown token is 401, and nothing is delivered', async () => {
      const { url, own } = await registered();
      const count = async () =>
        (await onefold.api.call('integrations_list_deliveries', { path: desk.path })).result.length;
      const before = await count();
      const unsigned = await post(url, message);
      expect(unsigned.status).toBe(401);
      expect(unsigned.text).toContain('x-hub-signature-256 is missing');
      const forged = await post(url, message.replace('7', '8'), sign(own, message));
      expect(forged.status).toBe(401);
      expect(forged.text).toContain('is not that of the message');
      expect((await post(url.replace(/.{8}$/, '00000000'), message)).status).toBe(401);
      expect((await post(url.replace(/\?.*/, ''), message)).status).toBe(401);
      expect(await count()).toBe(before);
    });

    it('above one megabyte is 413', async () => {
      const { url } = await registered();
      const large = JSON.stringify({ text: 'x'.repeat(1_100_000) });
      expect((await post(url, large)).status).toBe(413);
    });

    it('that its mapping does not expect reaches every receiver with the problem', async () => {
      const { url, own } = await registered();
      const odd = JSON.stringify({ action: 'opened', issue: 'not an object' });
      expect((await post(url, odd, sign(own, odd))).status).toBe(204);
      for (const path of ['/all', '/comments'])
        expect(await until(() => received(path).find((one) => one.raw_payload === odd))).toEqual({
          raw_payload: odd,
          messages: { problems: [expect.objectContaining({ status: 502 })] },
        });
    });

    it('has a token that does nothing else', async () => {
      const { url } = await registered();
      const token = new URL(url).searchParams.get('token') ?? '';
      const client = onefold.api.as(token);
      await client.refuse('ticketing_query_tickets', 403, {});
      await client.refuse('integrationWebhooks_list_webhooks', 403, {});
    });
  });

  describe('passed on as they are', () => {
    const addressOf = async (receiverUrl: string) => {
      const { passthrough } = await desk.client.call('integrationWebhooks_list_webhooks', {});
      return passthrough?.find((one) => one.webhook_url === receiverUrl)?.url ?? '';
    };
    const body = '{ "zen":  "Spaces stay",\n"n": 1.50 }';
    const post = (url: string, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });

    it('reach the receiver byte for byte, with the headers of the provider and no others', async () => {
      const url = await addressOf(to('/all'));
      const sent = receiver.requests.length;
      receiver.answer = (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
      const response = await post(url, {
        'x-hub-signature-256': 'sha256=00',
        'x-github-event': 'ping',
        authorization: 'Bearer of the sender',
        cookie: 'session=1',
        'x-forwarded-for': '203.0.113.9',
      });
      receiver.answer = (_request, answer) => answer.writeHead(204).end();
      expect([response.status, await response.text()]).toEqual([200, '{"ok":true}']);
      const got = receiver.requests[sent];
      expect(got?.body).toBe(body);
      expect(got?.headers).toMatchObject({
        'x-hub-signature-256': 'sha256=00',
        'x-github-event': 'ping',
      });
      for (const name of ['authorization', 'cookie', 'x-forwarded-for', 'x-onefold-signature'])
        expect(got?.headers[name]).toBeUndefined();
    });

    it('fail with 502 where the receiver does, 400 at an address that was changed, and 404 at one that is gone', async () => {
      const url = await addressOf(to('/all'));
      receiver.answer = (_request, response) => response.writeHead(503).end();
      const failed = await post(url);
      receiver.answer = (_request, response) => response.writeHead(204).end();
      expect([failed.status, await failed.text()]).toEqual([
        502,
        expect.stringContaining('the receiver answered 503'),
      ]);
      expect((await post(`${url.slice(0, -4)}AAAA`)).status).toBe(400);
      const other = await addressOf(to('/comments'));
      const items = [{ webhook_url: to('/all'), integrator_key: key }];
      const patch = [{ op: 'replace', path: '/webhook_config', value: { items } }];
      await onefold.api.call('integrations_patch', { path: desk.path, body: patch as never });
      expect((await post(other)).status).toBe(404);
      expect((await post(url)).status).toBe(200);
      const { receivers } = await onefold.api.call('integrations_list_deliveries', {
        path: desk.path,
      });
      expect(receivers.map((one) => one.webhook_url)).toEqual([to('/all')]);
    });
  });

  it('are tried at a receiver of the organization by a test delivery', async () => {
    const { api } = onefold;
    const { result } = await api.call('organizationWebhooks_create', {
      body: { filters: ['account_delete'], url: to('/test'), secret: { value: key } },
    });
    const path = { webhookId: result.id };
    const { result: sent } = await api.call('organizationWebhooks_test', { path });
    const got = await until(() => receiver.requests.find((one) => one.path === '/test'));
    expect(JSON.parse(got.body)).toEqual(sent.payload);
    expect(got.headers).toMatchObject({
      'webhook-id': sent.id,
      'x-onefold-signature': `sha256=${createHmac('sha256', key).update(got.body).digest('hex')}`,
    });
  });

  it('are refused where they would be sent to an internal address', async () => {
    const items = [{ webhook_url: 'http://169.254.169.254/latest', integrator_key: key }];
    const patch = [{ op: 'replace', path: '/webhook_config', value: { items } }];
    const { message } = await onefold.api.refuse('integrations_patch', 400, {
      path: desk.path,
      body: patch as never,
    });
    expect(message).toContain('metadata address');
  });

  it('are refused for another project, twice, and for a provider without webhooks', async () => {
    const { client } = desk;
    const create = (project: string) => ({ body: { project } });
    const other = await client.refuse(
      'integrationWebhooks_create_webhook',
      400,
      create('alderpoint/archive'),
    );
    expect(other.message).toContain('alderpoint/desk');
    await client.refuse('integrationWebhooks_create_webhook', 409, create('alderpoint/desk'));
    const mock = await integrate('mock', { type: 'ticketing_mock_ticketing' }, []);
    await mock.client.refuse('integrationWebhooks_create_webhook', 501, create('any'));
    await mock.client.refuse('integrationWebhooks_list_webhooks', 501, {});
  });

  it('start jobs that write the new ticket to a sink', async () => {
    const written = await until(() => sink.requests[0]);
    expect(written.events).toMatchObject([{ name: 'Printer', description: 'It is on fire' }]);
  });

  it('end with a delete, there and here', async () => {
    const { client } = desk;
    const { url } = await client.call('integrationWebhooks_list_webhooks', {});
    await client.call('integrationWebhooks_delete_webhook', {});
    const { result } = await client.call('integrationWebhooks_list_webhooks', {});
    expect(result).toEqual([]);
    const removed = github.engine.log.requests.filter(
      (one) => one.method === 'DELETE' && one.path.includes('/hooks/'),
    );
    expect(removed.map(({ status }) => status)).toEqual([204]);
    const post = (address: string) =>
      fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    expect((await post(url)).status).toBe(401);
  });
});
