import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Webhook {
  id: string;
  name: string;
  credential_id: string;
  filters: string[];
}

const path = '/v1/organization/webhooks';
const secret = 'signing-secret-of-the-webhook';
let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
});

async function create(body: object = {}): Promise<Webhook> {
  const { status, message, result } = await service.call('POST', path, {
    filters: ['account_create', 'integration_delete'],
    url: 'https://hooks.example.com/onefold',
    secret: { value: secret },
    ...body,
  });
  expect([status, message]).toEqual([200, '']);
  return result as unknown as Webhook;
}

describe('organization webhooks', () => {
  it('are created, found by id and name, changed, listed and deleted', async () => {
    const webhook = await create({ fullname: 'Change Feed', environment: 'test' });
    expect(webhook).toMatchObject({ name: 'change-feed', environment: 'test' });
    for (const key of [webhook.id, webhook.name])
      expect((await service.call('GET', `${path}/${key}`)).result).toEqual(webhook);
    const put = await service.call('PUT', `${path}/${webhook.id}`, {
      ...webhook,
      filters: ['all'],
    });
    expect(put.result).toMatchObject({ id: webhook.id, filters: ['all'] });
    const patched = await service.call('PATCH', `${path}/${webhook.id}`, [
      { op: 'replace', path: '/url', value: 'https://elsewhere.example.com/' },
    ]);
    expect(patched.result).toMatchObject({ url: 'https://elsewhere.example.com/' });
    const listed = await service.call('GET', `${path}?filter=environment[eq]test`);
    expect((listed.result as unknown as Webhook[]).map(({ id }) => id)).toEqual([webhook.id]);
    expect((await service.call('DELETE', `${path}/${webhook.id}`)).status).toBe(204);
    expect((await service.call('GET', `${path}/${webhook.id}`)).status).toBe(404);
  });

  it('keep their secret as a credential of theirs, which no answer shows and which goes with them', async () => {
    const webhook = await create({ secret: { value: secret, expires: '2090-01-01T00:00:00Z' } });
    const owned = await service.call('GET', `/v1/credentials/${webhook.id}`);
    expect(owned.result).toMatchObject([
      {
        id: webhook.credential_id,
        owner_type: 'organization_webhook',
        organization_webhook_id: webhook.id,
        config: { type: 'secret' },
        managed: 'Managed',
        expires: '2090-01-01T00:00:00.000Z',
      },
    ]);
    expect(JSON.stringify([webhook, owned])).not.toContain(secret);
    await service.call('DELETE', `${path}/${webhook.id}`);
    const lookup = `/v1/credentials/lookup/${webhook.credential_id}`;
    expect((await service.call('GET', lookup)).status).toBe(404);
  });

  it('change their secret by a further credential of theirs; the one in use stays', async () => {
    const webhook = await create();
    const made = await service.call('POST', `/v1/credentials/${webhook.id}`, {
      name: 'next',
      owner_type: 'organization_webhook',
      config: { type: 'secret', secret: 'another' },
    });
    expect([made.status, made.message]).toEqual([200, '']);
    const replace = (value: unknown) =>
      service.call('PATCH', `${path}/${webhook.id}`, [
        { op: 'replace', path: '/credential_id', value },
      ]);
    expect((await replace('next')).result).toMatchObject({ credential_id: made.result['id'] });
    const used = await service.call('DELETE', `/v1/credentials/${webhook.id}/next`);
    expect([used.status, used.message]).toEqual([409, expect.stringContaining(webhook.name)]);
    const old = `/v1/credentials/${webhook.id}/${webhook.credential_id}`;
    expect((await service.call('DELETE', old)).status).toBe(204);
    const stranger = await create();
    const refused = await replace(stranger.credential_id);
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining('/credential_id'),
    ]);
    await service.call('POST', `/v1/credentials/${webhook.id}`, {
      name: 'basic',
      config: { type: 'basic', username: 'u', secret: 's' },
    });
    expect((await replace('basic')).message).toContain('basic, not secret');
  });

  it.each([
    ['ftp://example.com/', 'must be an https or http'],
    ['hooks.example.com', 'not a valid URL'],
    ['https://user:password@example.com/', 'user or password'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'at most 2048'],
  ])('are not for %s', async (url, reason) => {
    const refused = await service.call('POST', path, {
      filters: ['all'],
      url,
      secret: { value: secret },
    });
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('refuse a secret that is empty or too long, and an unknown event', async () => {
    const url = 'https://example.com/';
    for (const value of ['', 'a'.repeat(1_025)]) {
      const body = { filters: ['all'], url, secret: { value } };
      const refused = await service.call('POST', path, body);
      expect([refused.status, refused.message]).toEqual([
        400,
        expect.stringContaining('/secret/value'),
      ]);
    }
    const body = { filters: ['account_renamed'], url, secret: { value: secret } };
    expect((await service.call('POST', path, body)).status).toBe(400);
  });

  it('are refused to a token that is limited to an account', async () => {
    const webhook = await create();
    const { result } = await service.call('POST', '/v1/accounts', {
      token: { permission_set: 'administrator' },
    });
    const token = (result as unknown as { token: { primary: { access: { secret: string } } } })
      .token.primary.access.secret;
    expect((await service.call('DELETE', `${path}/${webhook.id}`, undefined, token)).status).toBe(
      403,
    );
    const credentials = `/v1/credentials/${webhook.id}`;
    expect((await service.call('GET', credentials, undefined, token)).status).toBe(404);
  });
});
