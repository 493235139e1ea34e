import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#test/harness';
import { Client } from '../e2e/client.js';
import { dumpDatabase } from '../e2e/dump-database.js';
import { type Service, startService } from './service.js';

const secret = 'the-secret-of-the-desk';
const planted = 'planted in a body';
const document = (title: string, more = '') => `
provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Tests
configuration: { properties: { url: { type: string } }, required: [url] }
credentials: { credential: { token: { send: query, name: key, value: this.credential.secret } } }
http: { base_url: this.config.url, message: this.body.error }
operations:
  ticketing_get_ticket:
    steps: [{ name: call, path: '/tickets/{this.path.ticketId}' }${more}]
    record: >-
      {"id": this.steps.call.id, "name": ${title}, "summary": "", "created_at": "2026-11-28T10:00:00Z",
      "updated_at": "2026-11-28T10:00:00Z"}
  ticketing_create_ticket:
    steps: [{ method: POST, path: /tickets, body: root = this.body }]
    record: >-
      {"id": this.steps.call.id, "name": this.steps.call.title, "summary": this.steps.call.said,
      "created_at": "2026-11-28T10:00:00Z", "updated_at": "2026-11-28T10:00:00Z"}
`;
const mapping = (...lines: string[]) =>
  `engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n${lines.map((line) => `    ${line}\n`).join('')}`;

