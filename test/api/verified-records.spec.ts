import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './service.js';

const time = '2026-01-02T08:00:00Z';
const good = { id: '1', name: 'One', summary: 'One', created_at: time, updated_at: time };

const document = `
provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Tests
configuration:
  properties: { url: { type: string, minLength: 1 }, mode: { enum: [fast, slow] } }
  required: [url]
credentials:
  credential:
    token: { send: header, name: x-key, value: this.credential.secret }
http:
  base_url: this.config.url
  message: this.body.error
  limits: { response_bytes: 40000000 }
verify:
  - { path: /me, needs: read }
  - { path: /rights, needs: write }
operations:
  ticketing_query_tickets:
    page: { kind: offset, size: 100, count: this.body.rows.length(), total: this.body.rows.length() }
    steps: [{ path: /tickets, query: root.limit = this.page.limit }]
    rows: this.steps.call.rows
  ticketing_get_ticket:
    steps:
      - path: /tickets/{this.path.ticketId}
        checks: [{ that: this.body.rows.length() > 5, status: 404, message: '"too few: " + this.body.rows.length().string()' }]
    record: this.steps.call.rows.0
  ticketing_create_attachment:
    request: upload
    response: uploaded
    steps: [{ method: POST, path: /files, body: root = this.body }]
    record: this.steps.call
  ticketing_download_attachment:
    response: download
    steps: [{ path: '/files/{this.path.attachmentId}' }]
    record: this.steps.call
mappings:
  upload:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.name = this.file_name
        root.data = this.content
  uploaded:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = "f1"
        root.ticket_id = "1"
        root.file_name = this.name
        root.file_type = "application/octet-stream"
        root.file_size = this.size
        root.created_date = "${time}"
        root.creator = "ada"
  download:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.file_name = this.name
        root.file_type = "application/octet-stream"
        root.content = this.data
`;

