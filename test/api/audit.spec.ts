import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '#test/harness';
import type { ManagementSchemas } from '#contract';
import { type Service, startService } from './service.js';

type Audit = ManagementSchemas['Audit'];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const list = async (query = '', token?: string): Promise<Audit[]> => {
  const answer = await service.call('GET', `/v1/audit/organizations${query}`, undefined, token);
  expect([answer.status, answer.message]).toEqual([200, '']);
  return answer.result as unknown as Audit[];
};
/** Returns the last record of a path. */
const last = async (path: string): Promise<Audit | undefined> =>
  (
    await list(`?order=created_at[desc]&limit=1&filter=${encodeURIComponent(`path[eq]${path}`)}`)
  )[0];
const createAccount = async (name: string): Promise<string> => {
  const { result } = await service.call('POST', '/v1/accounts', { name, environment: 'prod' });
  return (result as unknown as { account: { id: string } }).account.id;
};

describe('the audit trail', () => {
  it('has a record of every call: who, from where, what, about which account, and how it ended', async () => {
    const id = await createAccount('trail');
    expect((await service.call('GET', '/v1/accounts/trail')).status).toBe(200);
    expect(await last('/v1/accounts')).toMatchObject({
      audit_type: 'API',
      method: 'POST',
      code: '200',
      status: 'succeeded',
      body: { name: 'trail', environment: 'prod' },
      environment: 'prod',
      account_id: id,
      member_id: service.administrator.memberId,
      remote_addr: '127.0.0.1',
    });
    expect(await last('/v1/accounts/trail')).toMatchObject({ method: 'GET', account_id: id });
    expect((await service.call('DELETE', '/v1/accounts/trail')).status).toBe(204);
    expect(await last('/v1/accounts/trail')).toMatchObject({
      method: 'DELETE',
      code: '204',
      account_id: id,
      environment: 'prod',
    });
  });

  it('has failed calls with the reason, and no change that they tried', async () => {
    await createAccount('taken');
    expect((await service.call('POST', '/v1/accounts', { name: 'taken' })).status).toBe(409);
    expect(await last('/v1/accounts')).toMatchObject({
      code: '409',
      status: 'refused',
      response: expect.stringContaining('the name "taken" is taken') as unknown,
    });
    expect((await service.call('GET', '/v1/accounts/nobody')).status).toBe(404);
    const missing = await last('/v1/accounts/nobody');
    expect(missing).toMatchObject({ code: '404', environment: 'organization' });
    expect(missing).not.toHaveProperty('account_id');
  });

  it('names the integration a call is about', async () => {
    const accountId = await createAccount('about');
    const { result } = await service.call('POST', `/v1/integrations/${accountId}`, {
      name: 'desk',
      provider_config: { type: 'ticketing_mock_ticketing' },
    });
    const { integration } = result as unknown as { integration: { id: string } };
    expect(await last(`/v1/integrations/${accountId}`)).toMatchObject({
      account_id: accountId,
      integration_id: integration.id,
    });
  });

  it('keeps bodies without what the contract marks as secret, tokens, and what the contract does not know', async () => {
    const accountId = await createAccount('redacted');
    const created = await service.call('POST', `/v1/credentials/${accountId}`, {
      name: 'basic',
      config: { type: 'basic', username: 'canary-user', secret: 'canary-secret' },
      passwort: service.administrator.refresh,
      old_password: 'canary-password',
    });
    expect(created.status).toBe(200);
    const { id } = created.result as unknown as { id: string };
    expect((await last(`/v1/credentials/${accountId}`))?.body).toEqual({
      name: 'basic',
      config: { type: 'basic', username: 'canary-user', secret: '[secret]' },
    });
    await service.call('PATCH', `/v1/credentials/${accountId}/${id}`, [
      { op: 'replace', path: '/config/secret', value: 'canary-patched' },
    ]);
    expect((await last(`/v1/credentials/${accountId}/${id}`))?.body).toEqual([
      { op: 'replace', path: '/config/secret', value: '[secret]' },
    ]);
    const address = `/v1/tokens/${service.administrator.access}/info`;
    const refused = await service.call('GET', address);
    expect([refused.status, refused.message]).toEqual([400, 'path refreshTokenId: holds a token']);
    const inQuery = `/v1/accounts?filter=name[eq]${service.administrator.refresh}`;
    expect((await service.call('GET', inQuery)).status).toBe(400);
    // The gateway sends its records a moment later.
    await until(async () => (await last('/v1/tokens/ofo_********/info')) !== undefined);
    const everything = JSON.stringify(await list('?limit=1000'));
    expect(everything).toContain('/v1/tokens/ofo_********/info');
    expect(everything).not.toMatch(/canary-(?:secret|password|patched)/);
    expect(everything).not.toContain(service.administrator.access);
  });

  it('says which secrets were read: by a call, and by connectors once a minute with how often', async () => {
    const accountId = await createAccount('reads');
    const { result } = await service.call('POST', `/v1/integrations/${accountId}`, {
      name: 'reads',
      provider_config: {
        type: 'ticketing_jira',
        url: 'https://reads.example.com',
        credential: { type: 'basic', username: 'reads', secret: 'reads-secret' },
      },
    });
    const { integration } = result as unknown as { integration: { id: string } };
    const { organizationId } = service.administrator;
    const resolve = () =>
      service.bus.call('integrations.resolve', { organizationId, integrationId: integration.id });
    const resolved = [await resolve(), await resolve(), await resolve()];
    const [credentialId = ''] = Object.keys(resolved[0]?.credentials ?? {});
    await service.call('PATCH', `/v1/credentials/${integration.id}/${credentialId}`, [
      { op: 'replace', path: '/config/username', value: 'other' },
    ]);
    const reads = await list(
      `?limit=1000&filter=code[eq]secret_read&filter=account_id[eq]${accountId}`,
    );
    expect(reads).toMatchObject([
      {
        audit_type: 'API',
        integration_id: integration.id,
        user_agent: 'connector',
        body: { credential_ids: [credentialId], times: 1 },
      },
      { audit_type: 'API', method: 'PATCH', body: { credential_id: credentialId } },
    ]);
  });

  it('is paged by created_at, every record once, while calls go on', async () => {
    const calls = async () => {
      for (let index = 0; index < 25; index += 1) await service.call('GET', '/v1/accounts?limit=1');
    };
    const under = encodeURIComponent('path[eq]/v1/accounts');
    const before = (await list(`?limit=1000&filter=${under}`)).length;
    const running = Promise.all(Array.from({ length: 4 }, calls));
    const times: string[] = [];
    const page = async () => {
      const after =
        times.length === 0 ? '' : `&start_after=${encodeURIComponent(times.at(-1) ?? '')}`;
      const rows = await list(`?limit=7&filter=${under}${after}`);
      times.push(...rows.map(({ created_at }) => created_at));
      return rows.length;
    };
    let ended = false;
    void running.then(() => (ended = true));
    while (!ended) await page();
    while ((await page()) > 0) continue;
    expect(new Set(times).size).toBe(times.length);
    expect(times).toEqual([...times].sort());
    expect(times).toHaveLength(before + 100);
  });

  it('is filtered and ordered, and says what is wrong with a filter, an order or a start', async () => {
    await createAccount('filtered');
    const [first, second] = await list('?limit=2');
    const after = encodeURIComponent(`created_at[gt]${first?.created_at ?? ''}`);
    expect((await list(`?limit=1&filter=${after}`))[0]?.created_at).toBe(second?.created_at);
    const posts = await list('?filter=method[in]POST,PUT&filter=code[like]2%25');
    expect(new Set(posts.map(({ method }) => method))).toEqual(new Set(['POST']));
    const down = await list('?order=created_at[desc]&limit=2');
    expect((down[0]?.created_at ?? '') > (down[1]?.created_at ?? '')).toBe(true);
    for (const [query, message] of [
      ['filter=colour[eq]red', 'cannot be filtered by "colour"'],
      ['filter=audit_type[eq]LOUD', '"LOUD" is not an allowed value'],
      ['order=path', 'cannot be ordered by "path"'],
      ['start_after=yesterday', 'is not a valid RFC 3339 time'],
    ] as const) {
      const answer = await service.call('GET', `/v1/audit/organizations?${query}`);
      expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('shows no records of an organization to another one, and none of an account to callers limited to another', async () => {
    const other = await service.organization('stranger');
    const own = await list('', other.access);
    expect(own).toMatchObject([
      { code: 'token_issued', user_agent: 'command line', member_id: other.memberId },
    ]);
    const mine = await createAccount('mine');
    await createAccount('theirs');
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: { accounts: { ids: [mine] } },
    });
    const { primary } = result as unknown as { primary: { access: { secret: string } } };
    const seen = await list('?limit=1000', primary.access.secret);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ account_id }) => account_id))).toEqual(new Set([mine]));
  });

  it('shows no records of integrations of one domain to callers limited to another', async () => {
    const accountId = await createAccount('categories');
    const create = async (type: string) => {
      const { result } = await service.call('POST', `/v1/integrations/${accountId}`, {
        name: type,
        provider_config: { type },
      });
      return (result as unknown as { integration: { id: string } }).integration.id;
    };
    const mine = await create('ticketing_mock_ticketing');
    const theirs = await create('siem_mock_siem');
    expect(theirs).toMatch(/^int_/);
    const { result } = await service.call('POST', '/v1/tokens', {
      permission_set: 'viewer',
      resources: {
        accounts: { ids: [accountId] },
        integrations: { categories: ['ticketing'] },
      },
    });
    const { primary } = result as unknown as { primary: { access: { secret: string } } };
    const about = async () =>
      (await list('?limit=1000', primary.access.secret)).map(
        ({ integration_id: id }) => id ?? 'none',
      );
    expect(new Set(await about())).toEqual(new Set(['none', mine]));
    await service.call('DELETE', `/v1/integrations/${accountId}/${mine}`);
    expect(new Set(await about())).toEqual(new Set(['none'])); // The deleted integration has no domain.
  });
});
