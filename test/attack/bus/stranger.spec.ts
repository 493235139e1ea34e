import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '#contract';
import { createMockIntegration } from '../../e2e/records.js';
import { type Onefold, startDistributed } from '../../e2e/onefold.js';
import { startApp } from '../../e2e/processes.js';

// An attacker on a NATS without users reads everything, sends anything, and joins any queue group.

const secret = 'correct horse battery staple';
const password = 'a password of a member';

interface Heard {
  subject: string;
  reply: string | undefined;
  data: Uint8Array;
}

let onefold: Onefold;
let stranger: NatsConnection;
let organizationId: string;
let integrationToken: string;
const heard: Heard[] = [];
/** Messages to a subject of the attacker. */
const answered: Heard[] = [];
/** Secrets that were created or used while the attacker listened. */
const given: string[] = [];

beforeAll(async () => {
  onefold = await startDistributed();
  // Two of each: a message that one of them refused is new to the other.
  for (const app of ['management', 'connector'] as const) {
    const second = startApp(app, [], onefold.env);
    onefold.processes[`second ${app}`] = second;
    await second.says(/"message":"ready"/);
  }
  stranger = await connect({ servers: onefold.nats?.url ?? '' });
  stranger.subscribe('>', {
    callback: (_error, { subject, reply, data }) => {
      const one = { subject, reply, data: Uint8Array.from(data) };
      if (subject.startsWith('stranger.')) answered.push(one);
      else if (heard.length < 20_000) heard.push(one);
    },
  });
  await stranger.flush();
  organizationId = (await onefold.api.call('organization_get')).result.id;
});
afterAll(async () => {
  await stranger.close();
  await onefold.stop();
});

/** Records of the organization, to detect any change. */
async function counts() {
  const { api } = onefold;
  const accounts = await api.call('accounts_list', { query: { total: true } });
  const members = await api.call('members_list');
  const tokens = await api.call('tokens_list');
  const tickets = await onefold.api.as(integrationToken).call('ticketing_query_tickets');
  return {
    accounts: accounts.total ?? 0,
    members: members.result.length,
    tokens: tokens.result.length,
    tickets: tickets.result.length,
  };
}

const textOf = (data: Uint8Array) => Buffer.from(data).toString('latin1');

/** Returns a message without a seal: head and body. */
function frame(head: object, body: object): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(5);
  start.writeUInt32BE(text.length);
  return Buffer.concat([start, text, Buffer.from(JSON.stringify(body))]);
}

const administrator = {
  tokenId: 'tok_1',
  scope: 'organization',
  memberId: 'mbr_1',
  permissions: [{ permissionSet: 'administrator' }],
};

function request(operation: OperationId, body: object): Buffer {
  const head = {
    operation,
    caller: { ...administrator, organizationId },
    path: {},
    query: {},
    meta: [],
    requestId: randomUUID(),
    deadline: Date.now() + 10_000,
    remoteAddress: '10.0.0.1',
    userAgent: 'stranger',
  };
  return frame(head, body);
}

async function everybodyIsReady(): Promise<void> {
  for (const one of Object.values(onefold.processes)) {
    const [, observe = ''] = await one.says(/"observe":"([^"]+)"/);
    expect((await fetch(`${observe}/health/ready`)).status).toBe(200);
  }
}

