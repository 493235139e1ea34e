import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { readSignature, verifySignature } from '#fakes';

/** Objects above this size are kept as digest and size only, so that tests of large files do not measure the receiver. */
const maxKeptBytes = 20_000_000;

export interface StoredObject {
  size: number;
  sha256: string;
  type: string;
  etag: string;
  /** Absent for large objects. */
  bytes?: Buffer;
}

export interface Received {
  method: string;
  /** As it was sent. */
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer | AsyncIterable<Buffer>;
}

interface Upload {
  key: string;
  type: string;
  parts: Map<number, { bytes: Buffer | undefined; size: number; etag: string }>;
  hash: ReturnType<typeof createHash>;
}

/** A store of objects that speaks the part of the S3 API that the document uses, and verifies every signature and digest. */
export class S3Receiver {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, Upload>();
  requests: Received[] = [];
  /** Bytes of bodies that have arrived. */
  receivedBytes = 0;
  /** Sizes of objects that are made as they are read, by their keys. */
  readonly made = new Map<string, number>();
  /** Bytes of made objects that were written to the socket. */
  sentBytes = 0;
  /** Answers a request in place of the store; undefined lets it pass. */
  fault: (request: Received) => Answer | undefined = () => undefined;
  private readonly server: Server;

  private constructor(private readonly keys: { id: string; secret: string; bucket: string }) {
    this.server = createServer((request, response) => {
      this.handle(request)
        .catch((error: unknown): Answer => problem(500, 'InternalError', String(error)))
        .then(async ({ status, headers = {}, body = '' }) => {
          response.writeHead(status, headers);
          if (typeof body === 'string' || body instanceof Buffer) response.end(body);
          else await pipeline(body, response);
        })
        .catch(() => response.destroy());
    });
  }

