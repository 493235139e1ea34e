import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from '../api/service.js';

let service: Service;
/** Record of each side of the API: its path, and a token that may patch it. */
const targets: { side: string; path: string; token: string }[] = [];

beforeAll(async () => {
  service = await startService();
  const { result: made } = await service.call<{ account: { id: string } }>('POST', '/v1/accounts', {
    labels: ['emea', 'vip'],
  });
  const integration = await service.call<{ token: { access: { secret: string } } }>(
    'POST',
    `/v1/integrations/${made.account.id}`,
    { provider_config: { type: 'ticketing_mock_ticketing' } },
  );
  const token = integration.result.token.access.secret;
  const list = '/v1/ticketing/tickets';
  const { result } = await service.call<{ id: string }[]>('GET', list, undefined, token);
  targets.push(
    {
      side: 'management',
      path: `/v1/accounts/${made.account.id}`,
      token: service.administrator.access,
    },
    { side: 'connector', path: `${list}/${result[0]?.id}`, token },
  );
});
afterAll(() => service.stop());

const patch = ({ path, token }: (typeof targets)[number], body: unknown) =>
  service.call('PATCH', path, body, token);

describe.each([0, 1])('a hostile patch of side %s', (side) => {
  const target = () => targets[side] as (typeof targets)[number];

  it.each([
    '/hasOwnProperty/call',
    '/toString/x',
    '/constructor/prototype/x',
    '/__proto__/x',
    '/labels/constructor/x',
    '/tags/push/call',
    '/labels/length',
    '/tags/length',
    '/labels/01',
    '/fullname/0',
    '~',
    'fullname',
    '/~2',
  ])('%s is a 400 that names the place, whatever the operation', async (path) => {
    for (const operation of [
      { op: 'add', path, value: 4_000_000_000 },
      { op: 'replace', path, value: 1 },
      { op: 'remove', path },
      { op: 'copy', from: '/name', path },
      { op: 'move', from: '/name', path },
    ]) {
      const { status, message } = await patch(target(), [operation]);
      expect([operation, status, message]).toEqual([
        operation,
        400,
        expect.stringContaining('body /0/path'),
      ]);
    }
    expect(({} as { toString: Record<string, unknown> }).toString['x']).toBeUndefined();
    expect((await service.call('GET', '/v1/accounts')).status).toBe(200);
  });

  it('copies that make the record grow without end are refused', async () => {
    const start = { op: 'add', path: '/labels', value: ['a', 'b', 'c'] };
    const into = Array.from({ length: 60 }, () => ({
      op: 'copy',
      from: '/labels',
      path: '/labels/-',
    }));
    const double = Array.from({ length: 26 }, (_, index) => ({
      op: 'copy',
      from: '',
      path: `/copy${index}`,
    }));
    expect((await patch(target(), [start, ...into])).status).toBe(400);
    expect((await patch(target(), double)).status).toBe(400);
  });

  it('a read-only field is not moved away', async () => {
    const { status, message } = await patch(target(), [{ op: 'move', from: '/id', path: '/name' }]);
    expect([status, message]).toEqual([400, expect.stringContaining('body /0/from')]);
  });
});
