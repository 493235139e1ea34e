import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';

export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: Buffer;
  events: unknown[];
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Waits before it answers. */
  delayMs?: number;
}

/** The credential that the receiver wants. */
export type Wanted =
  | { kind: 'none' }
  | { kind: 'basic'; username: string; password: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'oauth'; style: 'in_header' | 'in_params'; id: string; secret: string; scope: string };

/** An endpoint for events that verifies credentials, signatures and bodies, with a token endpoint. */
export class EventReceiver {
  requests: Received[] = [];
  /** The forms of token requests that were granted. */
  granted: Record<string, string>[] = [];
  wanted: Wanted = { kind: 'none' };
  /** Secret of signatures; requests without a signature that fits are refused. */
  signingSecret: string | undefined;
  /** Answers in place of the receiver; undefined lets the request pass. */
  fault: (request: Received) => Answer | undefined = () => undefined;
  url = '';
  private tokens = new Set<string>();
  private readonly server = createServer((request, response) => {
    this.handle(request)
      .catch((error: unknown): Answer => ({ status: 400, body: String(error) }))
      .then(async ({ status, headers = {}, body = '', delayMs = 0 }) => {
        await setTimeout(delayMs, undefined, { ref: false });
        response.writeHead(status, headers).end(body);
      })
      .catch(() => response.destroy());
  });

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}`;
    return receiver;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Tokens that were issued are not valid any more. */
  revokeTokens(): void {
    this.tokens = new Set();
  }

  private async handle(request: IncomingMessage): Promise<Answer> {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    if (url === '/token') return this.issue(headers, body.toString());
    const received = { method, path: url, headers, body, events: [] as unknown[] };
    this.requests.push(received);
    const fault = this.fault(received);
    if (fault !== undefined) return fault;
    if (!this.isAuthorized(headers)) return { status: 401, body: '{"message":"who are you?"}' };
    if (this.signingSecret !== undefined) {
      const digits = createHmac('sha256', this.signingSecret).update(body).digest('hex');
      if (headers['x-onefold-signature'] !== `sha256=${digits}`)
        return { status: 403, body: '{"message":"the signature does not fit the body"}' };
    }
    if (body.length === 0) return { status: 405, body: '{"message":"send events"}' };
    const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    received.events = eventsOf(plain.toString(), headers['content-type'] ?? '');
    return { status: 202, body: 'thank you' };
  }

  private isAuthorized(headers: IncomingHttpHeaders): boolean {
    const { wanted } = this;
    switch (wanted.kind) {
      case 'none':
        return headers.authorization === undefined;
      case 'basic':
        return headers.authorization === basic(wanted.username, wanted.password);
      case 'header':
        return headers[wanted.name] === wanted.value;
      case 'oauth':
        return this.tokens.has(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
    }
  }

  private issue(headers: IncomingHttpHeaders, text: string): Answer {
    const { wanted } = this;
    const form = Object.fromEntries(new URLSearchParams(text));
    const type = { 'content-type': 'application/json' };
    const isClient =
      wanted.kind === 'oauth' &&
      form['grant_type'] === 'client_credentials' &&
      (form['scope'] ?? '') === wanted.scope &&
      (wanted.style === 'in_header'
        ? isDeepStrictEqual(readBasic(headers.authorization), [wanted.id, wanted.secret]) &&
          form['client_secret'] === undefined
        : headers.authorization === undefined &&
          form['client_id'] === wanted.id &&
          form['client_secret'] === wanted.secret);
    if (!isClient) return { status: 401, headers: type, body: '{"error":"invalid_client"}' };
    const token = randomUUID();
    this.tokens.add(token);
    this.granted.push(form);
    const body = { access_token: token, token_type: 'Bearer', expires_in: 3600 };
    return { status: 200, headers: type, body: JSON.stringify(body) };
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Reads the id and the secret of a client, which are encoded as in forms (RFC 6749, 2.3.1). */
function readBasic(header = ''): string[] {
  const text = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
  return text.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
}

/** @throws Error if the body is not what its media type says */
function eventsOf(text: string, type: string): unknown[] {
  if (type === 'application/json') {
    const events: unknown = JSON.parse(text);
    if (!Array.isArray(events)) throw new Error('the body is not an array');
    return events;
  }
  if (type !== 'application/x-ndjson') throw new Error(`the media type is ${type}`);
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
