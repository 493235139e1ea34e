import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { errorsOfTests, TestFake } from '../test-fake.fixture.js';

const source = `
fake: acme
${errorsOfTests}
auth:
  principals: { admin: ['*'] }
  accepts: [{ kind: sigv4, service: SERVICE }]
routes:
  GET|PUT /bucket/{+key}: { input: text, body: 'root = {"user": this.user.name, "key": this.path.key}' }
`;

/** The hash that the signer wants, by Node. */
class Sha256 {
  private readonly hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac(
            'sha256',
            typeof secret === 'string' ? secret : new Uint8Array(secret as ArrayBuffer),
          );
  }
  update(data: string | Uint8Array): void {
    this.hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.hash.digest()));
  }
  reset(): void {}
}

async function sign(
  fake: TestFake,
  service: string,
  { path, query = {}, body = '' }: { path: string; query?: Record<string, string>; body?: string },
) {
  const { aws = { accessKeyId: '', secretAccessKey: '' } } = fake.engine.credentials()[0] ?? {};
  const signer = new SignatureV4({
    service,
    region: 'eu-west-1',
    credentials: aws,
    sha256: Sha256,
    uriEscapePath: service !== 's3',
  });
  const signed = await signer.sign(
    {
      method: 'PUT',
      protocol: 'https:',
      hostname: 'api.test',
      path,
      query,
      body,
      headers: { host: 'api.test', 'content-type': 'text/plain', 'x-amz-meta-a': ' b   c ' },
    },
    { signingDate: new Date(fake.now) },
  );
  const search = new URLSearchParams(query).toString();
  return { request: `PUT ${path}${search && `?${search}`}`, headers: signed.headers, body };
}

describe.each(['s3', 'securityhub'])('a request that is signed for %s', (service) => {
  const start = () => new TestFake(source.replace('SERVICE', service));

  it.each([
    { path: '/bucket/a', body: 'text' },
    { path: '/bucket/a%20b/%C3%BC', query: { b: '2', 'a c': 'x/y', B: '1' } },
  ])('is accepted: %j', async (request) => {
    const fake = start();
    const { request: line, ...signed } = await sign(fake, service, request);
    const answer = await fake.call(line, signed);
    expect(answer.body).toMatchObject({ user: 'admin' });
  });

  it('is refused with another body, path, header, key or service, or when it is old', async () => {
    const fake = start();
    const { request, headers, body } = await sign(fake, service, { path: '/bucket/a', body: 'x' });
    const status = async (line: string, call: object) => (await fake.call(line, call)).status;
    expect(await status(request, { headers, body })).toBe(200);
    expect(await status(request, { headers, body: 'y' })).toBe(401);
    expect(await status('PUT /bucket/b', { headers, body })).toBe(401);
    expect(await status(request, { headers: { ...headers, 'x-amz-meta-a': 'z' }, body })).toBe(401);
    const other = new TestFake(source.replace('SERVICE', service), { key: 'other' });
    expect((await other.call(request, { headers, body })).status).toBe(401);
    const foreign = new TestFake(source.replace('SERVICE', 'sqs'));
    expect((await foreign.call(request, { headers, body })).status).toBe(401);
    fake.advance(901);
    expect((await fake.call(request, { headers, body })).body.error).toBe('expired_token');
  });
});
