import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService(10);
});
afterAll(() => service.stop());

const times = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 8 }, (_, index) => work(index)));
const refusals = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status !== 200).map(({ message }) => message);

describe('names that nobody asked for', () => {
  it('are made for all who come with the same display name at one moment', async () => {
    const made = await times(() => service.call('POST', '/v1/accounts', { fullname: 'One Name' }));
    expect(refusals(made)).toEqual([]);
    const names = made.map(({ result }) => (result['account'] as unknown as { name: string }).name);
    expect(names.sort()).toEqual([
      'one-name',
      ...Array.from({ length: 7 }, (_, index) => `one-name-${index + 2}`),
    ]);
  });

  it('are made for the tokens of integrations that have one name in several accounts', async () => {
    const accounts = await times(() => service.call('POST', '/v1/accounts', {}));
    const ids = accounts.map(({ result }) => (result['account'] as unknown as { id: string }).id);
    const made = await times((index) =>
      service.call('POST', `/v1/integrations/${ids[index]}`, {
        name: 'desk',
        provider_config: { type: 'ticketing_mock_ticketing' },
      }),
    );
    expect(refusals(made)).toEqual([]);
  });
});

describe('a name that begins with ~', () => {
  it('finds its record in a path, as it is and percent-encoded', async () => {
    const made = await service.call('POST', '/v1/accounts', { name: '~test-account-1' });
    const { id } = made.result['account'] as unknown as { id: string };
    for (const path of ['~test-account-1', '%7Etest-account-1'])
      expect((await service.call('GET', `/v1/accounts/${path}`)).result['id']).toBe(id);
    const filter = encodeURIComponent('name[like]~test-*');
    const listed = await service.call<{ id: string }[]>('GET', `/v1/accounts?filter=${filter}`);
    expect(listed.result.map((one) => one.id)).toEqual([id]);
    expect((await service.call('DELETE', '/v1/accounts/~test-account-1')).status).toBe(204);
  });
});
