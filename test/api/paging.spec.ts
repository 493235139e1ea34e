import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Operation, operations } from '#contract';
import { sampleBody } from '../bodies/sample.js';
import { send } from '../isolation/requests.js';
import { customProvider } from '../isolation/world.js';
import { type Service, startService } from './service.js';

interface Row {
  id: string;
  name: string;
  created_at: string;
}

let service: Service;
let accountId: string;
let integrationId: string;
let webhookId: string;

beforeAll(async () => {
  service = await startService(10, undefined, 1);
  const { result } = await service.call('POST', '/v1/accounts', { name: 'zz-the-account' });
  accountId = (result['account'] as unknown as { id: string }).id;
  const made = await service.call('POST', `/v1/integrations/${accountId}`, {
    provider_config: { type: 'ticketing_mock_ticketing' },
  });
  integrationId = (made.result['integration'] as unknown as { id: string }).id;
  const webhook = await service.call('POST', '/v1/organization/webhooks', {
    filters: ['all'],
    url: 'https://hooks.example.com/a',
    secret: { value: 'a secret of some length' },
  });
  webhookId = webhook.result['id'] as unknown as string;
});
afterAll(() => service.stop());

/** Every list whose pages start after a row, with the function that creates rows of it. */
const lists = [...operations.values()].flatMap((list) => {
  const create = [...operations.values()].find(
    ({ path, creates, side }) => path === list.path && creates && side === 'management',
  );
  const pages = list.method === 'GET' && list.state === 'served' && 'start_after' in list.query;
  const isNamed = create?.id !== 'operations_create_job'; // Names of jobs are made, and the spec orders by name.
  return create && pages && isNamed ? [[list.id, list, create] as const] : [];
});

const orders = [[], ['name'], ['name[desc]'], ['created_at[desc]'], ['created_at', 'name[desc]']];
const path = () => ({ accountId, ownerId: accountId, integrationId, webhookId });

/** Creates a row with this name, so that its place in the list is known. */
async function make(create: Operation, name: string): Promise<void> {
  const minimalBody = sampleBody(create) as object;
  const body: Record<string, unknown> = { ...minimalBody, name, fullname: name };
  if (create.id === 'members_create') body['name'] = `${name}@example.com`;
  if (create.id === 'customs_create') body['data'] = customProvider(name.replaceAll('-', '_'));
  if (create.id === 'tokens_create_token') body['resources'] = { accounts: { ids: ['*'] } };
  if (create.id === 'credentials_create') body['config'] = { type: 'token', secret: 's' };
  const { status, text } = await send(
    service,
    create,
    { path: path(), body },
    service.administrator.access,
  );
  if (status !== 200) throw new Error(`${create.id} answered ${status}: ${text}`);
}

async function page(list: Operation, query: Record<string, string | string[]>): Promise<Row[]> {
  const { status, text, result } = await send(
    service,
    list,
    { path: path(), query },
    service.administrator.access,
  );
  if (status !== 200) throw new Error(`${list.id} answered ${status}: ${text}`);
  return result as Row[];
}

let made = 0;
/** An unused name, which sorts by its first letter. */
const nameOf = (letter: string) => `${letter}-${(made += 1)}`;
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxy');

describe('the pages of', () => {
  it('all lists of records that are made over the API are looked at', () => {
    expect(lists.map(([id]) => id)).toEqual(
      expect.arrayContaining(['accounts_list', 'bridges_list', 'customs_list', 'tokens_list']),
    );
  });

  it.each(lists)(
    '%s hold every row that was there exactly once, and none twice, while others are made',
    async (_id, list, create) => {
      for (const one of 'adhmtx') await make(create, nameOf(one));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...orders),
          fc.integer({ min: 1, max: 4 }),
          fc.infiniteStream(letter),
          async (order, limit, letters) => {
            const there = await page(list, { limit: '1000' });
            const seen: Row[] = [];
            let beside = 0;
            for (let startAfter: string | undefined; ; startAfter = seen.at(-1)?.name) {
              const query = { limit: String(limit), order };
              const [rows] = await Promise.all([
                page(list, { ...query, ...(startAfter ? { start_after: startAfter } : {}) }),
                beside++ < 8 && make(create, nameOf(String(letters.next().value))),
              ]);
              if (rows.length === 0) break;
              seen.push(...rows);
              if (seen.length > 500) throw new Error('the pages have no end');
            }
            const ids = seen.map(({ id }) => id);
            expect(new Set(ids).size).toBe(ids.length);
            for (const { id } of there) expect(ids).toContain(id);
          },
        ),
        { numRuns: 6 },
      );
    },
  );
});

describe('"limit: page size" of 0', () => {
  const limited = [...operations.values()].filter(
    ({ side, method, state, query }) =>
      side === 'management' && method === 'GET' && state === 'served' && 'limit' in query,
  );

  it.each(limited.map((list) => [list.id, list] as const))('%s has no row', async (_id, list) => {
    expect(await page(list, { limit: '0' })).toEqual([]);
  });

  it('still counts', async () => {
    const list = operations.get('accounts_list') as Operation;
    const { text } = await send(
      service,
      list,
      { path: {}, query: { limit: '0', total: 'true' } },
      service.administrator.access,
    );
    const { result, total } = JSON.parse(text) as { result: Row[]; total: number };
    expect(result).toEqual([]);
    expect(total).toBeGreaterThan(0);
  });
});
