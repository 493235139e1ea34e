import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { OperationId } from '#contract';
import { allowed, createGroup, startAgent } from './bridge-agents.js';
import { Canaries, canaryForms } from './canaries.js';
import type { Client, LooseParts } from './client.js';
import { dumpDatabase } from './dump-database.js';
import { EchoingProvider } from './echoing-provider.js';
import { type Onefold, startDistributed } from './onefold.js';
import { foundInMemory } from './process-memory.js';
import type { Running } from './processes.js';

const document = `
provider: custom_echo
version: 1.0.0
fullname: Echo
vendor: Tests
configuration:
  properties: { url: { type: string, pattern: '^http' }, token_path: { type: string } }
  required: [url]
credentials:
  credential:
    basic: { send: basic }
    token: { send: header, name: x-key, value: '"Key " + this.credential.secret' }
    secret: { send: query, name: key, value: this.credential.secret }
    o_auth_client: { send: client_credentials, token_url: 'this.config.url + (this.config.token_path | "/token")' }
    aws: { send: sigv4, service: sqs, region: '"eu-west-1"' }
http:
  base_url: this.config.url
  message: this.body.why
operations:
  custom_get:
    resource: things
    steps: [{ path: '/things/{this.path.id}' }]
    record: this.steps.call
  custom_post:
    resource: things
    steps: [{ method: POST, path: /things, body: root = this.body }]
    record: this.steps.call
  storage_download_file:
    needs: Read files
    steps: [{ path: '/{+this.path.path}', answer: stream }]
`;

const canaries = new Canaries();
const plant = (place: string) => ({ value: canaries.plant(place) });
/** The secrets of the agent's file, by the kind of credential that refers to them. */
const fieldsOf = {
  basic: { username: { value: 'ada' }, secret: plant('password') },
  token: { secret: plant('header') },
  secret: { secret: plant('query') },
  o_auth_client: { client_id: { value: 'client' }, client_secret: plant('client secret') },
  aws: {
    access_key_id: { value: 'AKIAEXAMPLE' },
    secret_access_key: plant('AWS secret key'),
    session: plant('AWS session'),
  },
};
const accessToken = canaries.plant('access token');
/** Those of which a provider gets something else: a signature. */
const neverSent = [fieldsOf.aws.secret_access_key.value];

let onefold: Onefold;
let provider: EchoingProvider;
let agent: Running;
let listener: NatsConnection;
let accountId: string;
let bridgeId: string;
const overheard: string[] = [];
/** Responses of the service. */
const answers: string[] = [];

beforeAll(async () => {
  provider = await EchoingProvider.start(accessToken);
  onefold = await startDistributed({ LOG_LEVEL: 'debug' });
  listener = await connect({ servers: onefold.nats?.url ?? '' });
  listener.subscribe('>', {
    callback: (_error, { subject, data }) => {
      overheard.push(`${subject} ${Buffer.from(data).toString('latin1')}`);
    },
  });
  await listener.flush();
  const { api } = onefold;
  await api.call('customs_create', { body: { data: document } });
  accountId = (await api.call('accounts_create', { body: {} })).result.account.id;
  const group = await createGroup(api, accountId);
  bridgeId = group.id;
  const origins = [provider.url];
  const secrets = Object.entries(fieldsOf).map(([kind, fields]) => ({
    name: `kept-${kind}`,
    origins,
    fields,
  }));
  const settings = { allow: allowed(provider.url), secrets };
  agent = startAgent(api.url, group.credential, settings);
  await agent.says(/"message":"connected"/);
});
afterAll(async () => {
  await listener.close();
  await agent.stop();
  await onefold.stop();
  provider.stop();
});

/** Returns a client of an integration whose credential refers to a secret of the agent. */
async function behind(kind: string, more: object = {}): Promise<Client> {
  const { api } = onefold;
  const { id } = (
    await api.call('credentials_create', {
      path: { ownerId: accountId },
      body: { config: { type: 'bridge', name: `kept-${kind}` } as never },
    })
  ).result;
  const credential = { type: `${kind}_id`, value: id };
  const made = await api.call('integrations_create', {
    path: { accountId },
    body: {
      provider_config: { type: 'custom_echo', url: provider.url, credential, ...more } as never,
      bridge_selector: { type: 'id', value: bridgeId },
    },
  });
  return api.as(made.result.token.access.secret);
}