/** Bodies of calls in the request log, and their replay. */
describe('recorded bodies', () => {
  let service: Service;
  let server: Server;
  let api: Client;
  let viewer: Client;
  let database: pg.Client;
  let accountId: string;
  let integrationId: string;
  let desk: Client;
  let asked = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        asked += 1;
        const { pathname, searchParams } = new URL(request.url ?? '', 'http://desk');
        const said = await text(request);
        const key = searchParams.get('key');
        response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'seen=1' });
        response.end(JSON.stringify({ id: pathname, title: `${planted} ${key}`, said }));
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    service = await startService();
    database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    api = new Client(service.url, service.administrator.access);
    const { result } = await api.call('tokens_create_token', {
      body: { permission_set: 'viewer', resources: { organizations: { ids: ['*'] } } },
    });
    viewer = api.as((result as { primary: { access: { secret: string } } }).primary.access.secret);
    accountId = (await api.call('accounts_create', { body: { name: 'log' } })).result.account.id;
    await api.call('customs_create', {
      body: { name: 'desk', data: document('this.steps.call.title') },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ({ integrationId, desk } = await integrate({
      type: 'ticketing_desk',
      url,
      credential: { type: 'token', secret },
    }));
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
  const switchOn = (id = integrationId, hours = 1) =>
    api.call('requests_record_bodies', {
      path: { accountId, integrationId: id },
      body: { hours },
    });
  const switchOff = (id = integrationId) =>
    api.call('requests_stop_recording', { path: { accountId, integrationId: id } });
  const logged = (requestId: string, client = api) =>
    eventually(async () => (await client.call('requests_get', { path: { requestId } })).result);
  const recorded = (requestId: string) =>
    eventually(async () => {
      const record = await logged(requestId);
      expect(record.bodies).toBeDefined();
      return record;
    });
  /** Calls the desk. @returns the id of the request */
  async function get(ticketId: string, client = desk): Promise<string> {
    const { status, headers } = await client.send('ticketing_get_ticket', { path: { ticketId } });
    expect(status).toBe(200);
    return headers.get('x-request-id') ?? '';
  }

  it('are switched on for hours, by those who may, which is in the audit trail', async () => {
    const path = { accountId, integrationId };
    for (const client of [viewer, api])
      expect((await client.call('requests_get_recording', { path })).result).toEqual({
        active: false,
      });
    for (const hours of [0, 25, 1.5])
      await api.refuse('requests_record_bodies', 400, { path, body: { hours } });
    await viewer.refuse('requests_record_bodies', 403, { path, body: { hours: 1 } });
    await viewer.refuse('requests_stop_recording', 403, { path });
    const before = Date.now();
    const { result } = await switchOn(integrationId, 24);
    expect(result).toMatchObject({ active: true, token_id: service.administrator.tokenId });
    const until = Date.parse(result.until ?? '');
    expect(until - before).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(until - before).toBeLessThan(24 * 3_600_000 + 60_000);
    expect((await viewer.call('requests_get_recording', { path })).result).toEqual(result);
    const trail = await api.call('audit_list', { query: { limit: 500 } });
    expect(JSON.stringify(trail)).toContain('requests_record_bodies');
    await switchOff();
    expect((await api.call('requests_get_recording', { path })).result).toEqual({ active: false });
  });

  it('are in the record of a call, without secrets, for those who may read them alone', async () => {
    const before = await get('before');
    await switchOn();
    const { headers } = await desk.send('ticketing_create_ticket', {
      body: { name: `${planted} ${secret}`, summary: '' },
    });
    const { bodies, id } = await recorded(headers.get('x-request-id') ?? '');
    expect(bodies?.request?.text).toBe(
      JSON.stringify({ name: `${planted} [secret]`, summary: '' }),
    );
    expect(bodies?.response?.text).toContain(planted);
    expect(bodies?.exchanges).toMatchObject([
      {
        method: 'POST',
        url: expect.stringMatching(/\/tickets\?key=\[secret\]$/),
        request: { text: expect.stringContaining(planted), omitted: 0 },
        status: 200,
        response_headers: { 'set-cookie': '[secret]', 'content-type': 'application/json' },
        response: { text: expect.stringContaining(`${planted} [secret]`), omitted: 0 },
      },
    ]);
    expect(JSON.stringify(bodies)).not.toContain(secret);
    expect((await logged(id, viewer)).bodies).toBeUndefined();
    expect((await logged(before)).bodies).toBeUndefined();
    const { result } = await api.call('requests_list', { query: {} });
    expect(result.length).toBeGreaterThan(1);
    expect(JSON.stringify(result)).not.toContain('"bodies"');
  });

  it('are sealed in the database, and in no other row', async () => {
    await switchOn();
    await recorded(await get('sealed'));
    const rows = await dumpDatabase(service.databaseUrl);
    expect(rows.filter((row) => row.startsWith('request_bodies')).length).toBeGreaterThan(0);
    expect(rows.filter((row) => row.includes(planted) || row.includes(secret))).toEqual([]);
  });

  it('end with their window, and are deleted behind it', async () => {
    await switchOn();
    const record = await recorded(await get('ends'));
    await database.query(
      `update integrations set recording = jsonb_set(recording, '{until}', to_jsonb(now() - interval '1 s')) where id = $1`,
      [integrationId],
    );
    await database.query(`update request_bodies set expires_at = now() - interval '1 s'`);
    expect((await logged(record.id)).bodies).toBeUndefined();
    // Connectors know integrations for a second.
    await new Promise((over) => setTimeout(over, 1_100));
    await logged(await get('late'));
    await service.store.prune();
    const { rows } = await database.query('select from request_bodies');
    expect(rows).toEqual([]);
  });

  it('are deleted when they are switched off, and no call that begins later has some', async () => {
    await switchOn();
    const record = await recorded(await get('on'));
    await switchOff();
    const after = await get('off');
    expect((await logged(record.id)).bodies).toBeUndefined();
    expect((await logged(after)).bodies).toBeUndefined();
    const sealed = {
      id: 'req_late',
      sealed: 'x',
      organization_id: '',
      integration_id: integrationId,
    };
    await service.store.addRequestBodies([
      { ...sealed, organization_id: service.administrator.organizationId },
    ]);
    expect((await database.query('select from request_bodies')).rows).toEqual([]);
  });

  it('are those of the last hundred calls of an integration', async () => {
    await switchOn();
    const made = (index: number) => ({
      id: `req_${String(index).padStart(4, '0')}`,
      organization_id: service.administrator.organizationId,
      integration_id: integrationId,
      sealed: 'sealed',
    });
    for (const from of [0, 60])
      await service.store.addRequestBodies(
        Array.from({ length: 60 }, (_, index) => made(from + index)),
      );
    const { rows } = await database.query<{ id: string }>(
      'select id from request_bodies order by id',
    );
    expect([rows.length, rows[0]?.id]).toEqual([100, 'req_0020']);
    await switchOff();
  });

  describe('a replay', () => {
    const replay = (requestId: string, body: object) =>
      api.call('requests_replay', { path: { requestId }, body });
    let requestId: string;

    beforeAll(async () => {
      await switchOn();
      requestId = await get('7');
      await recorded(requestId);
    });

    it('runs the recorded answers through other mappings, offline, and tells the difference', async () => {
      const before = asked;
      const documents = { draft: mapping('root = this', 'root.name = this.name.uppercase()') };
      const { result } = await replay(requestId, { mappings: ['default:0', 'draft'], documents });
      expect(asked).toBe(before);
      expect(result.stored).toMatchObject({
        status: 200,
        body: { result: { id: '/tickets/7', name: `${planted} [secret]` } },
        requests: [{ method: 'GET', url: expect.stringContaining('/tickets/7?key=') }],
      });
      expect(result.difference).toEqual([
        {
          op: 'replace',
          path: '/body/result/name',
          value: `${planted} [secret]`.toUpperCase(),
        },
      ]);
      const { result: same } = await replay(requestId, { mappings: ['default:0'] });
      expect(same.difference).toEqual([]);
      expect(JSON.stringify([result, same])).not.toContain(secret);
    });

    it('runs them through another document, and names a request that was not recorded', async () => {
      const { result } = await replay(requestId, {
        provider_document: document('"other"'),
      });
      expect(result.difference).toEqual([
        { op: 'replace', path: '/body/result/name', value: 'other' },
      ]);
      const before = asked;
      const more = document('"other"', ', { name: more, path: /more }');
      const refused = await api.refuse('requests_replay', 409, {
        path: { requestId },
        body: { provider_document: more },
      });
      expect(refused.message).toMatch(
        /^GET http:\/\/127.0.0.1:\d+\/more\?key=\S+ was not recorded$/,
      );
      expect(refused.type).toBe('urn:onefold:problem:not-replayable');
      expect(asked).toBe(before);
    });

    it('shows what a create would send, and the failure of a mapping', async () => {
      const { headers } = await desk.send('ticketing_create_ticket', {
        body: { name: 'new', summary: '' },
      });
      const id = headers.get('x-request-id') ?? '';
      await recorded(id);
      const failing = { draft: mapping('root = throw("no")') };
      const body = { mappings: ['draft'], documents: failing };
      expect((await replay(id, body)).result.given.status).toBe(502);
      const draft = { draft: mapping('root = this', 'root.name = "draft"') };
      const { result } = await replay(id, { mappings: ['draft'], documents: draft });
      expect(result.difference).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ path: '/requests/0/body/text', op: 'replace' }),
        ]),
      );
      expect(result.given.requests[0]?.body?.text).toBe('{"name":"draft","summary":""}');
    });

    it('is refused without bodies, without something to run, and for what does not compile', async () => {
      const path = { requestId };
      const refusals: [object, RegExp][] = [
        [{}, /neither mappings nor provider_document/],
        [{ mappings: ['nowhere'] }, /mappings\/0: is not a mapping/],
        [{ documents: { a: '' } }, /documents: is used by no mappings/],
        [{ mappings: ['a'], documents: { a: mapping('root = (') } }, /documents\/a: line 6/],
        [{ provider_document: 'provider: x' }, /provider_document/],
        [
          { provider_document: document('1').replace('ticketing_desk', 'ticketing_other') },
          /describes ticketing_other/,
        ],
      ];
      for (const [body, place] of refusals)
        expect((await api.refuse('requests_replay', 400, { path, body })).message).toMatch(place);
      const body = { mappings: ['default:0'] };
      await api.refuse('requests_replay', 404, { path: { requestId: 'nowhere' }, body });
      await viewer.refuse('requests_replay', 403, { path, body });
      await switchOff();
      const refused = await api.refuse('requests_replay', 409, { path, body });
      expect(refused.message).toBe('the call has no recorded bodies');
    });

    it('does not ask a mock, and refuses records that are in Onefold', async () => {
      const jira = await integrate({ type: 'ticketing_jira_mock' });
      await switchOn(jira.integrationId);
      const page = await jira.desk.send<{ result: { id: string }[] }>('ticketing_query_tickets', {
        query: { limit: 3 },
      });
      const { id } = await recorded(page.headers.get('x-request-id') ?? '');
      const [{ id: ticketId = '' } = {}] = page.body.result;
      const changed = await jira.desk.send('ticketing_patch_ticket', {
        path: { ticketId },
        body: [{ op: 'replace', path: '/name', value: 'changed' }],
      });
      expect(changed.status).toBe(200);
      const documents = { draft: mapping('root.id = this.id') };
      const { result } = await replay(id, { mappings: ['default:0', 'draft'], documents });
      expect(result.stored.body).toMatchObject({ result: page.body.result });
      expect(result.difference.length).toBeGreaterThan(3);
      const own = await integrate({ type: 'ticketing_mock_ticketing' });
      await switchOn(own.integrationId);
      const made = await own.desk.send('ticketing_create_ticket', {
        body: { name: 'a', summary: '' },
      });
      const record = await recorded(made.headers.get('x-request-id') ?? '');
      const refused = await api.refuse('requests_replay', 409, {
        path: { requestId: record.id },
        body: { mappings: ['default:0'] },
      });
      expect(refused.message).toContain('its records are in Onefold');
    });
  });
});
