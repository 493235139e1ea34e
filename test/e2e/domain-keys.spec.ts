import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/harness';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { MessageBus, NatsTransport, Refusals, type ResolvedIntegration } from '#bus';
import { BusKeys, Keyring, openKeyring, readKeyFile, SealedBodies, Sealer, Secret } from '#secrets';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { natsUser, type Onefold, startDistributed } from './onefold.js';
import { ended, startApp } from './processes.js';
import { createMockIntegration } from './records.js';

// Two teams: one runs the connectors of sink, the other those of ticketing. Each has the key of its domain and that of the bus.

const secret = 'secret-of-the-endpoint';
const noticedMs = 1_500; // every process reads its key files each second

let onefold: Onefold;
let receiver: EventReceiver;
let owner: pg.Client;
let organizationId: string;
const files = { sink: '', ticketing: '', bus: '' };

interface Made {
  id: string;
  accountId: string;
  token: string;
}
const made: Record<'before' | 'after', Made> = {
  before: { id: '', accountId: '', token: '' },
  after: { id: '', accountId: '', token: '' },
};
let ticketing: { token: string };

const event = (uid: string) =>
  ({
    class_name: 'Base Event',
    class_uid: 0,
    category_uid: 0,
    activity_id: 99,
    type_uid: 99,
    severity_id: 1,
    time: 1795305600000,
    message: uid,
    metadata: { version: '1.3.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
  }) as const;

/** An integration with a credential of its account, which asks for an access token. */
async function connectSink(name: string): Promise<Made> {
  const { api } = onefold;
  const { account } = (await api.call('accounts_create', { body: { name } })).result;
  const { result: credential } = await api.call('credentials_create', {
    path: { ownerId: account.id },
    body: {
      name,
      config: {
        type: 'o_auth_client',
        client_id: 'me',
        client_secret: secret,
        token_url: `${receiver.url}/token`,
      },
    },
  });
  const { integration, token } = (
    await api.call('integrations_create', {
      path: { accountId: account.id },
      body: {
        name,
        provider_config: {
          type: 'sink_http',
          url: `${receiver.url}/in`,
          authorization: {
            type: 'o_auth_client_config',
            scopes: ['a'],
            credential: { type: 'o_auth_client_id', value: credential.id },
          },
        },
      },
    })
  ).result;
  return { id: integration.id, accountId: account.id, token: token.access.secret };
}

async function send({ token }: Made, uid: string, key?: string): Promise<void> {
  const { result } = await onefold.api.as(token).call('sink_post_events', {
    body: [event(uid)],
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
  expect(result).toMatchObject([{ uid, stored: true }]);
}

const listTickets = () => onefold.api.as(ticketing.token).call('ticketing_query_tickets');

async function start(
  name: string,
  app: 'management' | 'gateway' | 'connector',
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const user = natsUser(app === 'connector' ? name : app);
  const process = startApp(app, [], { ...onefold.env, ...user, ...env });
  onefold.processes[name] = process;
  await process.says(/"message":"ready"/);
}

const team = (domain: 'sink' | 'ticketing'): Record<string, string> => ({
  DOMAINS: domain,
  KEY_FILE: files[domain],
  BUS_KEY_FILE: files.bus,
});

async function writeTeamFiles(): Promise<void> {
  for (const domain of ['sink', 'ticketing'] as const)
    await onefold.admin('domain-key', '--domains', domain, '--file', files[domain]);
  await onefold.admin('bus-key', '--file', files.bus);
}

beforeAll(async () => {
  receiver = await EventReceiver.start();
  receiver.wanted = { kind: 'oauth', style: 'in_header', id: 'me', secret, scope: 'a' };
  onefold = await startDistributed({}, { asUsers: true, worker: false });
  for (const name of ['sink', 'ticketing', 'bus'] as const)
    files[name] = join(dirname(onefold.keyFile), `${name}.key`);
  owner = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
  await owner.connect();
  organizationId = (await onefold.api.call('organization_get')).result.id;
});
afterAll(async () => {
  await owner.end();
  await onefold.stop();
  await receiver.stop();
});

/** Returns every sealed text of the database, by table. */
async function sealedTexts(): Promise<{ table: string; sealed: string }[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const found: { table: string; sealed: string }[] = [];
  for (const { name: table } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `select r::text as text from ${table} r where r::text ~ 'v1\\.[0-9a-f]{8}\\.'`,
    );
    for (const { text } of rows)
      for (const [sealed] of text.matchAll(/v1\.[0-9a-f]{8}\.[\w-]{40,}\.[\w-]+/g))
        found.push({ table, sealed });
  }
  return found;
}

const sealerOf = async (file: string) => new Sealer(new Keyring(await readKeyFile(file)));

/** Returns an integration as management gives it to the connectors of a domain, to a process with everything that a team has. */
async function resolveAs(domain: 'sink' | 'ticketing', id: string): Promise<ResolvedIntegration> {
  const bus = new BusKeys(new Keyring(await readKeyFile(files.bus)), new Keyring([]));
  const role = `connector-${domain}`;
  const { NATS_USER: user = '', NATS_PASSWORD: password = '' } = natsUser(role);
  const transport = await NatsTransport.connect(
    {
      natsUrl: new Secret(onefold.nats?.url ?? ''),
      natsUser: user,
      natsPassword: new Secret(password),
    },
    { keys: bus.derive('bus messages'), role, refusals: new Refusals(() => undefined) },
  );
  try {
    await transport.served();
    const messages = new MessageBus(transport, new SealedBodies(bus.derive('bus')));
    return await messages.call('integrations.resolve', { organizationId, integrationId: id });
  } finally {
    await transport.close();
  }
}

describe('the change to keys of domains', () => {
  it('fails no call: the files are made, the settings switched on, and what is stored is sealed for the domains', async () => {
    made.before = await connectSink('before');
    ticketing = await createMockIntegration(onefold.api, 'tickets');
    await send(made.before, 'one', 'same-request');
    await listTickets();
    await writeTeamFiles();
    const on = { DOMAIN_KEYS: 'on' };
    const old = { ...onefold.processes };
    // One after the other, as a rolling update does.
    for (const app of ['management', 'connector', 'gateway'] as const) {
      const settings = {
        ...on,
        BUS_KEY_FILE: files.bus,
        ...(app === 'gateway' && { KEY_FILE: undefined }),
      };
      if (app === 'gateway') await old[app]?.stop(); // it has a fixed port
      await start(app, app, settings);
      await old[app]?.stop();
      await send(made.before, `after ${app}`);
      await listTickets();
    }
    expect(await onefold.admin('seal-for-domains')).toMatch(/^[1-9]\d* values were sealed/);
    expect(await onefold.admin('seal-for-domains')).toMatch(/^0 values/);
    const whole = onefold.processes['connector'];
    for (const domain of ['sink', 'ticketing'] as const)
      await start(`connector-${domain}`, 'connector', team(domain));
    await whole?.stop();
    delete onefold.processes['connector'];
    await send(made.before, 'one', 'same-request'); // answered from what was stored before
    expect(
      receiver.requests.filter(({ events }) => JSON.stringify(events).includes('"one"')),
    ).toHaveLength(1);
    await send(made.before, 'two');
    await listTickets();
  });

  it('leaves everything to work: new integrations, verifications, access tokens, cursors', async () => {
    made.after = await connectSink('after');
    await send(made.after, 'three');
    const { id: integrationId, accountId } = made.after;
    await onefold.api.call('integrations_verify_existing', { path: { accountId, integrationId } });
    const api = onefold.api.as(ticketing.token);
    const { cursor } = await api.call('ticketing_query_tickets', { query: { limit: 1 } });
    expect(cursor).not.toBe('');
    await api.call('ticketing_query_tickets', { query: { limit: 1, cursor } });
  });
});

describe('a team', () => {
  it('opens nothing of another domain: neither in the database nor of what management gives to connectors', async () => {
    const whole = new Sealer(
      await openKeyring({ keyFile: onefold.keyFile }, undefined, ['sink', 'ticketing']),
    );
    const [sink, tickets] = [await sealerOf(files.sink), await sealerOf(files.ticketing)];
    const inDatabase = await sealedTexts();
    expect(inDatabase.every(({ sealed }) => whole.canOpen(sealed))).toBe(true);
    const tables = (sealer: Sealer) =>
      new Set(inDatabase.flatMap(({ table, sealed }) => (sealer.canOpen(sealed) ? table : [])));
    expect(tables(sink)).toEqual(new Set(['provider_tokens', 'idempotency_keys']));
    expect(tables(tickets)).toEqual(new Set());

    // The other team may ask for any integration, and gets it sealed for the integration's domain.
    const { credentials, accountId } = await resolveAs('ticketing', made.after.id);
    const given = Object.values(credentials).map(({ sealed }) => sealed);
    expect(given).toHaveLength(1);
    for (const sealed of given) {
      expect(sink.open(accountId, sealed).reveal()).toContain(secret);
      expect(() => tickets.open(accountId, sealed)).toThrow('is missing');
    }
  });

  it('cannot start a connector of another domain with its file', async () => {
    const other = startApp('connector', [], {
      ...onefold.env,
      ...natsUser('connector-sink'),
      ...team('sink'),
      KEY_FILE: files.ticketing,
    });
    const { code, text } = await ended(other);
    expect(code).not.toBe(0);
    expect(text).toContain('domain sink');
  });

  it('cannot derive the keys of others from its file', async () => {
    const env = { ...onefold.env, KEY_FILE: files.ticketing };
    const asked = startApp(
      'admin',
      ['domain-key', '--domains', 'sink', '--file', `${files.sink}.x`],
      env,
    );
    const { code, text } = await ended(asked);
    expect(code).toBe(1);
    expect(text).toContain('needs the key-encryption key');
  });
});

it('a rotation in steps, with new files for the teams after each, fails no call and ends the use of the old key', async () => {
  const [before = ''] = readFileSync(onefold.keyFile, 'utf8').split('\n');
  const works = async (uid: string) => {
    await writeTeamFiles();
    await sleep(noticedMs);
    await send(made.before, uid);
    await send(made.after, uid);
    await listTickets();
  };
  for (const step of ['add', 'promote', 'rewrap']) {
    await onefold.admin('rotate-key', '--step', step);
    await works(step);
  }
  const [current = ''] = readFileSync(onefold.keyFile, 'utf8').split('\n');
  expect(current).not.toBe(before);
  writeFileSync(onefold.keyFile, `${current}\n`);
  await works('without the old key');
  await eventually(() => send(made.before, 'one', 'same-request'));
  const whole = new Sealer(
    await openKeyring({ keyFile: onefold.keyFile }, undefined, ['sink', 'ticketing']),
  );
  for (const { table, sealed } of await sealedTexts())
    expect({ table, canOpen: whole.canOpen(sealed) }).toEqual({ table, canOpen: true });
});
