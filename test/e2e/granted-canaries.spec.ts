import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { AuthorizationFake, returnToService, until } from '#test/harness';
import { dumpDatabase } from './dump-database.js';
import { type Onefold, startDistributed } from './onefold.js';
import { foundInMemory } from './process-memory.js';
import type { Running } from './processes.js';

let onefold: Onefold;
let slack: AuthorizationFake;
let listener: NatsConnection;
let another: Running | undefined;
const overheard: string[] = [];
const answers: string[] = [];

beforeAll(async () => {
  [onefold, slack] = await Promise.all([
    startDistributed({ LOG_LEVEL: 'debug' }),
    AuthorizationFake.start('slack'),
  ]);
  onefold.api.onAnswer = (text) => answers.push(text);
  another = onefold.startAnother?.('connector');
  await another?.says(/"message":"ready"/);
  listener = await connect({ servers: onefold.nats?.url ?? '' });
  listener.subscribe('>', {
    callback: (_error, { subject, data }) => {
      overheard.push(`${subject} ${Buffer.from(data).toString('latin1')}`);
    },
  });
  await listener.flush();
}, 300_000);
afterAll(async () => {
  await listener.close();
  await another?.stop();
  await slack.stop();
  await onefold.stop();
});

/** The tokens that the provider was shown, and the secret of the application. */
function secrets() {
  const { requests } = slack.engine.log;
  const bearers = requests.flatMap(({ headers }) =>
    headers['authorization']?.startsWith('Bearer ') ? headers['authorization'].slice(7) : [],
  );
  // An access token has the signature of the fake behind a point.
  const isAccess = (token: string) => token.includes('.');
  const forms = requests.map(({ body }) => new URLSearchParams(body).get('refresh_token') ?? '');
  const refresh = [...bearers.filter((one) => !isAccess(one)), ...forms].filter(
    (one) => one !== '',
  );
  return {
    access: [...new Set(bearers.filter(isAccess))],
    refresh: [...new Set(refresh)],
    application: slack.application('rotating').secret,
  };
}

/** An integration whose token a person granted. */
async function connectSlack() {
  const { api } = onefold;
  const { account } = (await api.call('accounts_create', { body: { name: 'granted' } })).result;
  const environments = { test: ['*'], prod: ['*'] };
  const point = (
    await api.call('integrationPoints_create', {
      body: { name: 'talk', connector: 'chat', environments } as never,
    })
  ).result;
  const { id: client_id, secret: client_secret } = slack.application('rotating');
  const config = {
    type: 'o_auth_client',
    client_id,
    client_secret,
    token_url: `${slack.url}/api/oauth.v2.access`,
    extra: {
      authorize_url: `${slack.url}/oauth/v2/authorize`,
      revoke_url: `${slack.url}/api/auth.revoke`,
    },
  };
  const body = { name: 'chat_slack', config } as never;
  await api.call('credentials_create', { path: { ownerId: point.id }, body });
  const path = { accountId: account.id };
  const begun = (
    await api.call('connect_begin_authorization', {
      path,
      body: { integration_point_id: point.id, provider: 'chat_slack' },
    })
  ).result;
  const page = await returnToService(await slack.allow(begun.authorize_url));
  answers.push(await page.text());
  expect(page.status).toBe(200);
  const authorizationId = begun.authorization.id;
  const { result } = await api.call('connect_get_authorization', {
    path: { ...path, authorizationId },
  });
  const credentialId = result.credential_id ?? '';
  const credential = { type: 'token_id', value: credentialId };
  const provider_config = { type: 'chat_slack', url: `${slack.url}/api`, credential };
  const made = await api.call('integrations_create', {
    path,
    body: { provider_config, integration_point_id: point.id } as never,
  });
  const integrationId = made.result.integration.id;
  const client = api.as(made.result.token.access.secret);
  client.onAnswer = (text) => answers.push(text);
  return { path: { ...path, integrationId }, credentialId, client };
}

describe('a token that a person granted, in processes of their own', () => {
  it('is renewed once for two connectors, given back by the worker, and shown nowhere', async () => {
    const { path, credentialId, client } = await connectSlack();
    const list = async () => (await client.send('chat_query_users', {})).status;
    expect(await list()).toBe(200);
    const owner = new pg.Client({ connectionString: onefold.env?.['DATABASE_URL'] });
    await owner.connect();
    await owner.query(
      `update credential_renewals set due_at = now() - interval '1 hour', expires_at = now() - interval '1 minute',
         issued_at = issued_at - interval '1 day' where credential_id = $1`,
      [credentialId],
    );
    await owner.end();
    slack.clock.advance(43_201);
    const before = slack.exchanges;
    expect(await Promise.all(Array.from({ length: 8 }, list))).toEqual(Array(8).fill(200));
    expect(slack.exchanges).toBe(before + 1);

    await onefold.api.call('integrations_delete', { path });
    await until(async () => {
      const { result } = await onefold.api.call('audit_list', { query: { limit: 100 } });
      return result.some(({ code }) => code === 'grant_revoked');
    });
    const { access, refresh, application } = secrets();
    expect([access.length, refresh.length]).toEqual([2, 2]);
    const all = [...access, ...refresh, application];
    const places = {
      logs: Object.values({ ...onefold.processes, another }).map((one) => one?.output() ?? ''),
      overheard,
      answers,
      tables: await dumpDatabase(onefold.env?.['DATABASE_URL'] ?? ''),
    };
    expect(overheard.length).toBeGreaterThan(20);
    for (const [where, texts] of Object.entries(places)) {
      const leaks = texts.filter((text) => all.some((secret) => text.includes(secret)));
      expect([where, leaks.map((text) => text.slice(0, 300))]).toEqual([where, []]);
    }
    // The address of NATS is in the memory of each: the search finds what is there.
    const known = onefold.env?.['NATS_URL'] ?? '';
    const { operations, connector } = onefold.processes;
    for (const [one, hidden] of [
      [operations, all],
      [connector, [...refresh, application]],
      [another, [...refresh, application]],
    ] as const)
      expect(one && (await foundInMemory(one, [known, ...hidden]))).toEqual([known]);
  }, 240_000);
});
