import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Account {
  id: string;
  name: string;
  fullname: string;
  organization_id: string;
  environment: string;
  labels: string[];
  created_at: string;
  updated_at: string;
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

async function create(body: object): Promise<Account> {
  const { status, message, result } = await service.call('POST', '/v1/accounts', body);
  expect([status, message]).toEqual([200, '']);
  return result['account'] as unknown as Account;
}
async function list(query: string): Promise<Account[]> {
  const { result } = await service.call('GET', `/v1/accounts?${query}`);
  return result as unknown as Account[];
}
const names = (accounts: Account[]) => accounts.map(({ name }) => name);

describe('creating an account', () => {
  it('"`name` defaults to the account id when neither `name` nor `fullname` is given"', async () => {
    const { id, name, fullname } = await create({});
    expect([name, fullname]).toEqual([id, id]);
  });

  it('"`fullname` auto-generates `name` when `name` is absent"', async () => {
    expect((await create({ fullname: 'Café & Söhne' })).name).toBe('cafe-sohne');
    expect((await create({ fullname: 'Café & Söhne' })).name).toBe('cafe-sohne-2');
  });

  it('"`fullname` defaults to `name` when absent"', async () => {
    expect(await create({ name: 'only_name' })).toMatchObject({ fullname: 'only_name' });
  });

  it('"Unique short name; lowercase `[a-z0-9_-]`; used for case-insensitive duplicate detection"', async () => {
    expect((await create({ name: 'Twin' })).name).toBe('twin');
    const again = await service.call('POST', '/v1/accounts', { name: 'TWIN' });
    expect([again.status, again.message]).toEqual([409, expect.stringContaining('twin')]);
    const blank = await service.call('POST', '/v1/accounts', { name: 'two words' });
    expect([blank.status, blank.message]).toEqual([400, expect.stringContaining('two words')]);
  });

  it('"environment: enum `test`, `prod`"', async () => {
    expect((await create({})).environment).toBe('prod');
    expect((await create({ environment: 'test' })).environment).toBe('test');
    const { status } = await service.call('POST', '/v1/accounts', { environment: 'staging' });
    expect(status).toBe(400);
  });

  it('"when the create request carries a `token` block, a token scoped to the new Account is created and returned in `result.token`"', async () => {
    const { result } = await service.call('POST', '/v1/accounts', {
      name: 'scoped',
      token: { name: 'scoped-token', permission_set: 'account-manager' },
    });
    const { secret } = (result as never as { token: Pair }).token.primary.access;
    const seen = await service.call('GET', '/v1/accounts', undefined, secret);
    expect(names(seen.result as never as Account[])).toEqual(['scoped']);
  });

  it('"in the same transaction": a refused token leaves no account', async () => {
    const { status } = await service.call('POST', '/v1/accounts', {
      name: 'never-there',
      token: { name: 'x', permission_set: 'account-manager', token_ttl: '100000h' },
    });
    expect(status).toBe(400);
    expect(await list('filter=name%5Beq%5Dnever-there')).toEqual([]);
  });
});

interface Pair {
  id: string;
  primary: { access: { secret: string } };
}

describe('listing accounts', () => {
  beforeAll(async () => {
    for (const letter of ['c', 'a', 'b', 'd'])
      await create({ name: `page-${letter}`, fullname: letter < 'c' ? 'Early' : 'Late' });
  });
  const pages = 'filter=name%5Blike%5Dpage-%25';

  it('"Field to order by; default `name`"', async () => {
    expect(names(await list(pages))).toEqual(['page-a', 'page-b', 'page-c', 'page-d']);
  });

  it('"suffix `[asc]` (default) or `[desc]`; repeatable, applied in the order given"', async () => {
    expect(names(await list(`${pages}&order=fullname%5Bdesc%5D&order=name`))).toEqual([
      'page-c',
      'page-d',
      'page-a',
      'page-b',
    ]);
  });

  it('"Page size", "Return accounts after this name"', async () => {
    expect(names(await list(`${pages}&limit=2&start_after=page-a`))).toEqual(['page-b', 'page-c']);
  });

  it('"repeated filters are ANDed"', async () => {
    const both = `${pages}&filter=fullname%5Beq%5DLate`;
    expect(names(await list(both))).toEqual(['page-c', 'page-d']);
  });
});

describe('changing an account', () => {
  it('replaces what a client may write and refuses another id in the body', async () => {
    const account = await create({ name: 'before', labels: ['old'] });
    const path = `/v1/accounts/${account.id}`;
    const changed = { ...account, name: 'after', labels: ['new'] };
    const { result } = await service.call('PUT', path, changed);
    expect(result).toMatchObject({ id: account.id, name: 'after', labels: ['new'] });
    const other = await create({});
    const wrong = await service.call('PUT', path, { ...changed, id: other.id });
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('id')]);
  });

  it('patches by JSON Patch, all operations or none', async () => {
    const { id } = await create({ name: 'patched', labels: ['a'] });
    const path = `/v1/accounts/${id}`;
    const { result } = await service.call('PATCH', path, [
      { op: 'test', path: '/name', value: 'patched' },
      { op: 'add', path: '/labels/-', value: 'b' },
      { op: 'copy', from: '/name', path: '/fullname' },
    ]);
    expect(result).toMatchObject({ labels: ['a', 'b'], fullname: 'patched' });
    const half = await service.call('PATCH', path, [
      { op: 'replace', path: '/fullname', value: 'Half' },
      { op: 'test', path: '/name', value: 'other' },
    ]);
    expect(half.status).toBe(409);
    const readOnly = await service.call('PATCH', path, [
      { op: 'replace', path: '/organization_id', value: 'org_x' },
    ]);
    expect(readOnly.status).toBe(400);
    const kept = await service.call('GET', path);
    expect(kept.result).toMatchObject({ fullname: 'patched' });
  });
});

describe('deleting an account', () => {
  it('"deletes its Integrations and Credentials; tokens scoped to the Account are not revoked, remain listed"', async () => {
    const made = await service.call('POST', '/v1/accounts', {
      token: { name: 'survivor', permission_set: 'account-manager' },
    });
    const { account, token } = made.result as never as { account: Account; token: Pair };
    const credential = await service.call('POST', `/v1/credentials/${account.id}`, {
      config: { type: 'token', secret: 's' },
    });
    const integration = await service.call('POST', `/v1/integrations/${account.id}`, {
      name: 'goes-too',
      provider_config: { type: 'ticketing_mock_ticketing' },
    });
    expect([credential.status, integration.status]).toEqual([200, 200]);

    const deleted = await service.call('DELETE', `/v1/accounts/${account.id}`);
    expect(deleted.status).toBe(204);
    const lookup = `/v1/credentials/lookup/${String(credential.result['id'])}`;
    expect((await service.call('GET', lookup)).status).toBe(404);
    expect((await service.call('GET', `/v1/accounts/${account.id}`)).status).toBe(404);
    const left = await service.call('GET', '/v1/integrations?filter=name%5Beq%5Dgoes-too');
    expect(left.result).toEqual([]);
    const tokens = await service.call('GET', '/v1/tokens?limit=100');
    expect((tokens.result as never as Pair[]).map(({ id }) => id)).toContain(token.id);
    const alive = await service.call('GET', '/v1/accounts', undefined, token.primary.access.secret);
    expect([alive.status, alive.result]).toEqual([200, []]);
  });
});