const query = { meta: ['api/response(all)'], include_raw_data: true };

/** Calls the provider in every way in which its answer reaches the caller. @returns statuses */
async function callAll(client: Client): Promise<number[]> {
  const get = (id: string): [OperationId, LooseParts] => [
    'custom_get',
    { path: { operation: 'custom_get', id }, query },
  ];
  const calls: [OperationId, LooseParts][] = [
    get('one'),
    get('forbidden'),
    get('failed'),
    ['custom_post', { path: { operation: 'custom_post' }, body: { name: 'one' } }],
    ['storage_download_file', { path: { path: 'small' } }],
    ['storage_download_file', { path: { path: 'large' } }],
  ];
  const statuses: number[] = [];
  for (const [id, parts] of calls) {
    const { status, text } = await client.send(id, parts);
    answers.push(`${id} ${text}`);
    statuses.push(status);
  }
  return statuses;
}

/** Expects that no text shows a planted secret. */
function expectNone(where: string, texts: string[]): void {
  const leaks = texts.flatMap((text) =>
    canaries.foundIn(text).map((place) => `${place} in ${text.slice(0, 300)}`),
  );
  expect([where, leaks.slice(0, 5)]).toEqual([where, []]);
}

describe('secrets that an agent keeps', () => {
  it.each(Object.keys(fieldsOf))(
    'reach the provider, whose echoes reach the caller masked: %s',
    async (kind) => {
      const before = answers.length;
      expect(await callAll(await behind(kind))).toEqual([200, 502, 502, 200, 200, 200]);
      for (const text of answers.slice(before)) expect(text).toContain('******');
      expectNone('responses', answers);
    },
  );

  it('are masked where the token endpoint shows them', async () => {
    const client = await behind('o_auth_client', { token_path: '/no-token' });
    const get = { path: { operation: 'custom_get', id: 'one' }, query };
    const { status, text } = await client.send('custom_get', get);
    answers.push(text);
    expect([status, text]).toEqual([502, expect.stringContaining('gives the bridge agent no')]);
    expectNone('responses', answers);
  });

  it('have all been sent to the provider, but for those that sign', () => {
    const sent = [...provider.known].join(' ');
    const planted = Object.values(fieldsOf).flatMap((fields) => Object.values(fields));
    const values = [...planted.map(({ value }) => value), accessToken];
    const secrets = values.filter((value) => canaries.foundIn(value).length > 0);
    expect(secrets).toHaveLength(7);
    expect(secrets.filter((value) => !sent.includes(value))).toEqual(neverSent);
  });

  it('are in no log, message of the bus or row of the database', async () => {
    await onefold.api.call('bridges_get_status', { path: { accountId, bridgeId } });
    const { processes, env } = onefold;
    const logs = Object.entries({ ...processes, agent }).map(([name, one]) => {
      expect([name, one.output()]).toEqual([name, expect.stringContaining('"level":')]);
      return `${name} ${one.output()}`;
    });
    const tables = await dumpDatabase(env?.['DATABASE_URL'] ?? '');
    expect(tables.join('\n')).toContain('kept-aws'); // An agent tells the names of its secrets.
    expect(overheard.filter((one) => one.includes('******'))).not.toEqual([]); // The echo of a file.
    for (const [where, texts] of Object.entries({ logs, overheard, tables }))
      expectNone(where, texts);
  });

  it('are in the memory of the agent, and of no process of the service', async () => {
    const { processes, keyFile } = onefold;
    expect(await foundInMemory(agent, canaryForms)).toContain(canaryForms[0]);
    for (const [name, one] of Object.entries(processes))
      // The name of its key file shows that the memory of a process is read.
      expect([name, await foundInMemory(one, [keyFile, ...canaryForms])]).toEqual([
        name,
        [keyFile],
      ]);
  });
});
