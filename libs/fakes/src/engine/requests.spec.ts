import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: acme
refuse_unknown_parameters: true
${errorsOfTests}
  bad_client: { status: 400, message: invalid client, body: 'root.errors = [{"code": this.error.values.code}]', values: { code: 17 } }
auth:
  principals: { admin: ['*'], reader: ['*:read'] }
  accepts:
    - { kind: oauth, token: POST /oauth2/token, lifetime: 60, status: 201, refused: bad_client }
    - kind: secret
      secret: this.headers.authorization.re_find_object("^SSWS (?P<t>.+)$").t
      as: '"00" + this.secret.slice(0, 20)'
    - { kind: basic }
limits:
  default: { requests: 3, seconds: 10 }
  buckets: { slow: { requests: 1, seconds: 60 } }
headers:
  X-RateLimit-Remaining: this.limit.remaining
  X-Request-Id: this.request_id
faults:
  shard: { match: /free, alter: 'root.failed = 1' }
  moved: { error: not_found }
  paused: { error: limited }
routes:
  GET /free: { access: none, limit: none, body: root.user = this.user.name }
  GET /any: { body: 'root = {"user": this.user.name}' }
  GET /secrets: { access: 'secrets:write', body: root.ok = true }
  GET /slow: { access: 'slow:read', limit: slow, body: root.ok = true }
  GET /parameters:
    access: none
    limit: none
    parameters:
      count: { type: integer, default: 5, minimum: 1, maximum: 9, clamp: true }
      state: { values: [open, closed] }
      ids: { type: list, split: ',' , max_length: 3 }
      since: { type: time }
      all: { type: boolean }
      needed: { required: true }
    body: root = this.query
  POST /body: { access: none, limit: none, parameters: { name: { in: body, required: true } }, body: root = this.body }
  POST /json: { access: none, limit: none, input: { kind: json, required: true }, body: root = this.body }
  POST /bytes: { access: none, limit: none, input: bytes, body: 'root = {"base64": this.body.encode("base64")}' }
  GET /files/{+path}: { access: none, limit: none, body: root.path = this.path.path }
  GET /files/own: { access: none, limit: none, body: root.own = true }
  GET /text: { access: none, limit: none, encoding: text, type: application/xml, body: 'root = "<a/>"' }
  GET /lines: { access: none, limit: none, encoding: ndjson, body: 'root = [{"a": 1}, {"a": 9007199254740993}]' }
  GET /broken: { access: none, limit: none, body: root = null.uppercase() }
  GET|POST /both: { access: none, limit: none, body: root = this.method }
