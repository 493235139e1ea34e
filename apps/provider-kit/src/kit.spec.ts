import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redactor } from '#provider-http';
import { checkFolder } from './check.js';
import { conformance } from './conformance.js';
import { writeDesk } from './desk.fixture.js';
import { writeFixture } from './fixture.js';
import { ProviderFolder } from './folders.js';
import { record } from './record.js';

const secret = 'live-secret-4711';
const weak = 'weak-secret-4712';

/** Live service that repeats the secret, its own address and the name of a customer. */
function serve(): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const token = request.headers.authorization?.replace('Bearer ', '');
    const status = token === secret ? 200 : token === weak ? 403 : 401;
    const offset = Number(url.searchParams.get('offset'));
    const rows = ['a', 'b', 'c'].map((id) => ({ id, name: 'Acme', url: `${url.origin}/${id}` }));
    const body =
      status === 200
        ? rows.slice(offset, offset + Number(url.searchParams.get('limit')))
        : undefined;
    response.writeHead(status, {
      'content-type': 'application/json',
      'set-cookie': 'session=cookie-of-somebody',
    });
    response.end(JSON.stringify({ rows: body, total: rows.length, message: `you are ${token}` }));
  });
}

const paging = `    page: { kind: offset, size: 2, count: this.body.rows.length(), total: this.body.total }
    steps:
      - name: projects
        path: /projects
        query: |
          root.offset = this.page.offset
          root.limit = this.page.limit
    rows: this.steps.projects.rows
`;
const plan = `documented:
  '429': { status: 429, headers: { retry-after: '900', content-type: application/json }, json: { message: enough } }
calls:
  - { operation: ticketing_list_projects }
  - { operation: ticketing_list_projects, case: pages, page_size: 1, query: { limit: 1 } }
`;

