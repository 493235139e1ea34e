import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { NatsServer } from '#test/harness';
import { natsUser, startNatsWithUsers } from '../../e2e/onefold.js';

let nats: NatsServer;
const open: NatsConnection[] = [];
beforeAll(async () => {
  nats = await startNatsWithUsers();
});
afterAll(async () => {
  for (const connection of open) await connection.close();
  await nats.stop();
});

async function as(user: string): Promise<NatsConnection> {
  const { NATS_USER = '', NATS_PASSWORD = '' } = natsUser(user);
  const connection = await connect({ servers: nats.url, user: NATS_USER, pass: NATS_PASSWORD });
  open.push(connection);
  return connection;
}

/** Returns whether the server lets a user subscribe. */
async function maySubscribe(user: string, subject: string): Promise<boolean> {
  const subscription = (await as(user)).subscribe(subject, { callback: () => undefined });
  const refused = subscription.closed.then((reason) => {
    expect(reason).toBeInstanceOf(errors.PermissionViolationError);
    return false;
  });
  await open.at(-1)?.flush();
  return await Promise.race([
    refused,
    new Promise<boolean>((settle) => setTimeout(settle, 200, true)),
  ]);
}

async function mayPublish(user: string, subject: string): Promise<boolean> {
  const connection = await as(user);
  let allowed = true;
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error instanceof errors.PermissionViolationError)
        allowed = false;
  })();
  connection.publish(subject, 'x');
  await connection.flush();
  await new Promise((settle) => setTimeout(settle, 100));
  return allowed;
}

describe('the NATS user of', () => {
  it.each([
    ['connector-ticketing', 'onefold.v1.ticketing.*.one', true],
    ['connector-ticketing', 'onefold.v1.identity.*.one', false],
    ['connector-ticketing', 'onefold.v1.identity.>', false],
    ['connector-ticketing', 'onefold.v1.storage.*.one', false],
    ['connector-ticketing', 'onefold.v1.storage.internal-integrations-verify.one', false],
    ['connector-ticketing', 'onefold.v1.management.>', false],
    ['connector-ticketing', 'onefold.v1.>', false],
    ['connector-ticketing', '>', false],
    ['connector-ticketing', 'onefold.internal.tokens.introspect.one', false],
    ['connector-ticketing', 'onefold.internal.sso.finish.one', false],
    ['connector-ticketing', 'onefold.inbox.gateway.*.*', false],
    ['connector-ticketing', 'onefold.inbox.connector-storage.*.*', false],
    ['connector-ticketing', 'onefold.inbox.connector-ticketing.one.*', true],
    ['gateway', 'onefold.v1.management.>', false],
    ['gateway', 'onefold.v1.management.accounts_list.one', false],
    ['gateway', 'onefold.v1.ticketing.>', false],
    ['gateway', 'onefold.internal.tokens.introspect.one', false],
    ['gateway', 'onefold.inbox.management.*.*', false],
    ['gateway', 'onefold.bridge.brg_1.one', true],
    ['connector-ticketing', 'onefold.bridge.*.*', false],
    ['management', 'onefold.bridge.*.*', false],
    ['operations', 'onefold.v1.ticketing.>', false],
    ['operations', 'onefold.internal.integrations.resolve.one', false],
    ['management', 'onefold.v1.management.*.one', true],
    ['management', 'onefold.v1.ticketing.>', false],
    ['management', 'onefold.inbox.gateway.*.*', false],
  ])('%s subscribes to %s: %s', async (user, subject, allowed) => {
    expect(await maySubscribe(user, subject)).toBe(allowed);
  });

  it.each([
    ['connector-ticketing', 'onefold.v1.management.accounts_list.one', false],
    ['connector-ticketing', 'onefold.v1.ticketing.ticketing_get_ticket.one', false],
    ['connector-ticketing', 'onefold.event.records.changed', false],
    ['connector-ticketing', 'onefold.internal.tokens.introspect.one', false],
    ['connector-ticketing', 'onefold.internal.integrations.resolve.one', true],
    ['connector-ticketing', 'onefold.bridge.brg_1.one', true],
    ['gateway', 'onefold.bridge.brg_1.one', false],
    ['operations', 'onefold.bridge.brg_1.one', false],
    ['gateway', 'onefold.event.records.changed', false],
    ['gateway', 'onefold.v1.identity.identity_query_users.one', true],
    ['operations', 'onefold.v1.identity.identity_query_users.one', true],
    ['operations', 'onefold.v1.management.accounts_list.one', false],
    ['management', 'onefold.v1.ticketing.ticketing_get_ticket.one', false],
    ['management', 'onefold.v1.ticketing.internal-integrations-verify.one', true],
    ['connector-ticketing', 'onefold.v1.ticketing.internal-integrations-verify.one', false],
    ['management', 'onefold.event.records.changed', true],
  ])('%s publishes to %s: %s', async (user, subject, allowed) => {
    expect(await mayPublish(user, subject)).toBe(allowed);
  });

  it('a stranger is not let in', async () => {
    await expect(connect({ servers: nats.url, maxReconnectAttempts: 0 })).rejects.toThrow();
  });
});
