import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

interface Item {
  webhook_url: string;
  integrator_key?: string;
}
interface Integration {
  id: string;
  webhook_config: { items: Item[] };
}

let service: Service;
let path: string;

beforeAll(async () => {
  const names = { 'intranet.example.com': '10.0.0.5' };
  service = await startService(5, undefined, 0, { names });
  const { result } = await service.call('POST', '/v1/accounts', {});
  path = `/v1/integrations/${(result['account'] as unknown as { id: string }).id}`;
});
afterAll(async () => {
  await service.stop();
});

const mask = '********';
const send = (items: Item[]) =>
  service.call('POST', path, {
    provider_config: { type: 'ticketing_mock_ticketing' },
    webhook_config: { items },
  });
async function create(items: Item[]): Promise<Integration> {
  const { status, message, result } = await send(items);
  expect([status, message]).toEqual([200, '']);
  return result['integration'] as unknown as Integration;
}
const keysOf = ({ webhook_config: config }: Integration) =>
  config.items.map((item) => item.integrator_key);
const read = async ({ id }: Integration) =>
  (await service.call('GET', `${path}/${id}`)).result as unknown as Integration;
const put = async (integration: Integration, items: Item[]) =>
  (
    await service.call('PUT', `${path}/${integration.id}`, {
      ...(await read(integration)),
      webhook_config: { items },
    })
  ).result as unknown as Integration;

const [first, second] = ['https://a.example.com/', 'https://b.example.com/'];
const given = 'a-key-of-the-caller-24-bytes';

describe('the key that signs the messages of an integration', () => {
  it('is made at random when it is absent, and shown by the answer that makes it alone', async () => {
    const one = await create([{ webhook_url: first }, { webhook_url: second }]);
    const keys = keysOf(one);
    for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
    expect(new Set(keys).size).toBe(2);
    expect(keysOf(await read(one))).toEqual([mask, mask]);
    const patched = await service.call('PATCH', `${path}/${one.id}`, [
      { op: 'replace', path: '/fullname', value: 'Desk' },
    ]);
    expect(keysOf(patched.result as unknown as Integration)).toEqual([mask, mask]);
  });

  it('is the given one, which no answer shows', async () => {
    expect(keysOf(await create([{ webhook_url: first, integrator_key: given }]))).toEqual([mask]);
  });

  it('stays when an update leaves it out, and is made for an address that is new', async () => {
    const integration = await create([{ webhook_url: first, integrator_key: given }]);
    const [kept, made] = keysOf(
      await put(integration, [{ webhook_url: first }, { webhook_url: second }]),
    );
    expect(kept).toBe(mask);
    expect(made).toMatch(/^[\w-]{43}$/);
  });

  it.each(['short', 'x'.repeat(65), mask])('is refused as %j', async (key) => {
    const { status, message } = await send([{ webhook_url: first, integrator_key: key }]);
    expect([status, message]).toEqual([400, expect.stringContaining('/items/0/integrator_key')]);
  });

  it('is not kept for an address whose name is internal', async () => {
    const { status, message } = await send([{ webhook_url: 'https://intranet.example.com/hook' }]);
    expect([status, message]).toEqual([
      400,
      expect.stringContaining('/webhook_config/items/0/webhook_url: refused to connect'),
    ]);
  });

  it('goes with an address of a webhook, of which there are not too many', async () => {
    const none = await send([{ webhook_url: 'ftp://files.example.com/' }]);
    expect([none.status, none.message]).toEqual([
      400,
      expect.stringContaining('/items/0/webhook_url'),
    ]);
    const many = Array.from({ length: 101 }, (_, index) => ({ webhook_url: `${first}${index}` }));
    const refused = await send(many);
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining('101 webhooks'),
    ]);
  });
});
