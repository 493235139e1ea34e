import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeCredentials, type FakeEngine, makeWorld } from '#fakes';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { Receiver, startFake } from '#test/harness';
import { DescribedFake } from '../../apps/provider-kit/src/over-fake/described-fake.js';
import type { AtHand } from '../../apps/provider-kit/src/over-fake/description.js';
import type { Client } from './client.js';
import { type Onefold, sharedOnefold } from './onefold.js';

const key = 'k'.repeat(32);

/** A system that runs. */
interface Running {
  url: string;
  /** `provider_config` beside type, address and credential. */
  config?: object;
  credential: object;
  /** Returns the secret that its webhook signs with. */
  secret: () => string;
  /** Returns what its own rules, or its description, did not allow. */
  violations: () => readonly unknown[];
  stop: () => Promise<void>;
}

/** PagerDuty's response to the registration of a webhook. */
interface Registered {
  webhook_subscription: { delivery_method: { secret: string } };
}

/** A system whose webhooks are tried. */
interface System {
  start: () => Promise<Running>;
  signature: (own: string, body: string) => Record<string, string>;
  /** The events of a ticket that is made, changed, and gets a comment that is deleted. */
  events: string[];
  /** Changes a message, so that it was sent at a time; undefined if messages do not say when they were sent. */
  at?: (message: Record<string, unknown>, time: number) => object;
}

const hex = (own: string, body: string) => createHmac('sha256', own).update(body).digest('hex');

/** How a fake is used as a system whose webhooks are tried. */
interface FakeSystem {
  /** `provider_config` beside type, address and credential. */
  config?: object;
  credential: (accepted: FakeCredentials) => object;
  /** End of the address at which webhooks are registered. */
  register: string;
  /** Finds the secret in the request that registered the webhook, or in its response; undefined in other requests. */
  secretIn: (request: never, response: never) => string | undefined;
}

async function startSystem(
  name: string,
  { config, credential, register, secretIn }: FakeSystem,
): Promise<Running> {
  const { url, engine, credentials, stop } = await startFake(name);
  const handle = engine.handle.bind(engine);
  const file = new URL(`../../libs/providers/${name}/description.fixture.js`, import.meta.url);
  const { description, undescribed = /^$/ } = (await import(file.href)) as Partial<AtHand>;
  const described = description && new DescribedFake({ handle } as FakeEngine, description);
  let secret = '';
  engine.handle = async (request) => {
    const response = await (described ?? { handle }).handle(request);
    if (request.method === 'POST' && request.url.endsWith(register)) {
      const { body = '' } =
        engine.log.requests.findLast(({ path }) => path.endsWith(register)) ?? {};
      const got = Buffer.from(response.body).toString();
      secret = secretIn(JSON.parse(body) as never, JSON.parse(got) as never) ?? secret;
    }
    return response;
  };
  return {
    url,
    credential: credential(credentials),
    ...(config && { config }),
    secret: () => secret,
    violations: () => [
      ...engine.log.violations,
      ...(described?.faults ?? []).filter((one) => !undescribed.test(one)),
    ],
    stop,
  };
}

const [firstPerson] = makeWorld({ start: new Date(), dataset: 'BASIC' }).people;

const all = ['TicketCommentCreated', 'TicketCommentDeleted', 'TicketCreated', 'TicketUpdated'];

const systems: Record<string, System> = {
  jira: {
    start: () =>
      startSystem('jira', {
        credential: ({ basic }) => ({
          type: 'basic',
          username: basic?.username,
          secret: basic?.password,
        }),
        register: '/webhook',
        secretIn: ({ secret }: { secret: string }) => secret,
      }),
    signature: (own, body) => ({ 'x-hub-signature': `sha256=${hex(own, body)}` }),
    events: all,
  },
  linear: {
    start: () =>
      startSystem('linear', {
        credential: ({ secret }) => ({ type: 'token', secret }),
        register: '/graphql',
        secretIn: ({ variables }: { variables?: { input?: { secret?: string } } }) =>
          variables?.input?.secret,
      }),
    signature: (own, body) => ({ 'linear-signature': hex(own, body) }),
    events: all,
    at: (message, time) => ({ ...message, webhookTimestamp: time }),
  },
  pagerduty: {
    start: () =>
      startSystem('pagerduty', {
        config: { default_creator: firstPerson?.mail },
        credential: ({ secret }) => ({ type: 'token', secret }),
        register: '/webhook_subscriptions',
        secretIn: (_sent, { webhook_subscription: made }: Registered) =>
          made.delivery_method.secret,
      }),
    // PagerDuty sends several while a secret is replaced.
    signature: (own, body) => ({
      'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${hex(own, body)}`,
    }),
    // It tells nobody that a note was deleted.
    events: ['TicketCommentCreated', 'TicketCreated', 'TicketUpdated'],
  },
};

let onefold: Pick<Onefold, 'api'>;
let receiver: Receiver;
let sink: EventReceiver;
beforeAll(async () => {
  [onefold, receiver, sink] = await Promise.all([
    sharedOnefold(),
    Receiver.start(),
    EventReceiver.start(),
  ]);
}, 300_000);
afterAll(async () => {
  await receiver.stop();
  await sink.stop();
});

