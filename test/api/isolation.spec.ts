import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Operation, operations } from '#contract';
import { sampleBody } from './sample-body.js';
import { type Service, startService } from './service.js';
import { accountWorld, type Ask, organizationWorld, sharedWorld, type World } from './worlds.js';

const secret = 'correct horse battery';

let service: Service;
beforeAll(async () => {
  service = await startService();
}, 30_000);
afterAll(() => service.stop());

const ask: Ask = async (method, path, token, body) => {
  const { status, message, result } = await service.call(method, path, body, token);
  expect([method, path, status, message]).toEqual([method, path, status < 300 ? status : 200, '']);
  return result as never;
};

let operators = 0;

/** A session of a member who may do this, on accounts labelled emea. */
async function operator(permission_set: string, environments?: string[]): Promise<string> {
  const { access, organizationId } = service.administrator;
  const accounts = { ids: ['*'], labels: ['emea'], ...(environments ? { environments } : {}) };
  operators += 1;
  const role = { name: `operator-${operators}`, permission_set, resources: { accounts } };
  await ask('POST', '/v1/roles', access, role);
  const member = { name: `operator-${operators}@example.com`, secret, role_binding: [role.name] };
  await ask('POST', '/v1/members', access, member);
  const body = { name: member.name, secret };
  const session = await ask<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/auth/logon/${organizationId}`,
    '',
    body,
  );
  return session.token.access.secret;
}

const served = [...operations.values()].filter(
  ({ state, side, public: open }) => state === 'served' && side === 'management' && !open,
);
const parametersOf = ({ path }: Operation) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
/** Parameters whose values belong to no tenant. */
const nobodys = new Set(['providerId', 'permissionsetId', 'month']);

/** Every way to name a record of the foreign world: all of it foreign, or either end of the path one's own. */
function* foreignPaths(operation: Operation, foreign: World, own: World): Generator<string> {
  const names = parametersOf(operation).filter((name) => !nobodys.has(name));
  const last = names.at(-1) ?? '';
  const within = (world: World, value: string) => ({
    ...Object.fromEntries(names.map((name) => [name, world[name]?.[0] ?? 'x'])),
    [last]: value,
  });
  for (const value of foreign[last] ?? []) {
    yield filled(operation, within(foreign, value));
    if (names.length > 1) yield filled(operation, within(own, value));
  }
  if (names.length > 1 && foreign[last])
    for (const value of own[last] ?? []) yield filled(operation, within(foreign, value));
}

function filled({ path }: Operation, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? 'sample'),
  );
}

/** All rows that tell of these ids, but those of the trail. */
async function rowsOf(world: World): Promise<string[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
        where nspname = 'public' and relkind = 'r' and relname !~ 'audit|migrations|idempotency'`,
    );
    const ids = Object.values(world).flatMap(([id]) => id ?? []);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - 'last_used_at')::text as row from "${name}" t`,
      );
      found.push(
        ...rows
          .map(({ row }) => `${name} ${row}`)
          .filter((row) => ids.some((id) => row.includes(id))),
      );
    }
    return found.sort();
  } finally {
    await client.end();
  }
}

/** Tries every operation with every way to name a foreign record, and every list. */
async function nothingReaches(
  token: string,
  foreign: World,
  own: World,
  refusals = [401, 403, 404],
): Promise<void> {
  const before = await rowsOf(foreign);
  const reached: unknown[] = [];
  let tried = 0;
  for (const operation of served)
    for (const path of foreignPaths(operation, foreign, own)) {
      tried += 1;
      const body = sampleBody(operation);
      const { status, message } = await service.call(operation.method, path, body, token);
      if (!refusals.includes(status)) reached.push([operation.id, path, status, message]);
    }
  expect(reached).toEqual([]);
  expect(tried).toBeGreaterThan(20);
  expect(await rowsOf(foreign)).toEqual(before);
}

async function nothingShows(token: string, foreign: World): Promise<void> {
  const values = Object.values(foreign).flat();
  const shown: unknown[] = [];
  for (const operation of served) {
    const names = parametersOf(operation).filter((name) => !nobodys.has(name));
    if (operation.method !== 'GET' || names.length > 0) continue;
    const queries = [''];
    if ('total' in operation.query) queries.push('?total=true');
    if ('expand' in operation.query) queries.push('?expand=all');
    if ('filter' in operation.query) queries.push('?filter=id[neq]x', '?filter=name[like]far%25');
    for (const query of queries) {
      const path = filled(operation, {
        providerId: 'ticketing_mock_ticketing',
        permissionsetId: 'viewer',
      });
      const answer = await service.call('GET', path + query, undefined, token);
      if (answer.status !== 200 && answer.status !== 403 && answer.status !== 400)
        shown.push([operation.id, query, answer.status, answer.message]);
      const text = JSON.stringify(answer);
      shown.push(
        ...values
          .filter((value) => text.includes(value))
          .map((value) => [operation.id, query, value]),
      );
    }
  }
  expect(shown).toEqual([]);
}

describe('isolation', () => {
  const sets = ['administrator', 'viewer', 'account-manager', 'member', 'connect-ui'];
  const sessions = new Map<string, string>();
  let secrets: Record<string, string>;
  let near: World;
  let far: World;
  let ofOrganization: World;
  let strangers: World;
  let stranger: string;

  beforeAll(async () => {
    const { access } = service.administrator;
    ({ world: near, secrets } = await accountWorld(ask, access, 'near'));
    ({ world: far } = await accountWorld(ask, access, 'far'));
    ofOrganization = await organizationWorld(ask, access, 'far');
    await sharedWorld(ask, access, 'shared');
    const other = await service.organization('strangers');
    stranger = other.access;
    strangers = {
      ...(await accountWorld(ask, stranger, 'strange')).world,
      ...(await organizationWorld(ask, stranger, 'strange')),
      ...(await sharedWorld(ask, stranger, 'strange')),
      organizationId: [other.organizationId, 'strangers'],
    };
    for (const set of sets) sessions.set(set, await operator(set));
    const untried = served
      .flatMap(parametersOf)
      .filter((name) => !nobodys.has(name) && !strangers[name]);
    expect(untried).toEqual([]);
    strangers['memberId']?.push(other.memberId);
    strangers['refreshTokenId']?.push(other.tokenId);
  }, 30_000);

  // Lists first: afterwards the trail of the own account has the calls that tried the foreign ids in its path.
  describe.each(sets)('of an operator with the permission set %s, limited to labels', (set) => {
    it('lists, filters and counts no record of another account, nor of the organization', async () => {
      await nothingShows(sessions.get(set) ?? '', { ...far, ...ofOrganization });
    }, 30_000);
  });

  describe.each(sets)('of an operator with the permission set %s, limited to labels', (set) => {
    it('reaches its own', async () => {
      const [account, integration] = [near['accountId']?.[0], near['integrationId']?.[0]];
      for (const path of [`accounts/${account}`, `integrations/${account}/${integration}`]) {
        const { status } = await service.call('GET', `/v1/${path}`, undefined, sessions.get(set));
        expect(status).toBe(200);
      }
    });

    it('reaches no record of another account, nor of the organization', async () => {
      await nothingReaches(sessions.get(set) ?? '', { ...far, ...ofOrganization }, near);
    }, 60_000);
  });

  it.each(['token of the account', 'token of the integration'])(
    'of a %s: it reaches nothing of another account, nor of the organization',
    async (kind) => {
      await nothingReaches(secrets[kind] ?? '', { ...far, ...ofOrganization }, near);
    },
    60_000,
  );

  it('of no token at all: it reaches nothing', async () => {
    await nothingReaches('', { ...far, ...ofOrganization }, near);
  }, 60_000);

  it('of an administrator of another organization: he reaches and sees nothing', async () => {
    const own = { ...near, ...ofOrganization };
    await nothingReaches(service.administrator.access, strangers, own);
    await nothingShows(service.administrator.access, strangers);
  }, 60_000);

  describe('of what an operator writes', () => {
    let token: string;
    const write = async (method: string, path: string, body: unknown) => {
      const { status, message } = await service.call(method, path, body, token);
      return { status, message };
    };
    beforeAll(async () => {
      token = await operator('account-manager', ['prod', 'test']);
    });

    it('makes no account and moves none out of its sight', async () => {
      const created = async (body: object) => (await write('POST', '/v1/accounts', body)).status;
      expect(await created({ name: 'unlabelled' })).toBe(403);
      expect(await created({ name: 'labelled', labels: ['us'] })).toBe(403);
      expect(await created({ name: 'own', labels: ['emea', 'us'] })).toBe(200);
      const moved = await write('PATCH', '/v1/accounts/own', [
        { op: 'replace', path: '/labels', value: ['us'] },
      ]);
      expect(moved.status).toBe(403);
    });

    it('learns nothing by naming foreign records in bodies and filters: they answer like unknown ones', async () => {
      const path = `/v1/integrations/${near['accountId']?.[0]}`;
      const integration = (credential: string, point?: string) => ({
        name: 'probe',
        provider_config: {
          type: 'notifications_slack',
          channel: 'c',
          credential: { type: 'token_id', value: credential },
        },
        ...(point ? { integration_point_id: point } : {}),
      });
      const token_ = (account: string) => ({
        permission_set: 'viewer',
        resources: { accounts: { ids: [account] } },
      });
      const [credential = '', account = '', point = ''] = [
        far['credentialId']?.[0],
        far['accountId']?.[0],
        strangers['integrationPointId']?.[0],
      ];
      const unlike = (text: string, id: string) => text.replaceAll(id, 'ID');
      for (const [target, body, known, unknown] of [
        [path, integration, credential, 'crd_00000000000000000000000000'],
        [path, (id: string) => integration('x', id), point, 'ipt_00000000000000000000000000'],
        ['/v1/tokens', token_, account, 'acc_00000000000000000000000000'],
      ] as const) {
        const foreign = await write('POST', target, body(known));
        const nobodys_ = await write('POST', target, body(unknown));
        expect({ ...foreign, message: unlike(foreign.message, known) }).toEqual({
          ...nobodys_,
          message: unlike(nobodys_.message, unknown),
        });
        expect(foreign.status).toBeGreaterThanOrEqual(400);
      }
      for (const list of ['/v1/integrations', '/v1/credentials/' + near['accountId']?.[0]]) {
        const { result } = await service.call(
          'GET',
          `${list}?filter=account_id[eq]${account}`,
          undefined,
          token,
        );
        expect(result).toEqual([]);
      }
    });
  });

  // At the end: the address has to wait after so many refused secrets.
  it.each(['refresh secret of the account', 'refresh secret of the integration'])(
    'of a %s: it reaches nothing but its own token',
    async (kind) => {
      const token = secrets[kind] ?? '';
      await nothingReaches(token, { ...far, ...ofOrganization }, near, [401, 403, 404, 429]);
    },
    60_000,
  );
});
