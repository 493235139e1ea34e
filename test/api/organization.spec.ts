import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

const path = '/v1/organization';
const read = async () => (await service.call('GET', path)).result;
const patch = (...operations: object[]) => service.call('PATCH', path, operations);

describe('the organization', () => {
  it('is the one of the token', async () => {
    const other = await service.organization('other');
    expect(await read()).toMatchObject({ id: service.administrator.organizationId, name: 'acme' });
    const theirs = await service.call('GET', path, undefined, other.access);
    expect(theirs.result).toMatchObject({ id: other.organizationId, name: 'other' });
  });

  it('is replaced by PUT, which leaves out what the body leaves out', async () => {
    const before = await read();
    const body = { ...before, fullname: 'Acme Works', contact: 'ops@example.com' };
    const put = await service.call('PUT', path, body);
    expect([put.status, put.message]).toEqual([200, '']);
    expect(await read()).toMatchObject({ fullname: 'Acme Works', contact: 'ops@example.com' });
    await service.call('PUT', path, before);
    expect(await read()).not.toHaveProperty('contact');
  });

  it('keeps its id, and takes no name of another organization', async () => {
    const other = await service.organization('taken');
    const body = { ...(await read()), id: other.organizationId };
    expect((await service.call('PUT', path, body)).status).toBe(400);
    const named = await patch({ op: 'replace', path: '/name', value: 'taken' });
    expect([named.status, named.message]).toEqual([409, expect.stringContaining('"taken"')]);
    expect(await read()).toMatchObject({ name: 'acme' });
  });

  it.each([
    ['a duration that is none', { invite_duration: 'soon' }, /invite_duration/],
    ['too short passwords', { minimum_password_length: 7 }, /minimum_password_length/],
    ['too long passwords', { minimum_password_length: 73 }, /minimum_password_length/],
  ])('refuses %s', async (_what, options, message) => {
    const refused = await patch({ op: 'add', path: '/options', value: options });
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await read()).not.toHaveProperty('options');
  });

  it.each([
    ['/id', 'org_other'],
    ['/organization_type', 'root'],
    ['/state', 'disabled'],
    ['/end_date', '2030-01-01'],
    ['/refresh_token_id', 'tok_other'],
  ])('lets no client write %s', async (pointer, value) => {
    const before = await read();
    const refused = await patch({ op: 'add', path: pointer, value });
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining(pointer.slice(1)),
    ]);
    expect(await read()).toEqual(before);
  });
});
