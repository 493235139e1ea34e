import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadValidators, type OperationId, operationOf } from '#contract';
import { FakeDispatcher, FakeEngine, makeWorld, MemoryStorage, readFakeFile } from '#fakes';
import { type ManifestSource, manifestsOf } from '#provider-document';
import { OverFake } from '#test/harness';
import { parse } from 'yaml';

const folder = new URL('./', import.meta.url);
const manifests = manifestsOf(
  parse(readFileSync(new URL('provider.yaml', folder), 'utf8')) as ManifestSource,
);
const start = new Date('2026-11-22T00:00:00Z');
const login = 'https://login.microsoftonline.com/organizations/oauth2/v2.0';
const config = {
  tenant_id: '3f1c9a52-7d44-4e0b-9a86-2c5d81e0b7f3',
  team_id: '5b0d7c1e-2f6a-4d38-9c74-81e5a0f3d962',
};

/** The provider over its fake, by what a person granted. @param without a scope that was asked for and not granted */
async function granted(type: string, without?: string): Promise<OverFake> {
  const engine = new FakeEngine(readFakeFile(new URL('fake.yaml', folder)), {
    storage: new MemoryStorage(),
    clock: () => start.getTime(),
    start,
    dataset: 'BASIC',
    key: 'any secret',
  });
  engine.limits.override = { requests: 1e6, seconds: 60 };
  const client = engine
    .credentials()
    .find((one) => one.applications)
    ?.applications?.get('web');
  const scopes = manifests.find((one) => one.type === type)?.authorization?.scopes ?? [];
  const verifier = 'v'.repeat(43);
  const redirect = 'https://host.example/connect/oauth/callback';
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: client?.id ?? '',
    redirect_uri: redirect,
    scope: scopes.filter((one) => one !== without).join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    decision: 'allow',
  });
  const page = await engine.handle({
    method: 'GET',
    url: `${login}/authorize?${asked.toString()}`,
    headers: {},
  });
  const code = new URL(page.headers['location'] as string).searchParams.get('code') ?? '';
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    client_id: client?.id ?? '',
    client_secret: client?.secret ?? '',
    code_verifier: verifier,
  });
  const answer = await engine.handle({
    method: 'POST',
    url: `${login}/token`,
    body: Buffer.from(form.toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const { access_token: secret } = JSON.parse(Buffer.from(answer.body).toString());
  const handle: FakeEngine['handle'] = (request) => engine.handle(request);
  return new OverFake(folder, type, {
    config: type.startsWith('chat') ? config : { tenant_id: config.tenant_id },
    credential: () => ({ type: 'token', secret }),
    dispatcher: new FakeDispatcher({ handle }),
    start,
  });
}

type Request = Parameters<OverFake['call']>[1];
type Rows = Record<string, any>[]; // eslint-disable-line @typescript-eslint/no-explicit-any
const good = async (over: OverFake, id: OperationId, request: Request = {}) => {
  const { status, body } = await over.call(id, request);
  expect([id, status, body['message'] ?? '']).toEqual([id, operationOf(id).response.status, '']);
  return body['result'] as Rows;
};

beforeAll(() => loadValidators());

describe('what a person granted is enough for', () => {
  it('every operation of Entra ID', async () => {
    const entra = await granted('identity_entra_id');
    const [user] = await good(entra, 'identity_query_users', { query: { limit: 1 } });
    const [group] = await good(entra, 'identity_query_groups', { query: { limit: 1 } });
    for (const id of ['audit_log', 'risk_events', 'risky_users'])
      expect(
        (await good(entra, `identity_query_${id}` as OperationId, { query: { limit: 5 } })).length,
      ).toBeGreaterThan(0);
    const userId = user?.['entity'].uid as string;
    const groupId = group?.['entity'].uid as string;
    await good(entra, 'identity_get_user', { path: { userId } });
    await good(entra, 'identity_get_group', { path: { groupId } });
    await good(entra, 'identity_get_group_members', { path: { groupId } });
    const picture = await entra.file('identity_get_user_picture', { path: { userId } });
    expect(picture.headers['content-type']).toBe('image/jpeg');
    for (const id of [
      'disable_user',
      'enable_user',
      'force_user_password_reset',
      'expire_all_user_sessions',
    ])
      await good(entra, `identity_${id}` as OperationId, { path: { userId } });
  });

  it('every operation of Intune', async () => {
    const intune = await granted('endpointmanagement_intune');
    const [found] = await good(intune, 'endpointmanagement_query_devices', {
      query: { filter: ['device.hostname[eq]AP-UTR-L0019'] },
    });
    const device = found?.['device'].uid as string;
    await good(intune, 'endpointmanagement_get_device', { path: { id: device } });
    await good(intune, 'endpointmanagement_query_device_applications', { path: { id: device } });
    await good(intune, 'endpointmanagement_query_compliance_findings', {
      query: { filter: ['device.hostname[eq]AP-UTR-L0019'] },
    });
    const body = { device_id: device };
    for (const id of ['lock', 'restart', 'update', 'wipe'])
      await good(intune, `endpointmanagement_${id}_device` as OperationId, { body });
    await good(intune, 'endpointmanagement_remediate_device', {
      body: { ...body, action: 'scan' },
    });
  });

  it('the alerts of Defender, and not for analyzed e-mail, which Microsoft gives to applications alone', async () => {
    const defender = await granted('emailsecurity_defender_for_office');
    const [threat] = await good(defender, 'emailsecurity_query_threats', { query: { limit: 1 } });
    const threatId = threat?.['metadata'].uid as string;
    await good(defender, 'emailsecurity_get_threat_details', { path: { threatId } });
    const { status, body } = await defender.call('emailsecurity_query_email_events', {});
    expect([status, JSON.stringify(body)]).toEqual([
      502,
      expect.stringContaining('SecurityAnalyzedMessage.Read.All'),
    ]);
  });

  it('every operation of Teams, by permissions of a person', async () => {
    const teams = await granted('chat_microsoft_teams');
    expect(await good(teams, 'chat_query_users')).not.toHaveLength(0);
    const world = makeWorld({ start, dataset: 'BASIC' });
    const member = world.conversations.find(({ kind }) => kind === 'direct')?.members[0];
    const userId = world.people.find(({ key }) => key === member)?.directory_id ?? '';
    const channels = await good(teams, 'chat_query_conversations');
    const own = await good(teams, 'chat_query_user_conversations', { path: { userId } });
    const isChat = ({ conversation }: Rows[number]) => /^19:/.test(conversation.uid as string);
    const channel = channels[0]?.['conversation'].uid as string;
    const chat = own.find(isChat)?.['conversation'].uid as string;
    for (const kind of ['members', 'messages'] as const) {
      for (const conversationId of [channel, chat])
        await good(teams, `chat_query_conversation_${kind}`, { path: { conversationId } });
      const path = { userId, conversationId: chat };
      await good(teams, `chat_query_user_conversation_${kind}`, { path });
    }
  });
});

it.each<[string, string, OperationId]>([
  [
    'endpointmanagement_intune',
    'DeviceManagementManagedDevices.Read.All',
    'endpointmanagement_query_devices',
  ],
  ['emailsecurity_defender_for_office', 'SecurityAlert.Read.All', 'emailsecurity_query_threats'],
  ['chat_microsoft_teams', 'Channel.ReadBasic.All', 'chat_query_conversations'],
])('%s without %s names it where an operation needs it', async (type, scope, id) => {
  const { status, body } = await (await granted(type, scope)).call(id, {});
  expect([status, JSON.stringify(body)]).toEqual([502, expect.stringContaining(scope)]);
});