describe('the kit with a provider that was written with it', () => {
  let path: string;
  let server: Server;
  let folder: ProviderFolder;
  const at = (name: string) => new ProviderFolder(name, pathToFileURL(`${path}/`));
  const edit = (one: ProviderFolder, file: string, from: RegExp, to: string) => {
    const text = readFileSync(new URL(file, one.url), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(new URL(file, one.url), text.replace(from, to));
  };

  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'onefold-kit-'));
    folder = writeDesk(pathToFileURL(`${path}/`));
    edit(folder, 'provider.yaml', / {4}steps:[\s\S]*$/, paging);
    writeFileSync(new URL('fixtures/record.yaml', folder.url), plan);
    server = serve();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const problems = await record(
      folder,
      {
        configuration: { url, credential: { type: 'token', secret } },
        forbidden: { secret: weak },
        scrub: { Acme: 'Example' },
      },
      () => undefined,
    );
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await new Promise((done) => server.close(done));
    rmSync(path, { recursive: true });
  });

  it('records without secrets, addresses, cookies and names', () => {
    const all = folder.list('fixtures').map((file) => folder.read(`fixtures/${file}`));
    expect(folder.list('fixtures')).toEqual([
      'integration.yaml',
      'record.yaml',
      'refusals.yaml',
      'ticketing_list_projects.yaml',
      'verify.yaml',
    ]);
    for (const text of all)
      expect(text).not.toMatch(/live-secret|weak-secret|not-the-secret|127\.0\.0\.1|cookie|Acme/);
    const recorded = folder.read('fixtures/ticketing_list_projects.yaml');
    expect(recorded).toContain('url: https://desk.example/projects?offset=0&limit=2');
    expect(recorded).toContain('message: you are [secret]');
    expect(recorded).toContain('name: Example');
  });

  it('finds no fault in its own recording', async () => {
    const faults = await Promise.all(conformance(folder).map(({ run }) => run()));
    expect(faults.flat()).toEqual([]);
  });

  it.each([
    [
      'another mapping',
      'mappings/project.yaml',
      /this\.name/,
      'this.name.uppercase()',
      'the response is',
    ],
    [
      'another call',
      'provider.yaml',
      /path: \/projects\n {8}query/,
      'path: /project\n        query',
      'differs from the recording',
    ],
    [
      'pages that end early',
      'provider.yaml',
      /total: this.body.total/,
      'more: 1 > 2',
      'was not called',
    ],
    [
      'no second attempt',
      'provider.yaml',
      /(http:\n)/,
      '$1  retry: { attempts: 1 }\n',
      '{"status":429',
    ],
    [
      'another permission',
      'provider.yaml',
      /needs: Read\n {4}response/,
      'needs: Write\n    response',
      'it names the permission Write, recorded is Read',
    ],
    [
      'another permission of the verification',
      'provider.yaml',
      /(projects\n {4}needs:) Read/,
      '$1 Write',
      'its remediation does not name the permission "Read"',
    ],
    [
      "a message that does not read the provider's words",
      'provider.yaml',
      /message: this.body.message/,
      'message: this.body.massage',
      'the document reads "undefined" out of the response, recorded is "you are [secret]"',
    ],
    [
      'a header of the limit that the provider does not send',
      'provider.yaml',
      /(http:\n)/,
      '$1  retry: { resets: [{ header: x-reset, unit: epoch }] }\n',
      'the 429 has no header that http.retry.resets names',
    ],
    [
      'a failure with another meaning',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 403, status: 404 }]\n$1',
      'the status is 404, not 502',
    ],
    [
      'a refusal that is taken for a result',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 401, status: 400 }]\n$1',
      'the status is 400, not 502',
    ],
    [
      'a failure that occurs in no fixture',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 418, status: 400 }]\n$1',
      'errors.0: it occurs in no fixture',
    ],
    [
      'a verification that does not name the permission',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 403, status: 409 }]\n$1',
      'the status is 409, not 502',
    ],
    [
      'a list that a value which is missing costs',
      'provider.yaml',
      /rows: this.steps.projects.rows/,
      'rows: this.steps.projects.rows.filter(row -> row.url.has_prefix("http"))',
      'ticketing_list_projects: rows.*.url as absent: it costs everything: 502',
    ],
    [
      'no credential',
      'provider.yaml',
      /name: projects\n/,
      'name: projects\n        anonymous: true\n',
      'the secret was not sent',
    ],
  ])('sees %s', async (what, file, from, to, fault) => {
    const changed = at(what.replaceAll(' ', '-'));
    cpSync(folder.path, changed.path, { recursive: true });
    edit(changed, file, from, to);
    const faults = await Promise.all(conformance(changed).map(({ run }) => run()));
    expect(faults.flat().join('\n')).toContain(fault);
  });

  it('detects a secret that the provider repeats, in every kind of failure', async () => {
    const redacts = jest.spyOn(Redactor.prototype, 'text').mockImplementation((text) => text);
    try {
      const checks = conformance(folder).filter(({ name }) =>
        /a (401|403|429) of each of its|disconnects or does not respond/.test(name),
      );
      expect(checks).toHaveLength(4);
      for (const { name, run } of checks) {
        const faults = (await run()).join('\n');
        expect([name, faults]).toEqual([name, expect.stringContaining('shows the secret')]);
      }
    } finally {
      redacts.mockRestore();
    }
  });

  it.each([
    ['the case of an operation', 'ticketing_list_projects.yaml', 'the case works is missing'],
    ['a refusal', 'refusals.yaml', "403 is missing; record the provider's response that means it"],
    ['the verification', 'verify.yaml', 'verify.yaml: the case works is missing, a good'],
  ])('names %s that is missing', async (what, file, fault) => {
    const changed = at(`without-${file.replace('.yaml', '').replaceAll('_', '-')}`);
    cpSync(folder.path, changed.path, { recursive: true });
    rmSync(new URL(`fixtures/${file}`, changed.url));
    const [complete] = conformance(changed);
    const faults = [...((await complete?.run()) ?? []), ...checkFolder(changed)];
    expect([what, faults.join('\n')]).toEqual([what, expect.stringContaining(fault)]);
  });

  it('does not change a fixture if only times differ', () => {
    const file = 'fixtures/times.yaml';
    const first = { at: '2026-01-01T00:00:00.000Z', reset: '1795268115', name: 'one' };
    writeFixture(folder, file, first);
    writeFixture(folder, file, { ...first, at: '2026-02-02T10:00:00Z', reset: '1795269999' });
    expect(folder.read(file)).toContain('at: 2026-01-01T00:00:00.000Z');
    writeFixture(folder, file, { ...first, at: '2026-02-02T10:00:00Z', name: 'two' });
    expect(folder.read(file)).toContain('at: 2026-02-02T10:00:00Z');
    rmSync(new URL(file, folder.url));
  });
});
