import { createHash, createHmac, type Hash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

interface Blob {
  bytes: Buffer;
  type: string;
}

export interface Received {
  method: string;
  query: Record<string, string>;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer | AsyncIterable<Buffer>;
}

const account = 'acme';

/** A container of blobs that speaks the part of the API that the document uses, and verifies Shared Key or a shared access signature. */
export class AzureReceiver {
  readonly blobs = new Map<string, Blob>();
  readonly blocks = new Map<string, Buffer>();
  requests: Received[] = [];
  /** Bytes of bodies that have arrived. */
  receivedBytes = 0;
  /** Blobs whose blocks were not kept, by their names, so that tests of large files do not measure the receiver. */
  readonly digests = new Map<string, { size: number; sha256: string }>();
  /** False where blocks become digests; they have to arrive in order. */
  keepsBlocks = true;
  /** Sizes of blobs that are made as they are read, by their names. */
  readonly made = new Map<string, number>();
  /** Bytes of made blobs that were written to the socket. */
  sentBytes = 0;
  private readonly uploads = new Map<string, { size: number; hash: Hash }>();
  /** Answers a request in place of the store; undefined lets it pass. */
  fault: (request: Received) => Answer | undefined = () => undefined;
  readonly key = randomBytes(64).toString('base64');
  readonly signature = randomBytes(32).toString('base64');
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      this.handle(request)
        .then(async ({ status, headers = {}, body = '' }) => {
          response.writeHead(status, headers);
          if (typeof body === 'string' || body instanceof Buffer) response.end(body);
          else await pipeline(body, response);
        })
        .catch(() => response.destroy());
    });
  }

  static async start(): Promise<AzureReceiver> {
    const receiver = new AzureReceiver();
    await new Promise<void>((done) => receiver.server.listen(0, '127.0.0.1', done));
    return receiver;
  }

  /** Address of the account. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${account}`;
  }

  get connectionString(): string {
    return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${this.key};BlobEndpoint=${this.url};`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async handle(message: IncomingMessage): Promise<Answer> {
    const { method = '', url: target = '', headers } = message;
    const url = new URL(target, this.url);
    const query = Object.fromEntries(url.searchParams);
    message.on('data', (chunk: Buffer) => (this.receivedBytes += chunk.length));
    const body = await buffer(message);
    this.requests.push({ method, query });
    if (!this.isSigned(message, url, body)) return problem(403, 'AuthenticationFailed');
    const answer = this.fault({ method, query });
    if (answer !== undefined) return answer;
    const prefix = `/${account}/evidence`;
    if (!url.pathname.startsWith(prefix)) return problem(404, 'ContainerNotFound');
    const name = url.pathname
      .slice(prefix.length + 1)
      .split('/')
      .map(decodeURIComponent)
      .join('/');
    if (query['comp'] === 'list') return this.list(query);
    if (method === 'PUT') return this.put(name, query, headers, body);
    const size = this.made.get(name);
    if (size !== undefined)
      return { status: 200, headers: { 'content-length': String(size) }, body: this.make(size) };
    const blob = this.blobs.get(name);
    if (blob === undefined) return problem(404, 'BlobNotFound');
    if (method === 'DELETE') {
      this.blobs.delete(name);
      return { status: 202 };
    }
    // The vendor's client sends x-ms-range, which comes before Range.
    return ranged(blob, [headers['x-ms-range']].flat()[0] ?? headers.range);
  }

  private isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
    if (url.searchParams.has('sig')) return url.searchParams.get('sig') === this.signature;
    const header = (name: string) => String(headers[name] ?? '');
    const age = Math.abs(Date.now() - Date.parse(header('x-ms-date')));
    if (!(age < 900_000) || header('x-ms-version') === '') return false;
    const own = Object.keys(headers)
      .filter((name) => name.startsWith('x-ms-'))
      .sort();
    const text =
      `${method}\n${header('content-encoding')}\n${header('content-language')}\n` +
      `${body.length === 0 ? '' : body.length}\n${header('content-md5')}\n${header('content-type')}\n` +
      `${header('date')}\n${header('if-modified-since')}\n${header('if-match')}\n` +
      `${header('if-none-match')}\n${header('if-unmodified-since')}\n${header('range')}\n` +
      own.map((name) => `${name}:${header(name)}\n`).join('') +
      `/${account}${url.pathname}` +
      [...url.searchParams]
        .sort()
        .map(([name, value]) => `\n${name}:${value}`)
        .join('');
    const mac = createHmac('sha256', Buffer.from(this.key, 'base64')).update(text, 'utf8');
    return header('authorization') === `SharedKey ${account}:${mac.digest('base64')}`;
  }

  private put(
    name: string,
    query: Record<string, string>,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Answer {
    const { comp, blockid = '' } = query;
    // The ids of blocks begin with the name of the upload.
    const uploadOf = (id: string) => Buffer.from(id, 'base64').toString().slice(0, 36);
    if (comp === 'block' && !this.keepsBlocks) {
      const upload = this.uploads.get(uploadOf(blockid)) ?? { size: 0, hash: createHash('sha256') };
      upload.size += body.length;
      upload.hash.update(body);
      this.uploads.set(uploadOf(blockid), upload);
      return { status: 201 };
    }
    if (comp === 'block') {
      this.blocks.set(`${name} ${blockid}`, body);
      return { status: 201 };
    }
    if (comp === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]+)<\/Latest>/g)].map(([, id]) => id);
      const upload = this.uploads.get(uploadOf(ids[0] ?? ''));
      if (upload !== undefined) {
        this.digests.set(name, { size: upload.size, sha256: upload.hash.digest('hex') });
        return { status: 201 };
      }
      const blocks = ids.map((id) => this.blocks.get(`${name} ${id}`));
      if (blocks.some((block) => block === undefined)) return problem(400, 'InvalidBlockList');
      const type = String(headers['x-ms-blob-content-type']);
      this.blobs.set(name, { bytes: Buffer.concat(blocks as Buffer[]), type });
      return { status: 201 };
    }
    if (headers['x-ms-blob-type'] !== 'BlockBlob') return problem(400, 'InvalidHeaderValue');
    this.blobs.set(name, { bytes: body, type: String(headers['content-type']) });
    return { status: 201 };
  }

  private async *make(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      const chunk = Buffer.alloc(Math.min(left, 65_536));
      left -= chunk.length;
      this.sentBytes += chunk.length;
      yield await Promise.resolve(chunk);
    }
  }

  private list({ prefix = '', maxresults = '5000', marker = '' }: Record<string, string>): Answer {
    const names = [...this.blobs.keys()].filter((one) => one.startsWith(prefix) && one > marker);
    const page = names.sort().slice(0, Number(maxresults));
    const next = page.length < names.length ? (page.at(-1) ?? '') : '';
    const rows = page.map((name) => `<Blob>${written(name)}<Properties /></Blob>`);
    const text = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>${rows.join('')}</Blobs><NextMarker>${escaped(next)}</NextMarker></EnumerationResults>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body: text };
  }
}

/** "Names with characters that are invalid in XML are percent-encoded, with the attribute Encoded" (List Blobs, since 2021-02-12). */
function written(name: string): string {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000b-\u001f]/.test(name)
    ? `<Name Encoded="true">${encodeURIComponent(name)}</Name>`
    : `<Name>${escaped(name)}</Name>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function ranged({ bytes, type }: Blob, range: string | undefined): Answer {
  const [etag, length] = [`"${createHash('md5').update(bytes).digest('hex')}"`, bytes.length];
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    'content-length': String(length),
    etag,
  };
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === '') return { status: 200, headers, body: bytes };
  const start = Number(from);
  const end = to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1);
  if (start >= bytes.length) return problem(416, 'InvalidRange');
  const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`;
  const body = bytes.subarray(start, end);
  const part = { 'content-range': contentRange, 'content-length': String(body.length) };
  return { status: 206, headers: { ...headers, ...part }, body };
}

function problem(status: number, code: string): Answer {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${code} it is.\nRequestId:1</Message></Error>`;
  return { status, headers: { 'x-ms-error-code': code, 'content-type': 'application/xml' }, body };
}
