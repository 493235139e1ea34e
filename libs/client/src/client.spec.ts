import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  accounts,
  ApiError,
  ConnectionError,
  createClient,
  createOnefold,
  storage,
  ticketing,
  TimeoutError,
} from './index.js';

interface Got {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}
/** A response; `hang` never ends, `break` closes the connection, and `cut` closes it within the response. */
type Given =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | 'hang'
  | 'break'
  | 'cut';

let server: Server;
let got: Got[];
let answers: Given[];
let url: string;

beforeEach(async () => {
  got = [];
  answers = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      got.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.shift() ?? {};
      if (answer === 'hang') return;
      if (answer === 'cut') {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"result":', () => request.socket.destroy());
        return;
      }
      if (answer === 'break') {
        request.socket.destroy();
        return;
      }
      const { status = 200, headers: more = {}, json, text = JSON.stringify(json ?? {}) } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(status === 204 ? undefined : text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const again = { 'retry-after': '0' };
const problem = {
  message: 'filter is wrong',
  detail: 'priority',
  remediation: 'Use one of the fields.',
  occurred_at: '2026-01-01T00:00:00Z',
  status: 400,
  instance: '/requests/r-1',
};

describe('a request', () => {
  it('has its parameters in path and query, its body, and the token', async () => {
    const onefold = createOnefold({ url, token: 'ofi_1' });
    answers = [{ json: { result: { id: 'T/1' } } }];
    const { result } = await onefold.ticketing.patchTicket({
      ticketId: 'T/1',
      meta: ['stats/count([status])', 'raw'],
      body: [{ op: 'replace', path: '/status', value: 'closed' }],
    });
    expect(result).toEqual({ id: 'T/1' });
    expect(got).toMatchObject([
      {
        method: 'PATCH',
        path: '/v1/ticketing/tickets/T%2F1?meta=stats%2Fcount%28%5Bstatus%5D%29&meta=raw',
        headers: { authorization: 'Bearer ofi_1', 'content-type': 'application/json' },
        body: '[{"op":"replace","path":"/status","value":"closed"}]',
      },
    ]);
  });

  it('asks for the token before each attempt', async () => {
    const tokens = ['old', 'new'];
    const onefold = createClient(
      { url, token: () => Promise.resolve(tokens.shift() ?? '') },
      { accounts },
    );
    answers = [{ status: 503, headers: again }, {}];
    await onefold.accounts.get({ accountId: 'a' });
    expect(got.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  it('names a parameter that is missing, and sends nothing', async () => {
    const onefold = createClient({ url }, { ticketing });
    await expect(onefold.ticketing.getTicket({ ticketId: '' })).rejects.toThrow(
      'ticketing_get_ticket needs ticketId',
    );
    expect(got).toEqual([]);
  });

  it('sends and reads files; a path keeps its slashes', async () => {
    const { storage: files } = createClient({ url }, { storage });
    answers = [{ status: 204 }, { headers: { 'content-type': 'text/plain' }, text: 'hello' }];
    await files.uploadFile({ path: 'a b/c.txt', body: new TextEncoder().encode('hello') });
    const file = await files.downloadFile({ path: 'a b/c.txt' });
    expect(await file.text()).toBe('hello');
    expect(got).toMatchObject([
      {
        method: 'POST',
        path: '/v1/storage/files/a%20b/c.txt',
        headers: { 'content-type': 'application/octet-stream' },
        body: 'hello',
      },
      { method: 'GET', path: '/v1/storage/files/a%20b/c.txt' },
    ]);
  });
});

describe('a failure', () => {
  it('is an ApiError with the problem, its remedy and the id of the request', async () => {
    answers = [{ status: 400, headers: { 'x-request-id': 'r-1' }, json: problem }];
    const failed = createClient({ url }, { ticketing }).ticketing.queryTickets({ filter: ['x'] });
    const error = await Promise.resolve(failed).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      operation: 'ticketing_query_tickets',
      status: 400,
      requestId: 'r-1',
      remediation: 'Use one of the fields.',
      message: 'ticketing_query_tickets: 400: filter is wrong; priority; Use one of the fields.',
      problem,
    });
  });

  it('of somebody else, such as a proxy, says its status', async () => {
    answers = [{ status: 404, text: '<html>' }];
    const { accounts: one } = createClient({ url }, { accounts });
    await expect(one.get({ accountId: 'a' })).rejects.toMatchObject({
      status: 404,
      problem: null,
      message: 'accounts_get: status 404 without a problem of the API',
    });
  });

  it('without a response says why', async () => {
    const { accounts: one } = createClient({ url, maxRetries: 0 }, { accounts });
    answers = ['break'];
    const error = await one.get({ accountId: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(/^ConnectionError: accounts_get: no response: other side closed/);
  });

  it('within the response is none, and the call is sent again where it may be', async () => {
    const { accounts: one, ticketing: other } = createClient({ url }, { accounts, ticketing });
    answers = ['cut', { json: { result: 1 } }];
    expect(await one.get({ accountId: 'a' })).toEqual({ result: 1 });
    answers = ['cut'];
    const patched = other.patchTicket({ ticketId: 'T', body: [] });
    await expect(patched).rejects.toThrow(ConnectionError);
    expect(got).toHaveLength(3);
  });

  it('by time names the time, whatever attempts there were', async () => {
    const { accounts: one } = createClient({ url, timeoutMs: 300 }, { accounts });
    answers = [{ status: 503, headers: again }, 'hang'];
    const error = await one.get({ accountId: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toBe('TimeoutError: accounts_get: no response within 300 ms');
    expect(got).toHaveLength(2);
  });

  it('by the caller has its reason', async () => {
    const { accounts: one } = createClient({ url }, { accounts });
    answers = ['hang'];
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const call = one.get({ accountId: 'a' }, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
  });
});

describe('attempts', () => {
  it('are repeated for what changes nothing twice', async () => {
    const { accounts: one } = createClient({ url }, { accounts });
    answers = ['break', { status: 502, headers: again }, { status: 504, headers: again }, {}];
    await one.get({ accountId: 'a' });
    expect(got).toHaveLength(4);
    answers = Array<Given>(5).fill({ status: 503, headers: again });
    await expect(one.delete({ accountId: 'a' })).rejects.toMatchObject({ status: 503 });
    expect(got).toHaveLength(8);
  });

  it('of a create have one key', async () => {
    const { accounts: one } = createClient({ url }, { accounts });
    answers = ['break', { status: 503, headers: again }, {}];
    await one.create({ body: { name: 'acme' } });
    await one.create({ body: { name: 'acme' } }, { idempotencyKey: 'mine' });
    const [first = '', ...others] = got.map(({ headers }) => String(headers['idempotency-key']));
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(others).toEqual([first, first, 'mine']);
  });

  it('of other changes are repeated only where they were refused as too many', async () => {
    const { ticketing: one } = createClient({ url }, { ticketing });
    const patch = () => one.patchTicket({ ticketId: 'T', body: [] });
    answers = [
      { status: 429, headers: again },
      { status: 503, headers: again },
    ];
    await expect(patch()).rejects.toMatchObject({ status: 503 });
    answers = ['break'];
    await expect(patch()).rejects.toThrow(ConnectionError);
    expect(got).toHaveLength(3);
  });

  it('wait as Retry-After says, and not where the time ends before', async () => {
    const { accounts: one } = createClient({ url, timeoutMs: 5_000 }, { accounts });
    answers = [{ status: 429, headers: { 'retry-after': '1' } }, {}];
    const begun = performance.now();
    await one.get({ accountId: 'a' });
    expect(performance.now() - begun).toBeGreaterThan(990);
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    answers = [{ status: 429, headers: { 'retry-after': inAnHour } }];
    await expect(one.get({ accountId: 'a' })).rejects.toMatchObject({ status: 429 });
  });
});

describe('a list', () => {
  it('is its first page when it is awaited, and sends nothing before', async () => {
    const { ticketing: one } = createClient({ url }, { ticketing });
    answers = [{ json: { result: [{ id: '1' }], cursor: 'c' } }];
    const call = one.queryTickets({ limit: 1 });
    expect(got).toEqual([]);
    expect(await call).toEqual({ result: [{ id: '1' }], cursor: 'c' });
    expect(got.map(({ path }) => path)).toEqual(['/v1/ticketing/tickets?limit=1']);
  });

  it('goes over the records of all pages, by the cursor', async () => {
    const { ticketing: one } = createClient({ url }, { ticketing });
    answers = [
      { json: { result: [{ id: '1' }, { id: '2' }], cursor: 'c' } },
      { json: { result: [], cursor: 'd' } },
      { json: { result: [{ id: '3' }], cursor: '' } },
    ];
    const ids: string[] = [];
    for await (const { id } of one.queryTickets({ filter: ['status[eq]open'] })) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(got.map(({ path }) => new URL(path, url).searchParams.get('cursor'))).toEqual([
      null,
      'c',
      'd',
    ]);
  });

  it('of the management API goes on behind the last record until there is none', async () => {
    const { accounts: one } = createClient({ url }, { accounts });
    // The service may give fewer than were asked for.
    answers = [
      { json: { result: [{ id: 'a' }, { id: 'b' }] } },
      { json: { result: [{ id: 'c' }] } },
      { json: { result: [] } },
    ];
    const pages: number[] = [];
    for await (const { result } of one.list({ limit: 2 }).pages()) pages.push(result.length);
    expect(pages).toEqual([2, 1, 0]);
    expect(got.map(({ path }) => path)).toEqual([
      '/v1/accounts?limit=2',
      '/v1/accounts?limit=2&start_after=b',
      '/v1/accounts?limit=2&start_after=c',
    ]);
  });

  it('does not turn round where a page leads to itself', async () => {
    const { ticketing: one } = createClient({ url }, { ticketing });
    answers = Array<Given>(3).fill({ json: { result: [{ id: '1' }], cursor: 'c' } });
    await expect(one.queryTickets().toArray()).rejects.toThrow('the page behind c leads to itself');
  });

  it('gives all its records, and refuses more than were wanted', async () => {
    const { accounts: one } = createClient({ url }, { accounts });
    const page = { json: { result: [{ id: 'a' }, { id: 'b' }] } };
    answers = [page, { json: { result: [] } }, page];
    expect(await one.list().toArray()).toHaveLength(2);
    await expect(one.list().toArray(1)).rejects.toThrow('accounts_list: more than 1 records');
  });
});
