import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Operation, operations } from '#contract';
import { sampleBody } from './sample-body.js';
import { type Service, startService } from './service.js';

/** Ids and names of one tenant's records, by the path parameter that takes them. */
type World = Record<string, string[]>;

const secret = 'correct horse battery';
const label = { near: 'emea', far: 'us', strange: 'emea' };

let service: Service;
beforeAll(async () => {
  service = await startService();
}, 30_000);
afterAll(() => service.stop());

const ask = async <T = Record<string, never>>(
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<T> => {
  const { status, message, result } = await service.call(method, path, body, token);
  expect([method, path, status, message]).toEqual([method, path, status < 300 ? status : 200, '']);
  return result as T;
};

/** The tokens that were given out with the records of a world. */
const secrets: Record<string, string> = {};

/** An account with one of everything that can lie in it. */
async function accountWorld(token: string, name: 'near' | 'far' | 'strange'): Promise<World> {
  interface Pair {
    access: { secret: string };
    refresh: { secret: string };
  }
  interface Made {
    account: { id: string };
    token: Pair & { id: string; primary: Pair };
    integration: { id: string; refresh_token_id: string };
    bridge: { id: string };
    id: string;
  }
  const { account, token: limited } = await ask<Made>('POST', '/v1/accounts', token, {
    name: `${name}-account`,
    labels: [label[name]],
    token: { name: `${name}-token`, permission_set: 'account-manager' },
  });
  const inside = `/${account.id}`;
  const { integration, token: pair } = await ask<Made>('POST', `/v1/integrations${inside}`, token, {
    name: `${name}-integration`,
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  secrets[`token of the account ${name}`] = limited.primary.access.secret;
  secrets[`refresh secret of the account ${name}`] = limited.primary.refresh.secret;
  secrets[`token of the integration ${name}`] = pair.access.secret;
  secrets[`refresh secret of the integration ${name}`] = pair.refresh.secret;
  const { id: credential } = await ask<Made>('POST', `/v1/credentials${inside}`, token, {
    name: `${name}-credential`,
    config: { type: 'token', secret: 'canary' },
  });
  const { bridge } = await ask<Made>('POST', `/v1/bridges${inside}`, token, {
    name: `${name}-bridge`,
  });
  return {
    accountId: [account.id, `${name}-account`],
    integrationId: [integration.id, `${name}-integration`],
    credentialId: [credential, `${name}-credential`],
    bridgeId: [bridge.id, `${name}-bridge`],
    refreshTokenId: [limited.id, integration.refresh_token_id, `${name}-token`],
    ownerId: [account.id, integration.id],
  };
}

/** One of everything that lies in the organization itself. */
async function organizationWorld(token: string, name: string): Promise<World> {
  const make = async (path: string, body: object, key?: string): Promise<string> => {
    const made = await ask<Record<string, { id: string }>>('POST', path, token, body);
    return (key === undefined ? (made as unknown as { id: string }) : made[key])?.id ?? '';
  };
  const role = await make('/v1/roles', { name: `${name}-role`, permission_set: 'viewer' });
  const member = await make(
    '/v1/members',
    { name: `${name}-member`, type: 'service', secret },
    'member',
  );
  const webhook = await make('/v1/organization/webhooks', {
    name: `${name}-webhook`,
    url: 'https://example.com/hook',
    filters: ['all'],
    secret: { value: 'a secret of 24 characters or more' },
  });
  const sso = await make('/v1/auth/sso', {
    fullname: `${name}-sso`,
    config: { type: 'oidc', issuer_url: 'https://example.com', client_id: 'c', client_secret: 's' },
  });
  return {
    roleId: [role, `${name}-role`],
    memberId: [member, `${name}-member`],
    webhookId: [webhook, `${name}-webhook`],
    ssoId: [sso],
  };
}

/** A provider of somebody's own. */
const documentOf = (name: string) => `
provider: custom_${name}
version: 1.0.0
fullname: ${name}
vendor: Specs
credentials: { credential: { token: { send: header, name: authorization, value: this.credential.secret } } }
http: { base_url: this.config.url, origins: ['https://${name}.example.com'], message: this.body.error }
operations:
  custom_get:
    steps: [{ name: thing, path: '/things/{this.path.id}' }]
    record: this.steps.thing
`;

/** What everybody in an organization may read. */
async function sharedWorld(token: string, name: string): Promise<World> {
  const point = await ask<{ id: string }>('POST', '/v1/integration-points', token, {
    name: `${name}-point`,
    connector: 'ticketing',
    environments: { prod: ['*'] },
  });
  const mapping = await ask<{ id: string }>('POST', '/v1/mappings', token, {
    name: `${name}-mapping`,
    data: 'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: root = this\n',
  });
  const { custom } = await ask<{ custom: { id: string } }>('POST', '/v1/customs', token, {
    name: `${name}-custom`,
    data: documentOf(name),
  });
  return {
    customId: [custom.id, `${name}-custom`],
    integrationPointId: [point.id, `${name}-point`],
    mappingId: [mapping.id, `${name}-mapping`],
  };
}

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

/** Every way to name a record of the foreign world: all of it foreign, or the beginning one's own. */
function* foreignPaths(operation: Operation, foreign: World, own: World): Generator<string> {
  const names = parametersOf(operation).filter((name) => !nobodys.has(name));
  const last = names.at(-1) ?? '';
  for (const value of foreign[last] ?? []) {
    for (const world of names.length > 1 ? [foreign, own] : [foreign]) {
      const values = Object.fromEntries(names.map((name) => [name, world[name]?.[0] ?? 'x']));
      yield filled(operation, { ...values, [last]: value });
    }
  }
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
  let near: World;
  let far: World;
  let ofOrganization: World;
  let strangers: World;
  let stranger: string;

  beforeAll(async () => {
    const { access } = service.administrator;
    near = await accountWorld(access, 'near');
    far = await accountWorld(access, 'far');
    ofOrganization = await organizationWorld(access, 'far');
    await sharedWorld(access, 'shared');
    const other = await service.organization('strangers');
    stranger = other.access;
    strangers = {
      ...(await accountWorld(stranger, 'strange')),
      ...(await organizationWorld(stranger, 'strange')),
      ...(await sharedWorld(stranger, 'strange')),
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
      await nothingReaches(secrets[`${kind} near`] ?? '', { ...far, ...ofOrganization }, near);
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
      const token = secrets[`${kind} near`] ?? '';
      await nothingReaches(token, { ...far, ...ofOrganization }, near, [401, 403, 404, 429]);
    },
    60_000,
  );
});
