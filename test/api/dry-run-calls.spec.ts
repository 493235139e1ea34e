import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../e2e/client.js';
import { type Service, startService } from './service.js';

interface DryRun {
  dry_run: {
    requests: {
      step: string;
      method?: string;
      url?: string;
      headers?: Record<string, string>;
      body?: unknown;
      needs?: string[];
      note?: string;
    }[];
  };
  messages?: { problems: { message: string }[] };
}

let service: Service;
let api: Client;
let accountId: string;

beforeAll(async () => {
  service = await startService();
  api = new Client(service.url, service.administrator.access);
  accountId = (await api.call('accounts_create', { body: { name: 'dry' } })).result.account.id;
}, 120_000);
afterAll(() => service.stop());

async function connect(provider_config: object): Promise<Client> {
  const body = { provider_config: provider_config as never };
  const { result } = await api.call('integrations_create', { path: { accountId }, body });
  return api.as(result.token.access.secret);
}

const dry = { dry_run: true };

describe('a dry run of a write', () => {
  it('has the request that the provider would get, its credential masked', async () => {
    const jira = await connect({ type: 'ticketing_jira_mock' });
    const before = await jira.call('ticketing_query_tickets', { query: { limit: 1_000 } });
    const { status, headers, body } = await jira.send<DryRun>('ticketing_create_ticket', {
      query: dry,
      body: { name: 'Only tried', project: 'ITS', priority: 'HIGH', contact: 'nobody@example.com' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/vnd.onefold.dry-run+json');
    const request = body.dry_run.requests.find(({ method }) => method === 'POST');
    expect(request?.url).toMatch(/^https:\/\/.+\/rest\/api\/3\/issue$/);
    expect(request?.headers?.['authorization']).toBe('Basic [secret]');
    expect(JSON.stringify(request?.body)).toContain('Only tried');
    expect(JSON.stringify(body.messages)).toContain('contact');
    const after = await jira.call('ticketing_query_tickets', { query: { limit: 1_000 } });
    expect(after.result).toEqual(before.result);
  });

  it('reads the record of a patch, and does not write it', async () => {
    const jira = await connect({ type: 'ticketing_jira_mock' });
    const [ticket] = (await jira.call('ticketing_query_tickets', { query: { limit: 1 } })).result;
    const path = { ticketId: ticket?.id ?? '' };
    const { body } = await jira.send<DryRun>('ticketing_patch_ticket', {
      path,
      query: dry,
      body: [{ op: 'replace', path: '/name', value: 'Renamed' }],
    });
    expect(body.dry_run.requests[0]).toMatchObject({ method: 'PUT' });
    expect(JSON.stringify(body.dry_run.requests[0]?.body)).toContain('Renamed');
    expect((await jira.call('ticketing_get_ticket', { path })).result.name).toBe(ticket?.name);
    const refused = await jira.refuse('ticketing_patch_ticket', 404, {
      path: { ticketId: 'NONE-1' },
      query: dry,
      body: [{ op: 'replace', path: '/name', value: 'Renamed' }],
    });
    expect(refused.status).toBe(404);
  });

  it('says which steps need an answer that there is not', async () => {
    const tenable = await connect({ type: 'assets_tenable_cloud_mock' });
    const devices = [{ mac_address: '3C-22-FB-DA-A6-6C', properties: { never_seen: 'x' } }];
    const { body } = await tenable.send<DryRun>('assets_update_device_properties', {
      query: dry,
      body: { devices },
    });
    const needing = body.dry_run.requests.filter(({ needs }) => needs !== undefined);
    expect(needing.length).toBeGreaterThan(0);
    for (const { needs = [], url } of needing) {
      expect(url).toBeUndefined();
      for (const step of needs)
        expect(body.dry_run.requests.map((one) => one.step)).toContain(step);
    }
  });

  it('names a file, and does not send it', async () => {
    const storage = await connect({ type: 'storage_mock_storage', bucket: 'dry' });
    const url = `${storage.address('storage_upload_file', { path: { path: 'a.txt' } })}?dry_run=true`;
    const { status, body, text } = await storage.fetch<DryRun>('storage_upload_file', url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'the content',
    });
    expect([status, text]).toEqual([200, text]);
    expect(body.dry_run.requests.length).toBeGreaterThan(0);
    expect(text).not.toContain('the content');
  });

  it('leaves an idempotency key free', async () => {
    const jira = await connect({ type: 'ticketing_jira_mock' });
    const parts = {
      body: { name: 'Once', project: 'ITS' },
      headers: { 'idempotency-key': 'dry-1' },
    };
    await jira.send('ticketing_create_ticket', { ...parts, query: dry });
    const made = await jira.call('ticketing_create_ticket', parts);
    expect(made.result.name).toBe('Once');
  });

  it('is refused where it would not be heeded', async () => {
    const jira = await connect({ type: 'ticketing_jira_mock' });
    const body = { operation: 'ticketing_query_tickets', input: {} };
    const problem = await jira.refuse('operations_create', 400, { query: dry, body });
    expect(JSON.stringify(problem)).toContain('dry_run');
    const own = await connect({ type: 'ticketing_mock_ticketing' });
    await own.refuse('ticketing_create_ticket', 501, { query: dry, body: { name: 'x' } });
  });
});
