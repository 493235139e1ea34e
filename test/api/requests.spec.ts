import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createIds } from '#config';
import { kinds, type LoggedRequest } from '#store';
import { eventually } from '#test/harness';
import { Client } from '../e2e/client.js';
import { type Service, startService } from './service.js';

const secret = 'the-secret-of-the-desk';
const planted = 'planted in a body';
const document = `
provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Tests
configuration: { properties: { url: { type: string } }, required: [url] }
credentials: { credential: { token: { send: query, name: key, value: this.credential.secret } } }
http: { base_url: this.config.url, message: this.body.error }
operations:
  ticketing_get_ticket:
    steps: [{ path: '/tickets/{this.path.ticketId}' }]
    record: this.steps.call
  ticketing_create_ticket:
    steps: [{ method: POST, path: /tickets, body: root = this.body }]
    record: this.steps.call
`;

/** Calls of the connector API in the request log. */
describe('the request log', () => {
  let service: Service;
  let server: Server;
  let api: Client;
  let database: pg.Client;
  let accountId: string;
  let integrationId: string;
  let desk: Client;

  beforeAll(async () => {
    // Refuses with everything that it was sent.
    server = createServer((request, response) => {
      void (async () => {
        const error = `refused ${request.url ?? ''} ${await text(request)}`;
        response.writeHead(422, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error }));
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    service = await startService();
    database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    api = new Client(service.url, service.administrator.access);
    accountId = (await api.call('accounts_create', { body: { name: 'log' } })).result.account.id;
    await api.call('customs_create', { body: { name: 'desk', data: document } });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { type: 'ticketing_desk', url, credential: { type: 'token', secret } };
    ({ integrationId, desk } = await integrate(config));
  }, 120_000);
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await database.end();
    await service.stop();
  });

  async function integrate(config: object): Promise<{ integrationId: string; desk: Client }> {
    const body = { provider_config: config as never };
    const { result } = await api.call('integrations_create', { path: { accountId }, body });
    return { integrationId: result.integration.id, desk: api.as(result.token.access.secret) };
  }
  const requestOf = (headers: Headers) => ({ requestId: headers.get('x-request-id') ?? '' });
  const logged = (path: { requestId: string }) =>
    eventually(async () => (await api.call('requests_get', { path })).result);

  it('finds a call by the request id of its answer, with what the provider was asked', async () => {
    const jira = await integrate({ type: 'ticketing_jira_mock' });
    // One that failed, because only some of the others are kept.
    const { status, headers, body } = await jira.desk.send('ticketing_get_ticket', {
      path: { ticketId: 'NONE-1' },
    });
    expect(status).toBe(404);
    const record = await logged(requestOf(headers));
    expect(record).toMatchObject({
      account_id: accountId,
      integration_id: jira.integrationId,
      operation: 'ticketing_get_ticket',
      provider: 'ticketing_jira_mock',
      status: 404,
      dry_run: false,
      mapping_chain: ['default:0'],
      omitted_exchanges: 0,
      problem: { type: 'urn:onefold:problem:not-found' },
    });
    expect(record.problem?.message).toBe((body as { message?: string }).message);
    expect(record.exchanges[0]).toMatchObject({
      method: 'GET',
      path: expect.stringMatching(/^\/rest\/api\/3\/issue\/NONE-1$/),
      status: 404,
    });
    expect(record.exchanges[0]?.bytes).toBeGreaterThan(0);
    expect(record.duration).toBeGreaterThanOrEqual(record.exchanges[0]?.duration ?? Infinity);
    expect((await api.call('requests_get', { path: { requestId: record.id } })).result).toEqual(
      record,
    );
  });

  it('has no secret, and no text of a body, whatever the provider repeats', async () => {
    const { headers, status } = await desk.send('ticketing_create_ticket', {
      body: { name: planted, summary: planted },
    });
    expect(status).toBeGreaterThanOrEqual(400);
    const record = await logged(requestOf(headers));
    expect(record.status).toBe(status);
    expect(record.problem?.message).toBeUndefined();
    expect(record.exchanges.map(({ status: of }) => of)).toEqual([422]);
    expect(record.exchanges[0]?.path).toBe('/tickets');
    const { rows } = await database.query<{ row: string }>(
      'select r::text as row from request_records r',
    );
    const leaks = rows.filter(({ row }) => row.includes(planted) || row.includes(secret));
    expect([rows.length > 0, leaks]).toEqual([true, []]);
  });

  it('lists calls, newest first, by time, account, integration, operation and status', async () => {
    const before = new Date(Date.now() - 1).toISOString();
    for (const ticketId of ['1', '2'])
      await desk.send('ticketing_get_ticket', { path: { ticketId } });
    const filters = [
      `created_at[gte]${before}`,
      `account_id[eq]${accountId}`,
      `integration_id[eq]${integrationId}`,
      'operation[eq]ticketing_get_ticket',
      'status[gte]400',
    ];
    const list = async (query: object) => (await api.call('requests_list', { query })).result;
    const found = await eventually(async () => {
      const rows = await list({ filter: filters });
      expect(rows.map(({ exchanges }) => exchanges[0]?.path)).toEqual(['/tickets/2', '/tickets/1']);
      return rows;
    });
    const next = await list({ filter: filters, limit: 1, start_after: found[0]?.id });
    expect(next).toEqual(found.slice(1));
    expect(await list({ filter: filters, order: 'created_at[asc]' })).toEqual(found.toReversed());
    expect(await list({ filter: ['status[lt]400', `integration_id[eq]${integrationId}`] })).toEqual(
      [],
    );
    const refused = await api.refuse('requests_list', 400, { query: { order: 'status' } });
    expect(refused.message).toContain('is not created_at[asc] or created_at[desc]');
  });

  it('shows the calls of its accounts to a token that is limited to them, and no others', async () => {
    const { headers } = await desk.send('ticketing_get_ticket', { path: { ticketId: '3' } });
    const path = requestOf(headers);
    await logged(path);
    const limitedTo = async (id: string) => {
      const { result } = await api.call('tokens_create_token', {
        body: { permission_set: 'viewer', resources: { accounts: { ids: [id] } } },
      });
      return api.as(result.primary.access.secret);
    };
    const { account } = (await api.call('accounts_create', { body: { name: 'other' } })).result;
    const [owner, stranger] = [await limitedTo(accountId), await limitedTo(account.id)];
    expect((await owner.call('requests_get', { path })).result.account_id).toBe(accountId);
    expect((await owner.call('requests_list', {})).result.length).toBeGreaterThan(0);
    await stranger.refuse('requests_get', 404, { path });
    expect((await stranger.call('requests_list', {})).result).toEqual([]);
  });

  it('answers 404 for a request that it has not', async () => {
    for (const requestId of ['nothing', createIds().next(kinds.requestRecords)])
      await api.refuse('requests_get', 404, { path: { requestId } });
  });

  it('keeps the last 50 of those that are not kept anyway, and nothing of a deleted integration', async () => {
    const other = await integrate({ type: 'ticketing_mock_ticketing' });
    const at = (index: number) => Date.now() - 100_000 + index * 10;
    const made = (index: number, recent: boolean): LoggedRequest => ({
      id: createIds({ now: () => at(index) }).next(kinds.requestRecords),
      organization_id: service.administrator.organizationId,
      account_id: accountId,
      integration_id: other.integrationId,
      request_id: `call-${index}`,
      operation: 'ticketing_query_tickets',
      dry_run: false,
      status: 200,
      duration: 1,
      in_bytes: 0,
      out_bytes: 0,
      mappings: [],
      exchanges: [],
      omitted_exchanges: 0,
      recent,
      created_at: new Date(at(index)),
    });
    const batch = [made(0, false), ...Array.from({ length: 60 }, (_, one) => made(one + 1, true))];
    for (let again = 0; again < 2; again += 1) await service.store.addRequests(batch);
    const query = { filter: [`integration_id[eq]${other.integrationId}`], limit: 500 };
    const { result } = await api.call('requests_list', { query });
    expect(result.map(({ request_id: id }) => id)).toEqual([
      ...Array.from({ length: 50 }, (_, one) => `call-${60 - one}`),
      'call-0',
    ]);
    const path = { accountId, integrationId: other.integrationId };
    await api.call('integrations_delete', { path });
    await service.store.addRequests([made(61, false)]);
    expect((await api.call('requests_list', { query })).result).toEqual([]);
  });
});
