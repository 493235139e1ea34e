import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventReceiver } from '../../libs/providers/http/receiver.fixture.js';
import { type Service, startService } from './service.js';

interface Made {
  integration: { id: string; provider_config: object };
  token: { access: { secret: string } };
}

let service: Service;
let receiver: EventReceiver;
let account: string;
beforeAll(async () => {
  service = await startService(5, undefined, 0, {
    signatureHeader: 'X-Acme-Signature',
    pathAliases: ['/v1/events/{kind}/out=/v1/{kind}/events'],
  });
  receiver = await EventReceiver.start();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  account = result.account.id;
});
beforeEach(() => {
  receiver.requests = [];
  receiver.wanted = { kind: 'none' };
  receiver.signingSecret = undefined;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const event = (uid: string) => ({
  class_name: 'Base Event',
  class_uid: 0,
  category_uid: 0,
  activity_id: 99,
  type_uid: 99,
  severity_id: 1,
  time: 1795305600000,
  message: uid,
  metadata: { version: '1.3.0', uid, product: { name: 'Scanner', vendor_name: 'Acme' } },
});
const create = (config: object) =>
  service.call<Made>('POST', `/v1/integrations/${account}`, {
    provider_config: { type: 'sink_http', url: `${receiver.url}/in`, ...config },
  });
const connect = async (config: object) => (await create(config)).result;
const send = (made: Made, events: unknown) =>
  service.call('POST', '/v1/sink/events', events, made.token.access.secret);

describe('sink_http, through the service', () => {
  // Contract: "siem/sink post: a bare JSON array of OCSF Event -> {result: [..]}"
  it('takes a bare JSON array, and posts it with stored credentials that no response shows', async () => {
    receiver.wanted = { kind: 'header', name: 'x-key', value: 'the-token' };
    receiver.signingSecret = 'the-signing-secret';
    const { result: stored } = await service.call<{ id: string }>(
      'POST',
      `/v1/credentials/${account}`,
      { fullname: 'endpoint', config: { type: 'token', secret: 'the-token' } },
    );
    const made = await connect({
      authorization: {
        type: 'token_config',
        header_name: 'X-Key',
        credential: { type: 'token_id', value: stored.id },
      },
      signing_credential: { type: 'secret', secret: 'the-signing-secret' },
    });
    expect(JSON.stringify(made.integration)).not.toMatch(/the-token|the-signing-secret/);
    const { id } = made.integration;
    await service.call('POST', `/v1/integrations/${account}/${id}/verify`);
    const answer = await send(made, [event('e-1'), event('e-2')]);
    expect(answer.result).toEqual([
      { index: 0, uid: 'e-1', stored: true, status: 202 },
      { index: 1, uid: 'e-2', stored: true, status: 202 },
    ]);
    expect(receiver.requests.at(-1)?.events).toEqual([event('e-1'), event('e-2')]);
    expect(await send(made, { events: [event('e-1')] })).toMatchObject({ status: 400 });
  });

  it('fetches the token of an OAuth client once for several requests', async () => {
    receiver.wanted = { kind: 'oauth', style: 'in_header', id: 'me', secret: 'mine', scope: 'a' };
    const made = await connect({
      authorization: {
        type: 'o_auth_client_config',
        scopes: ['a'],
        credential: {
          type: 'o_auth_client',
          client_id: 'me',
          client_secret: 'mine',
          token_url: `${receiver.url}/token`,
        },
      },
    });
    for (const uid of ['e-1', 'e-2', 'e-3'])
      expect((await send(made, [event(uid)])).result).toMatchObject([{ uid, stored: true }]);
    expect(receiver.granted).toHaveLength(1);
  });

  it.each([
    ['skip_tls_verify', { skip_tls_verify: true }],
    ['url', { url: 'ftp://x' }],
    [
      'authorization/template',
      {
        authorization: {
          type: 'token_config',
          template: 'Bearer',
          credential: { type: 'token', secret: 'a' },
        },
      },
    ],
    ['static_headers', { static_headers: { 'a b': 'c' } }],
  ])('refuses a %s that it cannot keep to', async (place, config) => {
    const refused = await create(config);
    expect([refused.status, JSON.stringify(refused)]).toEqual([
      400,
      expect.stringContaining(place),
    ]);
  });

  it('is sent the class and category of events that have 0 there', async () => {
    const made = await connect({});
    const zeros = { class_uid: 0, category_uid: 0 };
    const common = { ...event('e-1'), ...zeros };
    const named = { ...common, class_name: 'Scheduled Job Activity', type_uid: 100602 };
    const job = {
      device: { type_id: 1 },
      job: { name: 'x', file: { name: 'f', type_id: 1 } },
      activity_id: 2,
    };
    expect((await send(made, [{ ...named, ...job }, common])).status).toBe(200);
    expect(receiver.requests.at(-1)?.events).toMatchObject([
      { class_name: 'Scheduled Job Activity', class_uid: 1006, category_uid: 1 },
      { class_name: 'Base Event', class_uid: 0, category_uid: 0 },
    ]);
  });

  it('is sent the signature under the name that existing receivers read, too', async () => {
    receiver.signingSecret = 'the-signing-secret';
    const made = await connect({
      signing_credential: { type: 'secret', secret: 'the-signing-secret' },
    });
    expect((await send(made, [event('e-1')])).status).toBe(200);
    const headers = receiver.requests.at(-1)?.headers;
    expect(headers?.['x-acme-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers?.['x-acme-signature']).toBe(headers?.['x-onefold-signature']);
  });

  it('is reached by the path that existing clients know, with the rights of the token', async () => {
    const made = await connect({});
    const path = '/v1/events/sink/out';
    const token = made.token.access.secret;
    expect((await service.call('POST', path, [event('e-1')], token)).status).toBe(200);
    expect(receiver.requests.at(-1)?.events).toHaveLength(1);
    expect((await service.call('POST', path, [event('e-1')], '')).status).toBe(401);
    expect((await service.call('POST', path, [event('e-1')])).status).toBe(403);
    expect((await service.call('GET', path, undefined, token)).status).toBe(405);
  });
});
