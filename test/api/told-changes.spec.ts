import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#test/harness';
import { hashToken } from '#secrets';
import { type Service, startService } from './service.js';

const lookUps = 300;

const document = `provider: ticketing_told
version: 1.0.0
fullname: Told Desk
vendor: Told
configuration: { properties: { url: { type: string, format: uri } }, required: [url] }
credentials: { credential: { token: { send: header, name: x-key, value: this.credential.secret } } }
http: { base_url: this.config.url }
operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - { path: '/tickets/{this.path.ticketId}' }
    record: this.steps.call
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root = this
`;
const mapping = `engine: bloblang_direct
version: '1.0'
templates:
  default: |
    root = this
`;

let service: Service;
let owner: pg.Client;
beforeAll(async () => {
  service = await startService();
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.stop();
});

async function make<Result>(path: string, body: object): Promise<Result> {
  const { status, message, result } = await service.call<Result>('POST', path, body);
  expect([status, message]).toEqual([200, '']);
  return result;
}

/** Makes a token with a role of its own, and an integration that uses a record of each kind. */
async function makeAll() {
  const role = await make<{ name: string }>('/v1/roles', {
    fullname: 'Told',
    permission_set: 'viewer',
  });
  const token = await make<{ id: string; primary: { access: { secret: string } } }>('/v1/tokens', {
    permission_set: 'viewer',
    resources: { organizations: { ids: ['*'] } },
  });
  await owner.query('update tokens set role_binding = array[$1] where id = $2', [
    role.name,
    token.id,
  ]);
  const { account } = await make<{ account: { id: string } }>('/v1/accounts', { name: 'told' });
  await make('/v1/customs', { name: 'told', data: document });
  const own = await make<{ id: string }>('/v1/mappings', { name: 'told', data: mapping });
  const credential = await make<{ id: string }>(`/v1/credentials/${account.id}`, {
    name: 'told',
    config: { type: 'token', secret: 'told-secret' },
  });
  const bridge = await make<{ bridge: { id: string } }>(`/v1/bridges/${account.id}`, {
    name: 'told',
    labels: ['told'],
  });
  const point = await make<{ id: string }>('/v1/integration-points', {
    name: 'told',
    connector: 'ticketing',
    environments: { test: ['*'], prod: ['*'] },
  });
  const made = await make<{ integration: { id: string }; token: { access: { secret: string } } }>(
    `/v1/integrations/${account.id}`,
    {
      integration_point_id: point.id,
      bridge_selector: { type: 'labels', value: ['told'] },
      mappings: [{ mappings: ['told'], operation_ids: ['ticketing_get_ticket'] }],
      provider_config: {
        type: 'ticketing_told',
        url: 'https://desk.example.com',
        credential: { type: 'token_id', value: credential.id },
      },
    },
  );
  await owner.query(
    `insert into credential_renewals (credential_id, organization_id, provider, client_credential_id, token_origin, sealed, issued_at)
     values ($1, $2, 'told', $1, 'https://desk.example.com', '', now())`,
    [credential.id, service.administrator.organizationId],
  );
  return { token, made, credential, bridge, own };
}

describe('changes that look-ups depend on', () => {
  it('are told by each table that a look-up reads', async () => {
    const { token, made } = await makeAll();
    const { organizationId } = service.administrator;
    const reads = async () => {
      const { rows } = await owner.query<{ name: string; scans: string }>(
        'select relname as name, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables',
      );
      return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
    };
    const before = await reads();
    const secrets = [token.primary.access.secret, made.token.access.secret];
    const integrationId = made.integration.id;
    for (let count = 0; count < lookUps; count += 1) {
      for (const secret of secrets)
        expect(
          await service.bus.call('tokens.introspect', { hash: hashToken(secret) }),
        ).toHaveProperty('caller');
      await service.bus.call('integrations.resolve', { organizationId, integrationId });
    }
    const { rows } = await owner.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger where tgname = 'tell_update'`,
    );
    const told = rows.map(({ name }) => name).sort();
    // The database counts the reads of a connection when it is idle, after some seconds.
    const read = await eventually(async () => {
      const now = await reads();
      const often = [...now].filter(([name, scans]) => scans - (before.get(name) ?? 0) >= lookUps);
      const names = often.map(([name]) => name).sort();
      expect(names).toEqual(expect.arrayContaining(['tokens', 'organizations', 'integrations']));
      expect(names.length).toBeGreaterThan(10);
      return names;
    });
    expect(read.filter((name) => !told.includes(name))).toEqual([]);
    console.log(`tables that look-ups read: ${read.join(', ')}; that tell: ${told.join(', ')}`);
  }, 120_000);

  it('are told once they are committed, whoever makes them, and not where a look-up reads nothing of them', async () => {
    const { rows } = await owner.query<{ id: string; member: string; account: string }>(
      `select t.id, t.member_id as member, a.id as account from tokens t, accounts a where a.name = 'told' and 'told' = any(t.role_binding)`,
    );
    const [{ id, member, account } = { id: '', member: '', account: '' }] = rows;
    const changesOf = async (statement: string, ...values: string[]) => {
      const { position } = await service.bus.call('changes.confirm', {});
      await owner.query(statement, values);
      const { changes = [] } = await service.bus.call('changes.confirm', { after: position });
      return [...new Set(changes.map((change) => change.split(' ')[0]))];
    };
    const { organizationId } = service.administrator;
    const tell: [ids: string[], statement: string, ...values: string[]][] = [
      [[id], `update tokens set access_only = not access_only where id = $1`, id],
      [[], `update tokens set last_used_at = now() where id = $1`, id],
      [[member], `update members set expires = expires + interval '1 day' where id = $1`, member],
      [[], `update members set last_logon = now() where id = $1`, member],
      [[organizationId], `update organizations set state = 'plg' where id = $1`, organizationId],
      [[], `update organizations set updated_at = now() where id = $1`, organizationId],
      [[organizationId], `update mappings set version = version + 1 where name = 'told'`],
      [[organizationId], `delete from roles where name = 'told'`],
      [[account], `update bridges set labels = null where account_id = $1`, account],
      [[id], `delete from tokens where id = $1`, id],
    ];
    for (const [ids, statement, ...values] of tell)
      expect([statement, await changesOf(statement, ...values)]).toEqual([statement, ids]);
  });
});

describe('a token at the gateway', () => {
  it('is refused at once after it was deleted in the database by hand', async () => {
    const { id, primary } = await make<{ id: string; primary: { access: { secret: string } } }>(
      '/v1/tokens',
      { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
    );
    const works = async () =>
      (await service.call('GET', '/v1/accounts', undefined, primary.access.secret)).status === 200;
    for (const end = performance.now() + 3_000; performance.now() < end;)
      expect(await works()).toBe(true);
    await owner.query('delete from tokens where id = $1', [id]);
    const deleted = performance.now();
    let accepted = deleted;
    for (let begun = deleted; await works(); begun = performance.now()) accepted = begun;
    expect(accepted - deleted).toBeLessThan(1_000);
  });
});