  static async start(keys: { id: string; secret: string; bucket: string }): Promise<S3Receiver> {
    const receiver = new S3Receiver(keys);
    await new Promise<void>((done) => receiver.server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async handle(message: IncomingMessage): Promise<Answer> {
    const { method = '', url: target = '', headers } = message;
    // A detour tells where the request was going, which the signature covers.
    const origin = (headers['x-test-origin'] as string | undefined) ?? `http://${headers.host}`;
    const url = new URL(target, origin);
    const query = Object.fromEntries(url.searchParams);
    const path = target.split('?')[0] ?? '';
    const request = { method, path, query, headers };
    this.requests.push(request);
    const refused = this.refusal(request, `${origin}${target}`);
    const answer = refused ?? this.fault(request);
    if (answer !== undefined) {
      await buffer(message);
      return answer;
    }
    const prefix = `/${this.keys.bucket}/`;
    if (`${path}/` === prefix) return this.list(query);
    if (!path.startsWith(prefix)) return problem(404, 'NoSuchBucket', 'no such bucket');
    const key = path.slice(prefix.length).split('/').map(decodeURIComponent).join('/');
    if (key === '') return this.list(query);
    return await this.object(message, method, key, query);
  }

  private refusal({ method, headers }: Received, url: string): Answer | undefined {
    const flat = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    );
    flat['host'] = new URL(url).host;
    const signed = readSignature({ method, url, headers: flat });
    if (signed === undefined) return problem(403, 'AccessDenied', 'Access Denied');
    if (signed.accessKeyId !== this.keys.id)
      return problem(403, 'InvalidAccessKeyId', 'The key id does not exist.');
    const request = { method, url, headers: flat };
    const verified = verifySignature(request, signed, this.keys.secret, Date.now());
    if (verified === 'valid') return undefined;
    return problem(403, 'SignatureDoesNotMatch', 'The signature does not match.');
  }

  private async object(
    message: IncomingMessage,
    method: string,
    key: string,
    query: Record<string, string>,
  ): Promise<Answer> {
    const { uploadId, partNumber } = query;
    const type = message.headers['content-type'] ?? 'binary/octet-stream';
    if (method === 'POST' && 'uploads' in query) {
      const id = `${randomUUID()}~+/=`;
      this.uploads.set(id, { key, type, parts: new Map(), hash: createHash('sha256') });
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (uploadId !== undefined) {
      const upload = this.uploads.get(uploadId);
      if (upload === undefined) return problem(404, 'NoSuchUpload', 'no such upload');
      return await this.multipart(message, method, upload, uploadId, Number(partNumber));
    }
    if (method === 'PUT') {
      const { bytes, size, sha256, refused } = await this.take(message);
      if (refused !== undefined) return refused;
      const etag = `"${sha256.slice(0, 32)}"`;
      this.objects.set(key, { size, sha256, type, etag, ...(bytes ? { bytes } : {}) });
      return { status: 200, headers: { etag } };
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return { status: 204 };
    }
    const made = this.made.get(key);
    if (made !== undefined)
      return { status: 200, headers: { 'content-length': String(made) }, body: this.make(made) };
    const found = this.objects.get(key);
    if (found?.bytes === undefined)
      return problem(404, 'NoSuchKey', 'The specified key does not exist.');
    return ranged(found.bytes, found, message.headers.range);
  }

  private async multipart(
    message: IncomingMessage,
    method: string,
    upload: Upload,
    id: string,
    number: number,
  ): Promise<Answer> {
    const { parts, key, type, hash } = upload;
    if (method === 'DELETE') {
      this.uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      const { bytes, size, sha256, refused } = await this.take(message, hash);
      if (refused !== undefined) return refused;
      const etag = `"${sha256.slice(0, 32)}"`;
      parts.set(number, { bytes, size, etag });
      return { status: 200, headers: { etag } };
    }
    const body = (await buffer(message)).toString();
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const wanted = [...parts].map(([one, { etag }]) => `${one} ${etag}`);
    if (named.map(([, one, etag]) => `${one} ${etag}`).join() !== wanted.join())
      return problem(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
    const all = [...parts.values()];
    if (all.slice(0, -1).some(({ size }) => size < 5 * 1_048_576))
      return problem(400, 'EntityTooSmall', 'A part is smaller than the minimum.');
    this.uploads.delete(id);
    const size = all.reduce((sum, part) => sum + part.size, 0);
    const bytes = size <= maxKeptBytes ? Buffer.concat(all.map((one) => one.bytes!)) : undefined;
    const stored = {
      size,
      sha256: hash.digest('hex'),
      type,
      etag: `"${id.slice(0, 8)}-${all.length}"`,
    };
    this.objects.set(key, { ...stored, ...(bytes ? { bytes } : {}) });
    return xml('<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>');
  }

  /** Reads a body. @param whole hashes the parts of an upload, which arrive one after the other */
  private async take(message: IncomingMessage, whole?: Upload['hash']) {
    const hash = createHash('sha256');
    const md5 = createHash('md5');
    const chunks: Buffer[] = [];
    let size = 0;
    let sum = 0;
    for await (const chunk of message as AsyncIterable<Buffer>) {
      hash.update(chunk);
      md5.update(chunk);
      sum = crc32(chunk, sum);
      whole?.update(chunk);
      size += chunk.length;
      this.receivedBytes += chunk.length;
      if (size <= maxKeptBytes) chunks.push(chunk);
    }
    const bytes = size <= maxKeptBytes ? Buffer.concat(chunks) : undefined;
    const sha256 = hash.digest('hex');
    const signed = String(message.headers['x-amz-content-sha256']);
    if (/^[0-9a-f]{64}$/.test(signed) && signed !== sha256)
      throw new Error('the body is not the one that was signed');
    return { bytes, size, sha256, refused: digestRefusal(message, md5.digest('base64'), sum) };
  }

  private async *make(size: number): AsyncGenerator<Buffer> {
    const chunk = Buffer.alloc(65_536, 'x');
    for (let left = size; left > 0; left -= chunk.length) {
      const sent = chunk.subarray(0, Math.min(left, chunk.length));
      this.sentBytes += sent.length;
      yield await Promise.resolve(sent);
    }
  }

  private list(query: Record<string, string>): Answer {
    const { prefix = '', 'max-keys': max = '1000', 'continuation-token': token } = query;
    const after = token === undefined ? '' : Buffer.from(token, 'base64').toString();
    const keys = [...this.objects.keys()]
      .filter(
        (key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0,
      )
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const page = keys.slice(0, Number(max));
    const last = page.at(-1);
    const next =
      page.length < keys.length && last !== undefined
        ? `<NextContinuationToken>${Buffer.from(last).toString('base64')}</NextContinuationToken>`
        : '';
    const rows = page.map((key) => `<Contents><Key>${written(key, query)}</Key></Contents>`);
    return xml(
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}${rows.join('')}</ListBucketResult>`,
    );
  }
}

/** Amazon wants the digest or the checksum of what is stored in a bucket with a default retention of Object Lock; its clients send the latter. */
function digestRefusal(
  { headers }: IncomingMessage,
  digest: string,
  sum: number,
): Answer | undefined {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(sum);
  const given: [string, unknown, string][] = [
    ['Content-MD5', headers['content-md5'], digest],
    ['x-amz-checksum-crc32', headers['x-amz-checksum-crc32'], bytes.toString('base64')],
  ];
  const sent = given.filter(([, value]) => value !== undefined);
  if (sent.length === 0)
    return problem(
      400,
      'InvalidRequest',
      'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
    );
  const wrong = sent.find(([, value, expected]) => value !== expected);
  return wrong === undefined
    ? undefined
    : problem(400, 'BadDigest', `The ${wrong[0]} you specified did not match what we received.`);
}

/** Amazon writes keys as in a form: a space is a plus. */
function written(key: string, query: Record<string, string>): string {
  if (query['encoding-type'] !== 'url') throw new Error('keys have characters that XML has not');
  return encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
}

function ranged(bytes: Buffer, { type, etag }: StoredObject, range: string | undefined): Answer {
  const headers = { 'content-type': type, etag, 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (range === undefined) return { status: 200, headers, body: bytes };
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1);
  if (start >= bytes.length) return problem(416, 'InvalidRange', 'The range is not satisfiable');
  const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`;
  return {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
    body: bytes.subarray(start, end),
  };
}

function xml(body: string): Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${body}`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: text };
}

function problem(status: number, code: string, message: string): Answer {
  return { ...xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`), status };
}