`;

const of = (fake: TestFake, name: string) => {
  const found = fake.engine.credentials().find(({ principal }) => principal === name);
  if (found?.client === undefined || found.basic === undefined) throw new Error('no credentials');
  return { ...found, client: found.client, basic: found.basic };
};
const form = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const token = async (fake: TestFake, name: string, scope = '') => {
  const { id, secret } = of(fake, name).client;
  const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope };
  const answer = await fake.call('POST /oauth2/token', form(grant));
  expect(answer.status).toBe(201);
  return { authorization: `Bearer ${answer.body.access_token}` };
};

describe('credentials', () => {
  it('are tokens for a client id and secret, until they expire', async () => {
    const fake = new TestFake(source);
    const headers = await token(fake, 'admin');
    expect((await fake.call('GET /any', { headers })).body).toEqual({ user: 'admin' });
    fake.advance(60);
    const late = await fake.call('GET /any', { headers });
    expect(late.body.error).toBe('expired_token');
  });

  it('are the secret as the vendor writes it, or a name and a password', async () => {
    const fake = new TestFake(source);
    const { secret = '', basic } = of(fake, 'reader');
    expect(secret).toMatch(/^00[0-9a-f]{20}$/);
    const ssws = { authorization: `SSWS ${secret}` };
    expect((await fake.call('GET /any', { headers: ssws })).body).toEqual({ user: 'reader' });
    const pair = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
    const headers = { authorization: `Basic ${pair}` };
    expect((await fake.call('GET /any', { headers })).body).toEqual({ user: 'reader' });
  });

  it.each([
    ['none', {}],
    ['a wrong secret', { authorization: 'SSWS 0000000000000000000000' }],
    ['a wrong password', { authorization: `Basic ${Buffer.from('admin:x').toString('base64')}` }],
    ['a token of nobody', { authorization: 'Bearer abc.def' }],
  ])('are refused: %s', async (_title, headers) => {
    const answer = await new TestFake(source).call('GET /any', { headers });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe('unauthenticated');
  });

  it('of one integration are refused by another, also tokens', async () => {
    const [one, other] = [new TestFake(source), new TestFake(source, { key: 'other' })];
    const headers = await token(one, 'admin');
    expect((await other.call('GET /any', { headers })).status).toBe(401);
    expect(of(one, 'admin').secret).not.toBe(of(other, 'admin').secret);
  });

  it('that do not permit a route are told the scope', async () => {
    const fake = new TestFake(source);
    const headers = await token(fake, 'reader');
    const answer = await fake.call('GET /secrets', { headers });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('needs secrets:write');
    expect((await fake.call('GET /slow', { headers })).status).toBe(200);
  });

  it('may be narrowed to scopes, never widened', async () => {
    const fake = new TestFake(source);
    const narrow = await token(fake, 'admin', 'slow:read');
    expect((await fake.call('GET /secrets', { headers: narrow })).status).toBe(403);
    const wide = await token(fake, 'reader', 'secrets:write');
    expect((await fake.call('GET /secrets', { headers: wide })).status).toBe(403);
  });

  it.each([
    ['', { grant_type: 'client_credentials' }, 201],
    ['', {}, 400],
    ['', { grant_type: 'password' }, 400],
    [', grant_type: optional', {}, 201],
    [', grant_type: optional', { grant_type: 'password' }, 400],
  ])('%s with the grant type %o get %d', async (key, sent, status) => {
    const fake = new TestFake(source.replace('lifetime: 60', `lifetime: 60${key}`));
    const { id, secret } = of(fake, 'admin').client;
    const fields = { client_id: id, client_secret: secret, ...sent };
    const answer = await fake.call('POST /oauth2/token', form(fields));
    expect(answer.status).toBe(status);
  });

  it('that are wrong get no token, in the look of that error', async () => {
    const fake = new TestFake(source);
    const { id } = of(fake, 'admin').client;
    const grant = { grant_type: 'client_credentials', client_id: id, client_secret: 'wrong' };
    const answer = await fake.call('POST /oauth2/token', form(grant));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errors: [{ code: 17 }] });
  });
});

describe('a signed statement', () => {
  const signed = source.replace(/(kind: oauth,)/, '$1 grant_type: signed,');
  const ask = (key: string, exp: number) => {
    const parts = [{ alg: 'RS256' }, { iss: 'robot', exp }];
    const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const mac = sign('sha256', Buffer.from(content.join('.')), key).toString('base64url');
    return form({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: [...content, mac].join('.'),
    });
  };

  it('stands for id and secret', async () => {
    const fake = new TestFake(signed);
    const { secret } = of(fake, 'admin').client;
    const { status, body } = await fake.call('POST /oauth2/token', ask(secret, 9e9));
    expect(status).toBe(201);
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await fake.call('GET /any', { headers })).body).toEqual({ user: 'admin' });
  });

  it('has its key in the form that integrations enter', () => {
    const as = `as: '{"file": this.client_id, "key": this.secret}.format_json(no_indent: true).string()',`;
    const fake = signed
      .replace(/(grant_type: signed,)/, `$1 ${as}`)
      .replace(/ {4}- kind: secret\n(.*\n){2}/, '');
    const { secret = '', client } = of(new TestFake(fake), 'admin');
    expect(JSON.parse(secret)).toEqual({ file: client.id, key: client.secret });
  });

  it('is refused with another key, after its end, and where a secret is sent', async () => {
    const fake = new TestFake(signed);
    const { id, secret } = of(fake, 'admin').client;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const other = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    for (const request of [ask(other, 9e9), ask(secret, 1), form(grant)])
      expect((await fake.call('POST /oauth2/token', request)).status).toBe(400);
  });
});

describe('limits', () => {
  it('are counted for each principal and bucket, and end', async () => {
    const fake = new TestFake(source);
    const headers = await token(fake, 'admin');
    const remaining: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1)
      remaining.push((await fake.call('GET /any', { headers })).headers['x-ratelimit-remaining']);
    expect(remaining).toEqual(['2', '1', '0']);
    fake.advance(4);
    const limited = await fake.call('GET /any', { headers });
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe('6');
    const reader = await token(fake, 'reader');
    expect((await fake.call('GET /any', { headers: reader })).status).toBe(200);
    expect((await fake.call('GET /slow', { headers })).status).toBe(200);
    expect((await fake.call('GET /slow', { headers })).status).toBe(429);
    fake.advance(6);
    expect((await fake.call('GET /any', { headers })).status).toBe(200);
  });
});

describe('parameters', () => {
  it('have their types, defaults and bounds', async () => {
    const path = 'GET /parameters?count=12&ids=a,b&ids=c&since=2026-01-01&all=true&needed=x';
    const answer = await new TestFake(source).call(path);
    expect(answer.body).toEqual({
      count: 9,
      state: null,
      ids: ['a', 'b', 'c'],
      since: Date.UTC(2026, 0, 1),
      all: true,
      needed: 'x',
    });
  });

  it.each([
    ['', 'needed is required'],
    ['needed=x&count=many', 'count must be a whole number'],
    ['needed=x&state=ajar', 'state must be one of open, closed'],
    ['needed=x&ids=a,b,c,d', 'ids must not be longer than 3'],
    ['needed=x&since=soon', 'since must be a time'],
    ['needed=x&all=1', 'all must be true or false'],
    ['needed=x&other=1', 'other is not a parameter of this route'],
  ])('are refused: %s', async (query, message) => {
    const answer = await new TestFake(source).call(`GET /parameters?${query}`);
    expect(answer.body).toEqual({ error: 'bad_parameter', message });
  });
});

describe('bodies', () => {
  it('are read by their media type, or as the route says', async () => {
    const fake = new TestFake(source);
    expect((await fake.call('POST /body', form({ name: 'x' }))).body).toEqual({ name: 'x' });
    expect((await fake.call('POST /json', { body: '{"a": [1]}' })).body).toEqual({ a: [1] });
    // A form, if it was read by its media type.
    const bytes = { ...form({ a: 'b c' }) };
    expect((await fake.call('POST /bytes', bytes)).body).toEqual({ base64: btoa('a=b+c') });
    const boundary = '----b';
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n`;
    const multipart = await fake.call('POST /body', {
      body: `${part}--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(multipart.body).toEqual({ name: 'x' });
  });

  it.each([
    ['POST /json', '{"a": ', 'bad_body'],
    ['POST /json', '', 'bad_body'],
    ['POST /body', '{}', 'bad_parameter'],
  ])('are refused by %s: %s', async (route, body, error) => {
    const headers = { 'content-type': 'application/json' };
    expect((await new TestFake(source).call(route, { body, headers })).body.error).toBe(error);
  });
});

describe('routes', () => {
  it('prefer literals, and may take the rest of a path', async () => {
    const fake = new TestFake(source);
    expect((await fake.call('GET /files/own')).body).toEqual({ own: true });
    expect((await fake.call('GET /files/a/b%20c')).body).toEqual({ path: 'a/b c' });
    expect((await fake.call('POST /both')).body).toBe('POST');
    expect((await fake.call('GET /nothing')).body.error).toBe('no_route');
    expect((await fake.call('DELETE /both')).body.message).toBe('use GET, POST');
  });

  it('write texts and lines, and whole numbers of any size', async () => {
    const fake = new TestFake(source);
    const xml = await fake.call('GET /text');
    expect([xml.text, xml.headers['content-type']]).toEqual(['<a/>', 'application/xml']);
    expect((await fake.call('GET /lines')).text).toBe('{"a":1}\n{"a":9007199254740993}\n');
  });

  it('are kept in the log with the beginning of their bodies', async () => {
    const fake = new TestFake(source);
    await fake.call('POST /both', { body: 'x'.repeat(100_000) });
    expect(fake.engine.log.requests.at(-1)?.body).toBe('x'.repeat(65_536));
  });

  it('whose expression fails answer in a shape that no vendor has, and keep it', async () => {
    const fake = new TestFake(source);
    const answer = await fake.call('GET /broken');
    expect(answer.status).toBe(500);
    expect(answer.body.fake_violation.place).toBe('routes.GET /broken.body');
    expect(fake.engine.log.violations).toHaveLength(1);
    expect(fake.engine.log.requests.at(-1)).toMatchObject({ route: 'GET /broken', status: 500 });
    expect([...fake.engine.reached]).toEqual(['GET /broken']);
  });
});

describe('faults', () => {
  it('meet so many requests that match', async () => {
    const fake = new TestFake(source);
    fake.engine.faults.add({ kind: 'status', status: 503, times: 2, match: '/free' });
    expect((await fake.call('GET /both')).status).toBe(200);
    expect((await fake.call('GET /free')).status).toBe(503);
    expect((await fake.call('GET /free')).body).toEqual({ error: 'failure', message: 'it broke' });
    expect((await fake.call('GET /free')).status).toBe(200);
  });

  it('look like the vendor where HTTP still works', async () => {
    const fake = new TestFake(source);
    fake.engine.faults.add({ kind: 'limited', seconds: 7 });
    const limited = await fake.call('GET /free');
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '7']);
    fake.engine.faults.add({ kind: 'expired' });
    expect((await fake.call('GET /free')).body.error).toBe('expired_token');
    fake.engine.faults.add({ kind: 'shard' });
    expect((await fake.call('GET /both')).status).toBe(200);
    expect((await fake.call('GET /free')).body).toEqual({ user: null, failed: 1 });
    fake.engine.faults.add({ kind: 'moved' });
    expect((await fake.call('GET /free')).status).toBe(404);
    fake.engine.faults.add({ kind: 'paused', seconds: 60 });
    expect((await fake.call('GET /free')).headers['retry-after']).toBe('60');
    fake.engine.faults.add({ kind: 'drift', alter: 'root = this.without("user")' });
    expect((await fake.call('GET /free')).body).toEqual({});
    fake.engine.faults.add({ kind: 'drift', headers: { sunset: 'Sat, 31 Dec 2022 23:59:59 GMT' } });
    const ending = await fake.call('GET /free');
    expect([ending.status, ending.headers['sunset']]).toEqual([
      200,
      'Sat, 31 Dec 2022 23:59:59 GMT',
    ]);
    expect(() => fake.engine.faults.add({ kind: 'drift' })).toThrow(/needs "alter"/);
  });

  it('break the transport', async () => {
    const fake = new TestFake(source);
    for (const kind of ['reset', 'half', 'never']) {
      fake.engine.faults.add({ kind });
      expect((await fake.call('GET /free')).broken).toBe(kind);
    }
    fake.engine.faults.add({ kind: 'garbage' });
    expect((await fake.call('GET /free')).text).toContain('<html>');
    fake.engine.faults.add({ kind: 'redirect' });
    expect((await fake.call('GET /free')).status).toBe(302);
  });

  it('have to be known', () => {
    const { faults } = new TestFake(source).engine;
    expect(() => faults.add({ kind: 'shrad' })).toThrow(/unknown fault "shrad"; known: .*shard/);
  });
});

describe('a fake that takes parameters from forms', () => {
  const fake = new TestFake(`
fake: acme
parameters_in_forms: true
${errorsOfTests}
routes:
  GET|POST /either: { parameters: { count: { type: integer, default: 1 } }, body: root = this.query }
  POST /change: { body: 'root = {"query": this.query, "body": this.body}' }
  GET|POST /shared: { parameters: { count: { type: integer } }, body: root = this.query }
  POST /shared: { body: 'root = {"json": this.body}' }
`);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };

  it('reads those of a route with both methods from either', async () => {
    const read = [
      await fake.call('GET /either?count=3'),
      await fake.call('POST /either', { headers, body: 'count=3' }),
    ];
    expect(read.map(({ body }): unknown => body)).toEqual([{ count: 3 }, { count: 3 }]);
  });

  it('has forms for the route of both methods, where another takes POST alone', async () => {
    const json = { 'content-type': 'application/json' };
    const read = [
      await fake.call('GET /shared?count=3'),
      await fake.call('POST /shared', { headers, body: 'count=3' }),
      await fake.call('POST /shared', { headers: json, body: '{"count":3}' }),
    ];
    expect(read.map(({ body }): unknown => body)).toEqual([
      { count: 3 },
      { count: 3 },
      { json: { count: 3 } },
    ]);
  });

  it('leaves the body of other routes as it is', async () => {
    const { body } = await fake.call('POST /change', { headers, body: 'count=3' });
    expect(body).toEqual({ query: {}, body: { count: '3' } });
  });
});
