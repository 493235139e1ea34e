import { createHash } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { type OperationId, operationOf } from '#contract';
import { FakeClock, type FakeCredentials, FakeServer, type LoggedRequest } from '#fakes';
import { mockOverFake } from '../harness/fakes/mock-over-fake.js';
import type { Json, OverFake } from '#apps/provider-kit';
import { mockWalks } from '../walks/mock-walks.js';

/** A call of a vendor's client, with the operation of ours that shows or sends the same. */
export interface WitnessCall {
  operation: OperationId;
  path?: Record<string, string>;
  filter?: string;
  /** Input of an operation that writes. */
  body?: unknown;
  /** Values of each record that the client has read; of what it has written, those of each result. */
  read: string[][];
  /** Requests that the client has sent for the same input, as {@link textsOf} has them. */
  sent?: string[];
}

/** A request of a vendor's client, and what is known of the response. */
export interface Exchange {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  /** Hash of the names and the types in the response. */
  shape: string;
}

/** The calls of a vendor's client to a fake. */
export interface WitnessRecord {
  client: string;
  /** Day on which it called. */
  date: string;
  /** Time at which the fake's world began. */
  at: string;
  calls: WitnessCall[];
  exchanges: Exchange[];
}

const maxFaultChars = 2_000;

/** Headers of a connection, or of the machine. */
const unkept = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'user-agent',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'x-slack-user',
]);

/** A mock whose fake listens on a socket, for the vendor's client and for our document. */
export interface SocketMock {
  over: OverFake;
  url: string;
  credentials: FakeCredentials;
  exchanges: Exchange[];
  close: () => Promise<void>;
}

export async function openSocketMock(type: string): Promise<SocketMock> {
  let url = '';
  // A connection that the server closes meanwhile would fail a request.
  const agent = new Agent({ pipelining: 0 });
  const over = await openMock(type, {
    dispatch: (options, handler) =>
      agent.dispatch({ ...options, origin: url, headers: withHost(options) }, handler),
  });
  const { fake } = over;
  const credentials = credentialsOf(over);
  const exchanges: Exchange[] = [];
  let token = '';
  const engine = Object.create(fake) as typeof fake;
  engine.handle = async (received) => {
    // Our document calls the vendor's https addresses, which links to further pages have to repeat.
    const request = received.url.startsWith(url)
      ? received
      : { ...received, url: received.url.replace(/^http:/, 'https:') };
    const response = await fake.handle(request);
    const text = Buffer.from(response.body).toString();
    token = /"access_token":"([^"]+)"/.exec(text)?.[1] ?? token;
    const hide = (value: string) =>
      secretsOf(credentials, token).reduce(
        (t, [name, secret]) => t.replaceAll(secret, name),
        value,
      );
    const { method, headers, body = new Uint8Array() } = request;
    const signed =
      /SignedHeaders=([^,]+)/.exec(headers['authorization'] ?? '')?.[1]?.split(';') ?? [];
    exchanges.push({
      method,
      url: request.url,
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => !unkept.has(name) || signed.includes(name))
          .map(([name, value]) => [name, hide(value)]),
      ),
      body: hide(body instanceof Uint8Array ? Buffer.from(body).toString() : ''),
      status: response.status,
      shape: shapeOf(response.body),
    });
    return response;
  };
  const server = new FakeServer({ engine, clock: new FakeClock(), reset: () => undefined });
  url = await server.listen(0);
  const close = async () => {
    await agent.close();
    await server.close();
  };
  return { over, url, credentials, exchanges, close };
}

/** @param dispatcher carries the requests of our document, if it is not to call the fake in this process */
export async function openMock(
  type: string,
  dispatcher?: Pick<Dispatcher, 'dispatch'>,
  start?: Date,
): Promise<OverFake> {
  const walk = mockWalks.find((one) => one.type === type);
  if (walk === undefined) throw new Error(`there is no mock ${type}`);
  return mockOverFake({
    folder: walk.folder,
    type,
    ...(dispatcher && { dispatcher }),
    ...(start && { start }),
  });
}