describe('a stranger on the bus', () => {
  it('hears no token, no credential, no password and no session', async () => {
    const { api } = onefold;
    const mock = await createMockIntegration(api, 'overheard');
    integrationToken = mock.token;
    given.push(api.headers['authorization']?.slice('Bearer '.length) ?? '', mock.token);
    const path = { accountId: mock.accountId };
    await api.call('credentials_create', {
      path: { ownerId: mock.accountId },
      body: { name: 'heard', config: { type: 'token', secret } } as never,
    });
    const { primary, secondary } = (
      await api.call('tokens_create_integration_token', {
        path: { ...path, integrationId: mock.integrationId },
        body: { name: 'heard' },
      })
    ).result as unknown as Record<string, unknown>;
    await api.call('members_create', {
      body: { name: 'heard@example.com', secret: password, role_binding: ['administrator'] },
    });
    const { token } = (
      await api.as(undefined).call('auth_logon', {
        path: { organizationId },
        body: { name: 'heard@example.com', secret: password },
      })
    ).result;
    given.push(token.access.secret, token.refresh.secret, secret, password);
    const text = JSON.stringify([primary, secondary]);
    given.push(...[...text.matchAll(/of[a-z]_\w+/g)].map(([one]) => one));
    await api.as(mock.token).call('ticketing_create_ticket', {
      body: {
        name: 'Overheard',
        summary: 'A ticket that may be read',
        description: 'text',
      },
    });
    await sleep(200);
    const all = heard.map(({ data }) => textOf(data)).join('\n');
    expect(all).toContain('A ticket that may be read'); // The test does receive messages: docs/bus.md lists what can be
    // read.
    expect(given.filter((one) => one.length < 10)).toEqual([]);
    expect(given.filter((one) => all.includes(one))).toEqual([]);
    expect(/of[a-z]_[A-Za-z0-9]{30,}/.exec(all)?.[0]).toBeUndefined();
  });

  it('changes nothing by sending it all again, to whomever', async () => {
    const before = await counts();
    const recorded = heard.slice();
    const addresses = new Map<string, Set<string>>();
    for (const { subject } of recorded) {
      const kind = subject.split('.').slice(0, -1).join('.');
      addresses.set(kind, (addresses.get(kind) ?? new Set()).add(subject));
    }
    const processes = new Set(
      recorded.flatMap(({ subject }) => /^onefold\.v1\..*\.(\w+)$/.exec(subject)?.[1] ?? []),
    );
    for (const { subject, reply, data } of recorded) {
      stranger.publish(subject, data, reply === undefined ? {} : { reply });
      stranger.publish(subject, data, { reply: 'stranger.replayed' });
      if (/^onefold\.(v1|internal)\./.test(subject))
        for (const one of processes)
          stranger.publish(
            subject.replace(/\w+$/, one),
            data,
            reply === undefined ? {} : { reply },
          );
      await stranger.flush();
    }
    await sleep(500);
    expect(await counts()).toEqual(before);
    expect(answered).toEqual([]);
    await everybodyIsReady();
  });

  it('gets no answer to a request of their own, and changes nothing with it', async () => {
    const before = await counts();
    const processes = new Set(
      heard.flatMap(({ subject }) => /^onefold\.v1\..*\.(\w+)$/.exec(subject)?.[1] ?? []),
    );
    const requests: [string, Buffer][] = [
      ['onefold.v1.management.accounts_list', request('accounts_list', {})],
      ['onefold.v1.management.accounts_create', request('accounts_create', { name: 'forged' })],
      ['onefold.v1.management.tokens_create_token', request('tokens_create_token', { name: 'x' })],
      [
        'onefold.v1.management.members_create',
        request('members_create', { name: 'f', secret, role_binding: ['administrator'] }),
      ],
      ['onefold.v1.ticketing.ticketing_query_tickets', request('ticketing_query_tickets', {})],
      [
        'onefold.internal.tokens.introspect',
        frame({ deadline: Date.now() + 9_000 }, { hash: '0' }),
      ],
      [
        'onefold.internal.integrations.resolve',
        frame({ deadline: Date.now() + 9_000 }, { organizationId, integrationId: 'int_1' }),
      ],
    ];
    for (const [subject, data] of requests)
      for (const address of ['', ...processes].map((one) =>
        one === '' ? subject : `${subject}.${one}`,
      ))
        stranger.publish(address, data, { reply: 'stranger.forged' });
    for (const event of ['records.changed', 'bridge.changed'])
      for (const text of ['', 'x', '{', 'null', '[]', '{"organizationId":1}'])
        stranger.publish(`onefold.event.${event}`, text);
    for (const text of ['', '{"state":"left"}', '{"state":"here","subjects":["onefold.v1.x"]}'])
      stranger.publish('onefold.presence', text);
    await stranger.flush();
    await sleep(500);
    expect(answered).toEqual([]);
    expect(await counts()).toEqual(before);
    await everybodyIsReady();
  });

  it('cannot make a made-up token valid by answering in the place of a service', async () => {
    const before = await counts();
    const introspection = {
      caller: { ...administrator, organizationId },
      kind: 'access',
      expiresAt: Date.now() + 3_600_000,
      organizationState: 'enabled',
    };
    const recorded = heard.filter(({ subject }) => subject.startsWith('onefold.inbox.'));
    const rogues = ['onefold.internal.>', 'onefold.v1.>'].flatMap((subject) =>
      ['internal', 'management', 'ticketing', 'rogue'].map((queue) =>
        stranger.subscribe(subject, {
          queue,
          callback: (_error, message) => {
            message.respond(frame({ status: 200, headers: {} }, introspection));
            message.respond(new Uint8Array(), { headers: headers(503, 'No Responders') });
            for (const { data } of recorded.slice(-5)) message.respond(data);
          },
        }),
      ),
    );
    await stranger.flush();
    const { api } = onefold;
    const other = await createMockIntegration(api, 'with-rogues');
    const token = other.token;
    const madeUp = `${token.slice(0, -8)}${token.slice(-8) === 'AAAAAAAA' ? 'BBBBBBBB' : 'AAAAAAAA'}`;
    await api.as(madeUp).refuse('accounts_list', 401);
    // Unknown to the service, with a valid checksum, so that the gateway has to introspect it.
    const unknown = await fetch(`${api.url}/v1/accounts`, {
      headers: { authorization: 'Bearer ofo_unknown' },
    });
    expect(unknown.status).toBe(401);
    await api.as(token).call('ticketing_query_tickets');
    await api.as(token).refuse('ticketing_get_ticket', 404, { path: { ticketId: 'none' } });
    for (const rogue of rogues) rogue.unsubscribe();
    const after = await counts();
    expect(after.accounts).toBe(before.accounts + 1);
    expect(after.members).toBe(before.members);
    await everybodyIsReady();
  });

  it('is counted', async () => {
    const reasons = new Set<string>();
    for (const one of Object.values(onefold.processes)) {
      const [, observe = ''] = await one.says(/"observe":"([^"]+)"/);
      const metrics = await (await fetch(`${observe}/metrics`)).text();
      const lines = metrics.matchAll(
        /^onefold_bus_refused_messages_total\{.*reason="(\w+)".*\} [1-9]/gm,
      );
      for (const [, reason = ''] of lines) reasons.add(reason);
    }
    expect([...reasons]).toEqual(
      expect.arrayContaining(['replayed', 'not_authentic', 'malformed']),
    );
  });
});