/** A customer's help desk, which answers what `rows` and `refuses` say, and keeps one file. */
describe('a customer’s provider', () => {
  let service: Service;
  let server: Server;
  let account: string;
  let rows: unknown[] = [];
  let refuses: Record<string, number> = {};
  let file = { name: '', data: '' };
  const asked: string[] = [];

  beforeAll(async () => {
    service = await startService();
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { pathname: path, search } = new URL(request.url ?? '', 'http://desk');
        asked.push(`${path}${search}`);
        if (path === '/files') file = JSON.parse(body) as typeof file;
        const isKnown = request.headers['x-key'] === 'let-me-in';
        const status = isKnown ? (refuses[path] ?? 200) : 401;
        response.writeHead(status, { 'content-type': 'application/json' });
        if (status !== 200) response.end('{"error":"not for you"}');
        else if (path === '/files') response.end(`{"name":"big","size":${file.data.length}}`);
        else response.end(JSON.stringify(path.startsWith('/files/') ? file : { rows }));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const stored = await service.call('POST', '/v1/customs', { data: document });
    expect([stored.status, stored.message]).toEqual([200, '']);
    const { result } = await service.call('POST', '/v1/accounts', { name: 'desk' });
    account = (result as unknown as { account: { id: string } }).account.id;
  });
  beforeEach(() => {
    [rows, refuses] = [[good], {}];
    asked.length = 0;
  });
  afterAll(async () => {
    await service.stop();
    server.closeAllConnections();
    server.close();
  });

  const config = (more: object = {}) => ({
    type: 'ticketing_desk',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credential: { type: 'token', secret: 'let-me-in' },
    ...more,
  });
  const verify = (more: object = {}, settings: object = {}) =>
    service.call('POST', `/v1/integrations/${account}/verify`, {
      integration: { provider_config: config(settings), ...more },
    });
  const created = async () => {
    const { result } = await service.call('POST', `/v1/integrations/${account}`, {
      provider_config: config(),
    });
    return result as unknown as {
      integration: { id: string };
      token: { access: { secret: string } };
    };
  };

  // "Every record is held against the contract before it leaves: a missing `id`, `status: 5`, `created_at: null` are a 502 naming the
  // mapping and the field in the kit and in verification."
  it.each([
    ['no id', { id: undefined }, '/id'],
    ['the status 5', { status: 5 }, '/status'],
    ['no time of its creation', { created_at: null }, '/created_at'],
  ])('is verified with its records: one with %s is a 502', async (_what, change, field) => {
    rows = [good, { ...good, ...change }];
    const refused = await verify();
    expect([refused.status, refused.message]).toEqual([
      502,
      expect.stringMatching(
        new RegExp(`mapping default:0 failed.*${field} of ticketing_query_tickets`),
      ),
    ]);
    expect(asked).toEqual(['/me', '/rights', '/tickets?limit=10']);
  });

  it('is verified with the mappings that the request brings', async () => {
    expect((await verify()).status).toBe(200);
    const data =
      'engine: bloblang_direct\nversion: "1.0"\ntemplates:\n  default: |\n    root = this\n    root.status = 5\n';
    await service.call('POST', '/v1/mappings', { name: 'five', data });
    const operation_ids = ['ticketing_query_tickets'];
    const refused = await verify({
      mappings: [{ mappings: ['default:0', 'five'], operation_ids }],
    });
    expect([refused.status, refused.message]).toEqual([
      502,
      expect.stringMatching(/default:0, five:\d+ failed.*\/status of ticketing_query_tickets/),
    ]);
  });

  it('is verified without records if the provider refuses to list them, and says so', async () => {
    refuses = { '/tickets': 403 };
    const { status, ...answer } = await verify();
    expect(status).toBe(200);
    expect(JSON.stringify(answer)).toMatch(
      /no records were checked: ticketing_query_tickets failed/,
    );
  });

  it('is told all that its configuration lacks at once, and the permission of each', async () => {
    const answer = async () => {
      const response = await fetch(`${service.url}/v1/integrations/${account}/verify`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.administrator.access}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ integration: { provider_config: config() } }),
      });
      return await response.json();
    };
    expect(await answer()).toEqual({
      checks: [
        { needs: 'read', passed: true },
        { needs: 'write', passed: true },
      ],
    });
    refuses = { '/me': 403, '/rights': 403 };
    expect(await answer()).toMatchObject({
      status: 400,
      context: {
        checks: ['read', 'write'].map((needs) => ({
          needs,
          passed: false,
          message: expect.stringContaining('not for you'),
        })),
      },
    });
  });

  // "Verification of an unsaved integration does not advise to patch a credential that does not exist."
  it('is not advised to change a credential that is not stored', async () => {
    const unsaved = await verify({}, { credential: { type: 'token', secret: 'wrong-secret' } });
    expect([unsaved.status, unsaved.message]).toEqual([
      400,
      'Desk refuses its credential: not for you',
    ]);
    expect(JSON.stringify(unsaved)).toContain('Correct the credential in provider_config.');
    expect(JSON.stringify(unsaved)).not.toMatch(/crd_|PATCH/);
    const { integration } = await created();
    refuses = { '/me': 401 };
    const path = `/v1/integrations/${account}/${integration.id}/verify`;
    expect((await service.call('POST', path)).message).toMatch(/refuses the credential crd_/);
  });

  // "Failed `checks` carry `provider_details` and `raw_error`."
  it('shows the response that a check refuses', async () => {
    const { token } = await created();
    const answer = await fetch(`${service.url}/v1/ticketing/tickets/1`, {
      headers: { authorization: `Bearer ${token.access.secret}` },
    });
    expect(await answer.json()).toMatchObject({
      status: 404,
      message: 'too few: 1',
      context: {
        raw_error: expect.stringContaining('"rows":[') as unknown,
        provider_details: {
          provider: 'Desk',
          status: '200',
          request: expect.stringMatching(/^GET http:.*\/tickets\/1$/) as unknown,
        },
      },
    });
  });

  it.each([
    ['mode', 'other', 'must be one of fast, slow'],
    ['url', '', 'must not be empty'],
    ['url', 5, 'must be of type string, and is of type integer'],
  ])('is refused with %s %s in a sentence', async (name, value, message) => {
    const { status, ...problem } = await verify({}, { [name]: value });
    expect(status).toBe(400);
    expect(JSON.stringify(problem)).toContain(message);
  });

  // "base64 … attachments of 25 MB (34 MB of JSON) pass through JSON operations, larger ones get a 413 that says so."
  it('gets and gives attachments of 25 MB, and a larger one is a 413', async () => {
    const { token } = await created();
    const attachments = `${service.url}/v1/ticketing/attachments/1`;
    const headers = { authorization: `Bearer ${token.access.secret}` };
    const upload = async (bytes: number) => {
      const content = Buffer.alloc(bytes, 'large').toString('base64');
      const answer = await fetch(attachments, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ file_name: 'big', content }),
      });
      return { content, status: answer.status, shown: await answer.text() };
    };
    const { status, content } = await upload(26_214_400);
    expect(status).toBe(200);
    expect(file.data === content).toBe(true);
    const download = await fetch(`${attachments}/f1/download`, { headers });
    expect(download.status).toBe(200);
    const { result } = (await download.json()) as { result: { content: string } };
    expect(result.content === content).toBe(true);
    const larger = await upload(30_000_000);
    expect(larger.status).toBe(413);
    expect(larger.shown).toMatch(/bytes/);
    expect(file.data === content).toBe(true);
    // A file that is too large on its way back is not the caller's body: the 502 names the limit and what to do.
    file = { name: 'huge', data: 'a'.repeat(40_000_000) };
    const refused = await fetch(`${attachments}/f1/download`, { headers });
    expect([refused.status, await refused.json()]).toEqual([
      502,
      expect.objectContaining({
        message: 'Desk sends too much: the response has more than 40000000 bytes',
        remediation: expect.stringMatching(
          /limit is http\.limits\.response_bytes .* A single file has to be taken from the provider itself/,
        ) as unknown,
      }),
    ]);
  });

  // "Unknown chain operations are called operations."
  it('has no chain for an operation that does not exist', async () => {
    const chain = (id: string) => ({
      mappings: [{ mappings: ['default:0'], operation_ids: [id] }],
    });
    const near = await verify(chain('ticketing_query_ticket'));
    expect([near.status, near.message]).toEqual([
      400,
      expect.stringContaining('is not an operation of ticketing'),
    ]);
    expect(JSON.stringify(near)).toContain('Did you mean ticketing_query_tickets?');
    expect(JSON.stringify(await verify(chain('zzz')))).toContain(
      'The operations of ticketing begin with ticketing_',
    );
  });
});
