import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, importJWK, jwtVerify } from 'jose';
import pg from 'pg';
import { type Service, startService } from './service.js';

interface Bridge {
  id: string;
  name: string;
}

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

async function account(): Promise<string> {
  const { result } = await service.call('POST', '/v1/accounts', {});
  return (result['account'] as unknown as { id: string }).id;
}

async function create(accountId: string, body: object = {}) {
  const { status, message, result } = await service.call('POST', `/v1/bridges/${accountId}`, body);
  expect([status, message]).toEqual([200, '']);
  return result as unknown as { bridge: Bridge; credential: string };
}

async function publicKey(id: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ public_key: Record<string, unknown> }>(
      'select public_key from bridges where id = $1',
      [id],
    );
    return rows[0]?.public_key;
  } finally {
    await client.end();
  }
}

describe('bridge groups', () => {
  it('are created, found by id and name, changed, listed and deleted', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId, { fullname: 'Plant North', labels: ['ot', 'ot'] });
    expect(bridge).toMatchObject({ name: 'plant-north', labels: ['ot'] });
    const path = `/v1/bridges/${accountId}`;
    for (const key of [bridge.id, bridge.name])
      expect((await service.call('GET', `${path}/${key}`)).result).toEqual(bridge);
    const put = await service.call('PUT', `${path}/${bridge.id}`, { ...bridge, description: 'N' });
    expect(put.result).toMatchObject({ description: 'N', labels: ['ot'] });
    const patched = await service.call('PATCH', `${path}/${bridge.id}`, [
      { op: 'remove', path: '/labels' },
    ]);
    expect(patched.result).not.toHaveProperty('labels');
    const listed = await service.call('GET', `${path}?filter=description[eq]N`);
    expect((listed.result as unknown as Bridge[]).map(({ id }) => id)).toEqual([bridge.id]);
    expect((await service.call('DELETE', `${path}/${bridge.id}`)).status).toBe(204);
    expect((await service.call('GET', `${path}/${bridge.id}`)).status).toBe(404);
  });

  it('come with a JWT that only the stored key verifies, and that no other answer shows', async () => {
    const accountId = await account();
    const [made, other] = [await create(accountId), await create(accountId)];
    const { bridge, credential } = made;
    expect(decodeJwt(credential)).toMatchObject({
      iss: 'onefold',
      sub: bridge.id,
      account_id: accountId,
      organization_id: service.administrator.organizationId,
    });
    const key = await publicKey(bridge.id);
    expect(key).not.toHaveProperty('d'); // The private key.
    await jwtVerify(credential, await importJWK(key ?? {}), { issuer: 'onefold' });
    const otherKey = await importJWK((await publicKey(other.bridge.id)) ?? {});
    await expect(jwtVerify(credential, otherKey)).rejects.toThrow('signature');
    const read = await service.call('GET', `/v1/bridges/${accountId}/${bridge.id}`);
    expect(JSON.stringify(read)).not.toContain(credential.split('.')[2]);
  });

  it('"Deleting a Bridge Group also deletes its tokens and credentials": its key is gone with it', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId);
    await service.call('DELETE', `/v1/bridges/${accountId}/${bridge.id}`);
    expect(await publicKey(bridge.id)).toBeUndefined();
  });

  it('report no running agent', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId);
    const path = `/v1/bridges/${accountId}`;
    expect((await service.call('GET', `${path}/${bridge.id}/status`)).result).toEqual([]);
    expect((await service.call('GET', `${path}/nobody/status`)).status).toBe(404);
  });

  it('belong to one account: its neighbour does not read them, and they go with it', async () => {
    const [mine, neighbour] = [await account(), await account()];
    const { bridge } = await create(mine, { name: 'shared-name' });
    await create(neighbour, { name: 'shared-name' });
    expect((await service.call('GET', `/v1/bridges/${neighbour}/${bridge.id}`)).status).toBe(404);
    await service.call('DELETE', `/v1/accounts/${mine}`);
    expect(await publicKey(bridge.id)).toBeUndefined();
  });

  it('are selected by integrations of their account, by id, name or labels, and not deleted then', async () => {
    const [mine, neighbour] = [await account(), await account()];
    const { bridge } = await create(mine, { labels: ['plant'] });
    const path = `/v1/integrations/${mine}`;
    const body = { provider_config: { type: 'ticketing_mock_ticketing' } };
    const selecting = (value: unknown, type = 'id') => ({
      ...body,
      bridge_selector: { type, value },
    });
    const refused = {
      status: 400,
      message: expect.stringContaining('/bridge_selector/value') as unknown,
    };
    const { bridge: other } = await create(neighbour);
    for (const value of ['nobody', other.id])
      expect(await service.call('POST', path, selecting(value))).toMatchObject(refused);
    expect(await service.call('POST', path, selecting([], 'labels'))).toMatchObject(refused);
    const verified = { integration: selecting('nobody') };
    expect((await service.call('POST', `${path}/verify`, verified)).status).toBe(400);
    const { result } = await service.call('POST', path, selecting(bridge.name));
    const { id, ...made } = result['integration'] as unknown as Record<string, unknown>;
    expect(made['bridge_selector']).toEqual({ type: 'id', value: bridge.id });
    const used = await service.call('DELETE', `/v1/bridges/${mine}/${bridge.id}`);
    expect(used).toMatchObject({
      status: 409,
      message: expect.stringContaining(String(made['name'])) as unknown,
    });
    const later = { op: 'replace', path: '/bridge_selector/value', value: ['later'] };
    const patch = [{ op: 'replace', path: '/bridge_selector/type', value: 'labels' }, later];
    expect((await service.call('PATCH', `${path}/${String(id)}`, patch)).status).toBe(200);
    expect((await service.call('DELETE', `/v1/bridges/${mine}/${bridge.id}`)).status).toBe(204);
  });

  async function selecting(accountId: string, name: string, selector: object): Promise<string> {
    const body = { name, provider_config: { type: 'ticketing_mock_ticketing' } };
    const { status, result } = await service.call('POST', `/v1/integrations/${accountId}`, {
      ...body,
      bridge_selector: selector,
    });
    expect(status).toBe(200);
    return (result['integration'] as unknown as { id: string }).id;
  }
  const byLabels = (...value: string[]) => ({ type: 'labels', value });

  it('are replaced while integrations select them by their labels', async () => {
    const accountId = await account();
    const labels = ['plant', 'north'];
    const { bridge: old } = await create(accountId, { name: 'plant-north', labels });
    const id = await selecting(accountId, 'of-the-north', byLabels('plant', 'north'));
    const path = `/v1/bridges/${accountId}/plant-north`;
    expect((await service.call('DELETE', path)).status).toBe(204);
    const { bridge } = await create(accountId, { name: 'plant-north', labels });
    expect(bridge.id).not.toBe(old.id);
    // The integration goes on with the new group, and can be changed in between.
    const rename = [{ op: 'replace', path: '/fullname', value: 'Renamed' }];
    const at = `/v1/integrations/${accountId}/${id}`;
    expect((await service.call('PATCH', at, rename)).status).toBe(200);
    expect((await service.call('PATCH', path, [{ op: 'remove', path: '/labels' }])).status).toBe(
      409,
    );
  });

  it('name up to ten of the integrations that need them, count the others, and are deleted with force', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId, { labels: ['plant'] });
    const path = `/v1/bridges/${accountId}/${bridge.id}`;
    const letters = 'abcdefghijkl'.split('');
    const made = [];
    await selecting(accountId, 'by-labels', byLabels('plant'));
    for (const letter of letters)
      made.push(await selecting(accountId, `needs-${letter}`, { type: 'id', value: bridge.id }));
    const first = made[0] ?? '';
    const names = letters.slice(0, 10).map((letter) => `"needs-${letter}"`);
    const message = `the bridge group is used by the integrations ${names.join(', ')} and 2 others`;
    for (const query of ['', '?force=false'])
      expect(await service.call('DELETE', `${path}${query}`)).toMatchObject({
        status: 409,
        message,
      });
    expect((await service.call('DELETE', `${path}?force=perhaps`)).status).toBe(400);
    expect((await service.call('DELETE', `${path}?force=true`)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
    // The integrations stay. They select another group before anything else of them is changed.
    const at = `/v1/integrations/${accountId}/${first}`;
    const rename = [{ op: 'replace', path: '/fullname', value: 'Renamed' }];
    expect(await service.call('PATCH', at, rename)).toMatchObject({
      status: 400,
      message: expect.stringContaining('/bridge_selector/value') as unknown,
    });
    const next = await create(accountId);
    const patch = [
      { op: 'replace', path: '/bridge_selector', value: { type: 'id', value: next.bridge.id } },
    ];
    expect((await service.call('PATCH', at, [...patch, ...rename])).status).toBe(200);
  });

  it('keep labels that integrations select as the last group that has them, unless force takes them away', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId, { labels: ['plant', 'north', 'ot'] });
    const { bridge: other } = await create(accountId, { labels: ['plant'] });
    await selecting(accountId, 'of-the-north', byLabels('plant', 'north'));
    await selecting(accountId, 'of-a-plant', byLabels('plant'));
    await selecting(accountId, 'by-its-id', { type: 'id', value: bridge.id });
    const path = `/v1/bridges/${accountId}/${bridge.id}`;
    const replace = (...labels: string[]) => [{ op: 'replace', path: '/labels', value: labels }];
    const refused = {
      status: 409,
      message: 'the bridge group is used by the integration "of-the-north"',
      remediation: expect.stringContaining('force=true') as unknown,
    };
    expect(await service.call('PATCH', path, replace('plant'))).toMatchObject(refused);
    expect(await service.call('PATCH', `${path}?force=false`, replace())).toMatchObject(refused);
    const remove = [{ op: 'remove', path: '/labels' }];
    expect(await service.call('PATCH', path, remove)).toMatchObject(refused);
    const body = { ...bridge, labels: ['north'] };
    expect(await service.call('PUT', path, body)).toMatchObject(refused);
    expect((await service.call('GET', path)).result).toMatchObject({
      labels: ['plant', 'north', 'ot'],
    });
    // Labels can go that nobody selects or that another group has, and the others once another group has them.
    expect((await service.call('PATCH', path, replace('north', 'plant'))).status).toBe(200);
    const take = `/v1/bridges/${accountId}/${other.id}`;
    expect((await service.call('PATCH', take, replace('ot'))).status).toBe(200);
    const last = await service.call('PATCH', path, replace('north'));
    expect(last).toMatchObject({
      status: 409,
      message: 'the bridge group is used by the integrations "of-a-plant", "of-the-north"',
    });
    expect((await service.call('PATCH', take, replace('plant', 'north'))).status).toBe(200);
    expect((await service.call('PUT', path, { ...bridge, labels: null })).status).toBe(200);
    expect((await service.call('PATCH', take, replace('ot'))).status).toBe(409);
    const forced = await service.call('PATCH', `${take}?force=true`, replace('ot'));
    expect([forced.status, forced.result]).toEqual([
      200,
      expect.objectContaining({ labels: ['ot'] }),
    ]);
  });

  it('of four groups with the labels one keeps them when all lose them at once', async () => {
    const accountId = await account();
    const made = [];
    for (let count = 0; count < 4; count += 1)
      made.push((await create(accountId, { labels: ['plant'] })).bridge);
    await selecting(accountId, 'of-the-plant', byLabels('plant'));
    const remove = [{ op: 'remove', path: '/labels' }];
    const changed = await Promise.all(
      made.map(({ id }) => service.call('PATCH', `/v1/bridges/${accountId}/${id}`, remove)),
    );
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
  });

  it('count integrations of domains that the token cannot access without their names', async () => {
    const accountId = await account();
    const { bridge } = await create(accountId, { labels: ['plant'] });
    await selecting(accountId, 'a-ticketing', { type: 'id', value: bridge.id });
    const limited = async (category: string) => {
      const { result } = await service.call('POST', '/v1/tokens', {
        permission_set: 'administrator',
        resources: { accounts: { ids: [accountId] }, integrations: { categories: [category] } },
      });
      const token = (result as { primary?: { access: { secret: string } } }).primary;
      return token?.access.secret ?? '';
    };
    const path = `/v1/bridges/${accountId}/${bridge.id}`;
    for (const [category, users] of [
      ['ticketing', 'the integration "a-ticketing"'],
      ['edr', '1 integration that the token cannot access'],
    ] as const)
      expect(await service.call('DELETE', path, undefined, await limited(category))).toMatchObject({
        status: 409,
        message: `the bridge group is used by ${users}`,
      });
  });
});
