import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { conformance } from './conformance.js';
import { ProviderFolder } from './folders.js';
import { record } from './record.js';
import { scaffold } from './scaffold.js';

const secret = 'live-secret-4711';
const weak = 'weak-secret-4712';

/** A live service that repeats the secret, its own address and the name of a customer. */
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
  '429': { status: 429, headers: { retry-after: '900' } }
calls:
  - { operation: ticketing_list_projects }
  - { operation: ticketing_list_projects, case: pages, page_size: 1, query: { limit: 1 } }
`;

describe('the kit, on a provider that was written with it', () => {
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
    await scaffold('desk', 'ticketing', pathToFileURL(`${path}/`));
    folder = at('desk');
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
    expect(folder.list('fixtures')).toHaveLength(11);
    for (const text of all)
      expect(text).not.toMatch(/live-secret|weak-secret|not-the-secret|127\.0\.0\.1|cookie|Acme/);
    const works = folder.read('fixtures/ticketing_list_projects.works.yaml');
    expect(works).toContain('url: https://desk.example/projects?offset=0&limit=2');
    expect(works).toContain('message: you are [secret]');
    expect(works).toContain('name: Example');
  });

  it('finds nothing wrong with what it has recorded', async () => {
    for (const { run } of conformance(folder)) expect(await run()).toEqual([]);
  });

  it.each([
    ['another mapping', 'mappings/project.yaml', /this\.name/, 'this.name.uppercase()', 'it gives'],
    [
      'another call',
      'provider.yaml',
      /path: \/projects\n {8}query/,
      'path: /project\n        query',
      'not recorded like that',
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
      'it gives {"status":429',
    ],
    [
      'a failure that means another',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 403, status: 404 }]\n$1',
      'for a 403 it is 502',
    ],
    [
      'a failure that nobody has seen',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 418, status: 400 }]\n$1',
      'errors.0: no fixture meets it',
    ],
    [
      'a verification that does not name the permission',
      'provider.yaml',
      /(verify:)/,
      'errors: [{ when: this.status == 403, status: 409 }]\n$1',
      'the status is 409, not 400 or 502',
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
    const faults: string[] = [];
    for (const { run } of conformance(changed)) faults.push(...(await run()));
    expect(faults.join('\n')).toContain(fault);
  });

  it('names the fixture that is missing', async () => {
    const changed = at('missing');
    cpSync(folder.path, changed.path, { recursive: true });
    rmSync(new URL('fixtures/ticketing_list_projects.403.yaml', changed.url));
    const [first] = conformance(changed);
    expect(await first?.run()).toEqual([
      'libs/providers/missing/fixtures/ticketing_list_projects.403.yaml: there is none',
    ]);
  });
});