/** Compares what a client has read with the records of ours: as many, and each shows the same values. What it has sent is compared, too. */
export async function compareCall(over: OverFake, call: WitnessCall): Promise<string[]> {
  const { operation, read, sent } = call;
  const before = over.fake.log.requests.length;
  const rows = await rowsOf(over, call);
  const left = rows.map((row) => new Set(valuesOf(row)));
  const faults = rows.length === read.length ? [] : [`${rows.length} records, not ${read.length}`];
  for (const values of read) {
    const at = left.findIndex((row) => values.every((value) => row.has(value)));
    if (at < 0) faults.push(`no record has ${values.join(' and ')}`);
    else left.splice(at, 1);
  }
  if (sent !== undefined) {
    const ours = textsOf(over.fake.log.requests.slice(before));
    faults.push(...ours.filter((one) => !sent.includes(one)).map((one) => `we alone send ${one}`));
    faults.push(...sent.filter((one) => !ours.includes(one)).map((one) => `we do not send ${one}`));
  }
  return faults.slice(0, 5).map((fault) => `${operation}: ${fault.slice(0, maxFaultChars)}`);
}

async function rowsOf(over: OverFake, call: WitnessCall): Promise<Json[]> {
  const { operation, path = {}, filter, body } = call;
  if (operationOf(operation).query['cursor'] !== undefined)
    return await over.all(operation, filter === undefined ? {} : { filter }, path);
  const { result } = await over.succeed(operation, { path, ...(body !== undefined && { body }) });
  return [result as Json | Json[]].flat();
}

/** Requests as texts, but for those of access tokens, which each client asks for in a way of its own. */
export function textsOf(requests: readonly LoggedRequest[]): string[] {
  return requests.filter(({ body }) => !body.includes('grant_type=')).map((one) => textOf(one));
}

/** A request as text: its method, its path and the lines of its body, with fields in the order of their names. */
function textOf({ method, path, body }: Pick<LoggedRequest, 'method' | 'path' | 'body'>) {
  const lines = body.split('\n').filter((line) => line !== '');
  return [`${method} ${path}`, ...lines.map((line) => formatSorted(JSON.parse(line)))].join('\n');
}

function formatSorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Sends the requests of a client again. @returns how the responses differ from those that the client could read */
export async function replay(over: OverFake, { exchanges }: WitnessRecord): Promise<string[]> {
  const credentials = credentialsOf(over);
  const faults: string[] = [];
  let token = '';
  for (const { method, url, headers, body, status, shape } of exchanges) {
    const show = (text: string) =>
      secretsOf(credentials, token).reduce((t, [name, secret]) => t.replaceAll(name, secret), text);
    const own = Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, show(one)]));
    const sent = { method, url, headers: own, body: Buffer.from(show(body)) };
    const response = await over.fake.handle(sent);
    const text = Buffer.from(response.body).toString();
    token = /"access_token":"([^"]+)"/.exec(text)?.[1] ?? token;
    if (response.status !== status)
      faults.push(`${method} ${url}: ${response.status}, not ${status}`);
    else if (shapeOf(response.body) !== shape) faults.push(`${method} ${url}: another shape`);
  }
  return [...faults, ...over.fake.log.violations.map((one) => JSON.stringify(one))];
}

export function credentialsOf({ fake }: OverFake): FakeCredentials {
  const known = fake.credentials();
  const { principal = known[0]?.principal } = fake.document.mock;
  const found = known.find((one) => one.principal === principal);
  if (found === undefined) throw new Error('the fake has no credentials');
  return found;
}

/** Secrets of a fake, and what records have in their place. Tokens are other ones at every start. */
export function secretsOf(
  { secret, basic, client }: FakeCredentials,
  token: string,
): [string, string][] {
  const pair = basic && `${basic.username}:${basic.password}`;
  return Object.entries({
    '{token}': token,
    '{secret}': secret ?? '',
    // A personal access token of Azure DevOps is a password of any user.
    '{basic_token}': secret === undefined ? '' : Buffer.from(`PAT:${secret}`).toString('base64'),
    '{basic}': pair === undefined ? '' : Buffer.from(pair).toString('base64'),
    '{client_secret}': client?.secret ?? '',
    '{client_id}': client?.id ?? '',
  }).filter(([, value]) => value !== '');
}

/** Hash of the names and the types in a body, so that other values are the same and another format is not. */
export function shapeOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString();
  const lines = new Set<string>();
  try {
    describe(JSON.parse(text), '', lines);
  } catch {
    for (const [tag] of text.matchAll(/<\w+/g)) lines.add(tag);
  }
  return createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
}

function describe(value: unknown, path: string, lines: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) describe(one, `${path}[]`, lines);
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) describe(one, `${path}.${name}`, lines);
  else lines.add(`${path} ${value === null ? 'null' : typeof value}`);
}

function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value as Json).flatMap((one: unknown) => valuesOf(one));
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function withHost({ origin, headers }: Dispatcher.DispatchOptions): Record<string, string> {
  return { ...(headers as Record<string, string>), host: new URL(String(origin)).host };
}
