import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialKinds } from '#provider-document';
import { conformance } from './conformance.js';
import { refusalsOf } from './fixture.js';
import type { ProviderFolder } from './folders.js';
import { record } from './record.js';
import { type RecordedFolder, recordedFolder } from './recorded-folder.fixture.js';

const secret = 'live/secret+4711~é';
const accessToken = 'access.token-4712';
const signature = 'signed/by+4713';

interface Asked {
  request: IncomingMessage;
  url: URL;
}

interface Kind {
  kind: (typeof credentialKinds)[number];
  /** The document's way of sending it. */
  sends: string;
  fields: Record<string, unknown>;
  takes: (asked: Asked) => boolean | Promise<boolean>;
}

const basic = `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`;
const clientFields = {
  client_id: 'client-of-ann',
  client_secret: secret,
  extra: { audience: 'https://things.live', tenant: 'tenant-of-ann' },
};
const bearer = ({ request }: Asked) => request.headers.authorization === `Bearer ${accessToken}`;
const kinds: Record<string, Kind> = {
  'name and password': {
    kind: 'basic',
    sends: '{ send: basic }',
    fields: { username: 'ann', secret },
    takes: ({ request }) => request.headers.authorization === basic,
  },
  'a key as a user name': {
    kind: 'token',
    sends: `{ send: basic, username: this.credential.secret, password: '"x"' }`,
    fields: { secret },
    takes: ({ request }) =>
      request.headers.authorization === `Basic ${Buffer.from(`${secret}:x`).toString('base64')}`,
  },
  'a separate header': {
    kind: 'token',
    sends: '{ send: header, name: x-key, value: this.credential.secret.encode("base64") }',
    fields: { secret },
    takes: ({ request }) => request.headers['x-key'] === Buffer.from(secret).toString('base64'),
  },
  'a query parameter': {
    kind: 'secret',
    sends: '{ send: query, name: key, value: this.credential.secret }',
    fields: { secret },
    takes: ({ url }) => url.searchParams.get('key') === secret,
  },
  'client credentials in a header': {
    kind: 'o_auth_client',
    sends: '{ send: client_credentials, token_url: this.config.url + "/token" }',
    fields: clientFields,
    takes: bearer,
  },
  'client credentials in a body': {
    kind: 'o_auth_client',
    sends:
      '{ send: client_credentials, client: body, token_url: this.credential.token_url, scope: \'"all"\', parameters: root.audience = this.credential.extra.audience }',
    fields: clientFields,
    takes: bearer,
  },
  'a signature of AWS': {
    kind: 'aws',
    sends: `{ send: sigv4, service: execute-api, region: '"eu-west-1"' }`,
    fields: { access_key_id: 'AKIALIVE4711', secret_access_key: secret, session: 'session-4714' },
    takes: async ({ request, url }) => {
      const { authorization = '', ...headers } = request.headers as Record<string, string>;
      const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
      const signed = await new AwsV4Signer({
        method: request.method ?? '',
        url: url.href,
        headers: Object.fromEntries(
          names
            .filter((name) => name !== 'host' && name !== 'x-amz-date')
            .map((name) => [name, headers[name] ?? '']),
        ),
        accessKeyId: 'AKIALIVE4711',
        secretAccessKey: secret,
        service: 'execute-api',
        region: 'eu-west-1',
        datetime: headers['x-amz-date'] ?? '',
      }).sign();
      return signed.headers.get('authorization') === authorization;
    },
  },
};

/** Repeats everything that it receives, and issues secrets: of a session, and of an address. */
class LiveService {
  private readonly server: Server;
  readonly tokenRequests: string[] = [];
  sessions = 0;

