import { beforeAll, describe, expect, it } from '@jest/globals';
import { createOnefold, type Onefold as OnefoldClient } from '@onefold/client';
import { sharedOnefold } from './onefold.js';

let onefold: OnefoldClient;
let as: (token: string) => OnefoldClient;
let accountId: string;

beforeAll(async () => {
  const { api } = await sharedOnefold();
  const token = api.headers['authorization']?.replace('Bearer ', '') ?? '';
  as = (other) => createOnefold({ url: api.url, token: other });
  onefold = as(token);
  const { result } = await onefold.accounts.create({ body: { name: 'client' } });
  accountId = result.account.id;
}, 300_000);

async function connect(type: string, more: object = {}): Promise<OnefoldClient> {
  const { result } = await onefold.integrations.create({
    accountId,
    body: { provider_config: { type, dataset: 'basic_v0', ...more } as never },
  });
  return as(result.token.access.secret);
}

describe('the client, with the service', () => {
  it('reads, writes and goes over the pages of a domain', async () => {
    const { ticketing } = await connect('ticketing_mock_ticketing');
    const pages: number[] = [];
    for await (const { result } of ticketing.queryTickets({ limit: 5 }).pages())
      pages.push(result.length);
    expect(pages.slice(0, -1).every((length) => length === 5)).toBe(true);
    const all = await ticketing.queryTickets().toArray();
    expect(all).toHaveLength(pages.reduce((sum, length) => sum + length, 0));
    const { result: made } = await ticketing.createTicket({
      body: { name: 'From a program', project: 'ITS', priority: 'HIGH' },
    });
    await ticketing.patchTicket({
      ticketId: made.id,
      body: [{ op: 'replace', path: '/priority', value: 'LOW' }],
    });
    const { result: read } = await ticketing.getTicket({ ticketId: made.id });
    expect(read).toMatchObject({ name: 'From a program', priority: 'LOW' });
    await expect(ticketing.getTicket({ ticketId: 'T-none' })).rejects.toMatchObject({
      status: 404,
      operation: 'ticketing_get_ticket',
      requestId: expect.any(String) as unknown,
    });
  });

  it('uploads, lists and downloads files', async () => {
    const { storage } = await connect('storage_mock_storage', { bucket: 'client' });
    const body = new TextEncoder().encode('0123456789');
    await storage.uploadFile({ path: 'from client/a b.txt', body });
    const file = await storage.downloadFile({ path: 'from client/a b.txt' });
    expect(await file.text()).toBe('0123456789');
    const form = new FormData();
    form.set('file', new Blob(['by form']), 'x');
    await storage.uploadFile({ path: 'from client/form.txt', body: form });
    const names = await storage.listFiles({ path: 'from client' }).toArray();
    expect(names).toHaveLength(2);
  });

  it('goes over every list of the management API, by pages of one and of a hundred', async () => {
    for (const name of ['a', 'b', 'c'])
      await onefold.accounts.create({ body: { name: `client-${name}` } });
    for (const _ of [1, 2]) await connect('ticketing_mock_ticketing');
    const lists = {
      accounts: (limit: number) => onefold.accounts.list({ limit }),
      integrations: (limit: number) => onefold.integrations.list({ limit }),
      integrationsOfAccount: (limit: number) =>
        onefold.integrations.listAccount({ accountId, limit }),
      status: (limit: number) => onefold.status.list({ limit }),
      tokens: (limit: number) => onefold.tokens.list({ limit }),
      roles: (limit: number) => onefold.roles.list({ limit }),
      mappings: (limit: number) => onefold.mappings.list({ limit }),
      members: (limit: number) => onefold.members.list({ limit }),
      credentials: (limit: number) => onefold.credentials.listAll({ limit }),
      integrationPoints: (limit: number) => onefold.integrationPoints.list({ limit }),
    };
    const found: Record<string, number> = {};
    for (const [name, list] of Object.entries(lists)) {
      const whole = await list(100).toArray(2_000);
      expect([name, await list(1).toArray(2_000)]).toEqual([name, whole]);
      found[name] = whole.length;
    }
    expect(found['accounts']).toBeGreaterThan(3);
    expect(found['integrations']).toBeGreaterThan(1);
    expect(found['status']).toBeGreaterThan(1);
  }, 120_000);
});
