import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addProvider } from './add-provider.js';
import { type Service, startService } from './service.js';

let service: Service;
let path: string;
beforeAll(async () => {
  service = await startService();
  const { result } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {});
  path = `/v1/integrations/${result.account.id}`;
  await addProvider(service, 'siem_own', 'siem_query_events');
});
afterAll(() => service.stop());

const unserved = {
  type: 'edr_bitdefender',
  url: 'https://nowhere.example',
  credential: { type: 'token', secret: 'a' },
};
const schedule = {
  operation: 'siem_query_events',
  enabled: true,
  frequency: { type: 'periodic', value: '1d' },
};
const siem = { provider_config: { type: 'siem_own' } };
const mock = { provider_config: { type: 'ticketing_mock_ticketing' } };
const create = (body: object) => service.call<{ integration: { id: string } }>('POST', path, body);
const verify = (integration: object) => service.call('POST', `${path}/verify`, { integration });

describe('"an id that this installation does not serve is a 400 that says so and names those that it does"', () => {
  it('by create and verify', async () => {
    const refused = {
      status: 400,
      message: expect.stringContaining(
        '/provider_config/type: is not a provider that this',
      ) as unknown,
      remediation: expect.stringContaining('edr_crowdstrike') as unknown,
    };
    expect(await create({ provider_config: unserved })).toMatchObject(refused);
    expect(await verify({ provider_config: unserved })).toMatchObject({
      ...refused,
      message: expect.stringContaining('/integration/provider_config/type: is not') as unknown,
    });
    expect(await create({ provider_config: { type: 'telephone_nobody' } })).toMatchObject({
      ...refused,
      remediation: expect.stringContaining('appsec_github_mock') as unknown,
    });
  });

  it('by update and patch', async () => {
    const { result } = await create(mock);
    const one = `${path}/${result.integration.id}`;
    const { result: shown } = await service.call<object>('GET', one);
    const other = {
      type: 'ticketing_torq',
      credential: {
        type: 'o_auth_client',
        client_id: 'a',
        client_secret: 'b',
        token_url: 'https://nowhere.example/token',
      },
    };
    const refused = {
      status: 400,
      remediation: expect.stringContaining('ticketing_jira') as unknown,
    };
    const put = { ...shown, provider_config: other };
    expect(await service.call('PUT', one, put)).toMatchObject(refused);
    const patch = [{ op: 'replace', path: '/provider_config', value: other }];
    expect(await service.call('PATCH', one, patch)).toMatchObject(refused);
    expect(await service.call('POST', `${one}/verify`, put)).toMatchObject(refused);
  });

  it("names the organization's own of the same domain, and serves them", async () => {
    await addProvider(service, 'edr_own', 'edr_query_alerts');
    const { remediation } = await create({ provider_config: unserved });
    expect(remediation).toMatch(/^It serves edr_crowdstrike, .*edr_own/);
    expect((await create({ provider_config: { type: 'edr_own' } })).status).toBe(200);
  });
});

describe('"a served one without a verification says that nothing was tried"', () => {
  const nothing = (type: string) =>
    `the configuration is valid, but was not tested: ${type} has no verification`;

  it('by both ways to verify', async () => {
    expect((await verify(mock)).notes).toEqual([nothing('ticketing_mock_ticketing')]);
    const { result } = await create(mock);
    const existing = await service.call('POST', `${path}/${result.integration.id}/verify`);
    expect(existing.notes).toEqual([nothing('ticketing_mock_ticketing')]);
    const own = await verify(siem);
    const noRecords = expect.stringContaining('no records were checked: siem_query_events failed');
    expect([own.status, own.notes]).toEqual([200, [nothing('siem_own'), noRecords]]);
  });
});

describe('"whatever else is stored and not acted on: the answer says that it does not"', () => {
  const notes = ['scheduled_operations have no sink, and fail until there is one'];
  const body = {
    ...siem,
    webhook_config: { items: [{ webhook_url: 'https://hooks.example.com/a' }] },
    scheduled_operations: [schedule],
  };

  it('of an integration at create, update, patch and verify', async () => {
    const { status, result, notes: created } = await create(body);
    expect([status, created]).toEqual([200, notes]);
    const one = `${path}/${result.integration.id}`;
    const { result: shown } = await service.call<object>('GET', one);
    expect((await service.call('PUT', one, shown)).notes).toEqual(notes);
    const patch = [{ op: 'remove', path: '/scheduled_operations' }];
    expect((await service.call('PATCH', one, patch)).notes).toEqual([]);
    expect((await verify(body)).notes).toEqual([
      expect.stringContaining('not tested'),
      expect.stringContaining('no records were checked: siem_query_events failed: siem_own cannot'),
      ...notes,
    ]);
    expect((await create(mock)).notes).toEqual([]);
  });
});