async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(20);
  }
}

describe.each(Object.entries(systems))('webhooks of %s', (name, system) => {
  let running: Running;
  let client: Client;
  let project: string;
  beforeAll(async () => {
    running = await system.start();
    const { account } = (await onefold.api.call('accounts_create', { body: { name } })).result;
    const path = { accountId: account.id };
    const to = { type: 'sink_http', url: `${sink.url}/${name}` } as const;
    const written = await onefold.api.call('integrations_create', {
      path,
      body: { provider_config: to },
    });
    const { token } = (
      await onefold.api.call('integrations_create', {
        path,
        body: {
          name,
          provider_config: {
            type: `ticketing_${name}`,
            url: running.url,
            credential: running.credential,
            ...running.config,
          },
          webhook_config: {
            items: [{ webhook_url: `${receiver.url}${name}`, integrator_key: key }],
          },
          scheduled_operations: ['TicketCreated', 'TicketUpdated'].map((value) => ({
            operation: 'ticketing_query_tickets',
            enabled: true,
            frequency: { type: 'event', value },
            incremental_config: { mode: 'incremental' },
            sink_integration_id: written.result.integration.id,
          })),
        } as never,
      })
    ).result;
    client = onefold.api.as(token.access.secret);
    const projects = await client.call('ticketing_list_projects', {});
    project = projects.result[0]?.id ?? '';
  });
  afterAll(() => running.stop());

  const received = () =>
    receiver.requests
      .filter(({ path }) => path === `/${name}`)
      .map(({ body }) => JSON.parse(body) as Record<string, string>);

  it('tell of tickets and comments as they change', async () => {
    const made = await client.call('integrationWebhooks_create_webhook', { body: { project } });
    const listed = await client.call('integrationWebhooks_list_webhooks', {});
    expect(listed.result).toEqual([{ ...made.result, enabled: true }]);
    const { id } = (
      await client.call('ticketing_create_ticket', {
        body: { name: 'Printer', summary: 'Printer', priority: 'HIGH', project } as never,
      })
    ).result as { id: string };
    const path = { ticketId: id };
    const comment = (
      await client.call('ticketing_create_comment', { path, body: { content: 'Water' } })
    ).result as { id: string };
    await client.call('ticketing_patch_ticket', {
      path,
      body: [{ op: 'replace', path: '/priority', value: 'LOW' }] as never,
    });
    await client.call('ticketing_delete_comment', { path: { ...path, commentId: comment.id } });
    await until(() => (received().length >= system.events.length ? true : undefined));
    const messages = received();
    expect(messages.map((one) => one['event_type']).sort()).toEqual(system.events);
    expect(new Set(messages.map((one) => one['ticket_id']))).toEqual(new Set([id]));
    const created = messages.find((one) => one['event_type'] === 'TicketCreated');
    expect(created).toMatchObject({ short_description: 'Printer', priority: 'HIGH' });
  });

  it('start jobs that write the changed ticket to a sink', async () => {
    const id = received()[0]?.['ticket_id'];
    const written = () =>
      sink.requests
        .filter(({ path }) => path === `/${name}`)
        .flatMap(({ events }) => events as { id: string; priority?: string }[])
        .filter((one) => one.id === id);
    const last = await until(() => written().find(({ priority }) => priority === 'LOW'));
    expect(last).toMatchObject({ id, priority: 'LOW' });
  });

  it('are checked: a message that is forged, or recorded long ago, is 401', async () => {
    const { url } = await client.call('integrationWebhooks_list_webhooks', {});
    const own = running.secret();
    const sent = JSON.parse(received()[0]?.['raw_payload'] ?? '') as Record<string, unknown>;
    const post = async (message: object, secret = own) => {
      const body = JSON.stringify(message);
      const headers = { 'content-type': 'application/json', ...system.signature(secret, body) };
      return await fetch(url, { method: 'POST', headers, body });
    };
    const fresh = { ...sent, more: 1 };
    expect((await post(fresh)).status).toBe(204);
    expect((await post({ ...fresh, more: 2 }, 'another secret')).status).toBe(401);
    const { at } = system;
    if (at === undefined) return;
    const minute = 60_000;
    for (const [minutes, status] of [
      [4, 204],
      [-4, 204],
      [6, 401],
      [-6, 401],
    ] as const)
      expect((await post(at(sent, Date.now() + minutes * minute))).status).toBe(status);
  });

  it('end there with a delete', async () => {
    await client.call('integrationWebhooks_delete_webhook', {});
    expect((await client.call('integrationWebhooks_list_webhooks', {})).result).toEqual([]);
    await client.call('ticketing_create_ticket', {
      body: { name: 'Silent', summary: 'Silent', project },
    });
    // A second delete finds none, so the system has none that could still send.
    await client.refuse('integrationWebhooks_delete_webhook', 404, {});
    // Messages of the test before may still come.
    expect(received().map((one) => one['short_description'])).not.toContain('Silent');
    expect(running.violations()).toEqual([]);
  });
});