  constructor(private readonly takes: Kind['takes']) {
    this.server = createServer((request, response) => {
      void this.answer(request).then(([status, body]) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(status === 429 ? { 'retry-after': '900' } : {}),
          link: `<${this.url}/projects?page=2&sig=${encodeURIComponent(signature)}>; rel="next"`,
        });
        response.end(JSON.stringify(body));
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage): Promise<[status: number, body: object]> {
    const url = new URL(request.url ?? '', this.url);
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await text(request));
      this.tokenRequests.push(form.toString());
      const sent = request.headers.authorization?.replace('Basic ', '') ?? '';
      const pair = Buffer.from(sent, 'base64').toString().split(':').map(decodeURIComponent);
      const isKnown = [form.get('client_secret'), pair[1]].includes(secret);
      return isKnown
        ? [200, { access_token: accessToken, token_type: 'Bearer', expires_in: 3600 }]
        : [401, { error: 'invalid_client' }];
    }
    const echo = { ...request.headers, address: url.href };
    if (!(await this.takes({ request, url }))) return [401, { message: 'who are you?', echo }];
    const session = `session of "ann" ${(this.sessions += 1)}`;
    if (url.pathname === '/session')
      return [200, { session_token: session, file: `${this.url}/f?sig=${signature}`, echo }];
    if (url.searchParams.get('s') !== `session of "ann" ${this.sessions - 1}`)
      return [400, { message: 'another session', echo }];
    return [200, { rows: [{ id: '1', name: 'One' }], echo }];
  }
}

describe.each(Object.entries(kinds))('a provider that takes %s', (name, kind) => {
  let made: RecordedFolder;
  let folder: ProviderFolder;
  let live: LiveService;

  beforeAll(async () => {
    made = recordedFolder(
      `${kind.kind}: ${kind.sends}`,
      `    steps:
      - { name: session, path: /session }
      - { name: projects, path: /projects, query: root.s = this.steps.session.session_token }
    rows: this.steps.projects.rows
`,
    );
    folder = made.folder;
    live = new LiveService(kind.takes);
    await live.start();
    const address = kind.fields['extra'] ? { token_url: `${live.url}/token` } : {};
    const problems = await record(
      folder,
      {
        configuration: {
          type: 'ticketing_desk',
          url: live.url,
          credential: { type: kind.kind, ...kind.fields, ...address },
        },
      },
      () => undefined,
    );
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await live.stop();
    made.remove();
  });

  it('is recorded, with its response to a wrong secret', () => {
    expect(folder.read('fixtures/ticketing_list_projects.yaml')).toContain('name: One');
    expect(refusalsOf(folder)?.refusals[401]).toMatchObject({
      response: { status: 401 },
      words: 'who are you?',
    });
  });

  it('leaves no secret, token or address in a fixture', () => {
    const files = folder.list('fixtures').map((file) => folder.read(`fixtures/${file}`));
    for (const file of files) {
      expect(file).not.toMatch(
        /live.{1,3}secret|4711|access.token|471[234]|session of|127\.0\.0\.1/,
      );
      expect(file).not.toMatch(/ann\b|grant_type|not-the-secret|Signature=[0-9a-f]/);
      expect(file).not.toContain(Buffer.from(secret).toString('base64').slice(4, 16));
      expect(file).not.toContain(basic.slice(-8));
    }
    expect(files.join('\n')).toMatch(/given-token-1/);
  });

  it('requests a token if the document says so, and does not record it', () => {
    expect(live.tokenRequests.length > 0).toBe(kind.kind === 'o_auth_client');
    expect(
      folder
        .list('fixtures')
        .map((file) => folder.read(`fixtures/${file}`))
        .join('\n'),
    ).not.toMatch(/ url: .*\/token/);
  });

  it('is replayed, and shows no secret', async () => {
    for (const { name: check, run } of conformance(folder))
      expect([check, await run()]).toEqual([check, []]);
  });
});

it('every kind of credential that requests carry is tested here', () => {
  // A client certificate is part of the connection, and in no request that could be recorded. The kit assumes no roles.
  const sent = credentialKinds.filter((kind) => !['tls_certificate', 'aws_role'].includes(kind));
  expect(new Set(Object.values(kinds).map(({ kind }) => kind))).toEqual(new Set(sent));
});
