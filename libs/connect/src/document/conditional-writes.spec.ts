import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadValidators } from '#contract';
import { createDispatcher, EgressPolicy } from '#egress';
import { compileProvider } from '#provider-document';
import { run as runConnector } from '../connector.fixture.js';
import type { ProviderOperation } from '../provider.js';
import { plainHttp } from './document-call.fixture.js';
import { documentProvider } from './document-provider.js';

/** A desk that answers a new ticket with its address alone, and takes a change only for the version that its caller has read. */
const text = `
provider: ticketing_desk
version: 1.0.0
fullname: Desk
vendor: Tests
http: { base_url: this.config.url, message: this.body.error }
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.id
        root.name = this.subject
        root.description = this.text
  request:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.subject = this.name
        root.text = this.description | deleted()
operations:
  ticketing_get_ticket:
    response: ticket
    steps:
      - { name: ticket, path: '/tickets/{this.path.ticketId}' }
    record: 'this.steps.ticket.assign({"etag": this.answers.ticket.headers.etag})'
  ticketing_create_ticket:
    request: request
    steps:
      - { name: created, method: POST, path: /tickets, body: root = this.body, answer: none }
    then:
      operation: ticketing_get_ticket
      path: root.ticketId = this.answers.created.headers.location.split("/").index(-1)
  ticketing_patch_ticket:
    request: request
    response: ticket
    current: ticketing_get_ticket
    steps:
      - name: changed
        method: PUT
        path: '/tickets/{this.path.ticketId}'
        headers: root."if-match" = this.current.etag
        body: root = this.changes
    record: this.current.assign(this.changes)
`;

interface Ticket {
  subject: string;
  text: string;
  version: number;
}
let tickets: Ticket[] = [];
let writes: number[] = [];
/** Status by which the desk refuses an old version. */
let refusal = 412;
/** Called before each write, as others who write. */
let before: (ticket: Ticket) => void = () => undefined;
let server: Server;
let url = '';
const policy = new EgressPolicy(['127.0.0.1']);
const dispatcher = createDispatcher(policy);

beforeAll(async () => {
  await loadValidators();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Partial<Ticket>;
      const answer = (status: number, value?: object, headers = {}) =>
        response.writeHead(status, headers).end(value && JSON.stringify(value));
      if (request.method === 'POST') {
        tickets.push({ subject: '', text: '', version: 1, ...body });
        return void answer(201, undefined, { location: `${url}/tickets/${tickets.length}` });
      }
      const id = Number(request.url?.split('/').at(-1));
      const ticket = tickets[id - 1] as Ticket;
      const etag = () => `"v${ticket.version}"`;
      if (request.method === 'GET')
        return void answer(200, { id: String(id), ...ticket }, { etag: etag() });
      before(ticket);
      const isOld = request.headers['if-match'] !== etag();
      writes.push(isOld ? refusal : 200);
      if (isOld) return void answer(refusal, { error: 'somebody else was faster' });
      Object.assign(ticket, body, { version: ticket.version + 1 });
      answer(200, {});
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  tickets = [{ subject: 'Printer', text: 'on fire', version: 1 }];
  writes = [];
  refusal = 412;
  before = () => undefined;
});
afterAll(async () => {
  server.closeAllConnections();
  await dispatcher.destroy();
  await new Promise((done) => server.close(done));
});

function run(id: 'ticketing_create_ticket' | 'ticketing_patch_ticket', body: unknown, more = '') {
  const { operations } = documentProvider(compileProvider(text + more));
  return runConnector(
    id,
    operations[id] as ProviderOperation,
    { body },
    {
      providerConfig: { url },
      http: plainHttp({ dispatcher, policy }),
    },
  );
}

it('a record that is answered by its address alone is read from there', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const made = await Promise.all(names.map((name) => run('ticketing_create_ticket', { name })));
  const found = made.map(({ result }) => (result as { result: { id: string } }).result.id);
  expect(new Set(found).size).toBe(names.length);
  expect(found.map((id) => tickets[Number(id) - 1]?.subject)).toEqual(names);
});

describe('a patch whose provider compares versions', () => {
  const patch = [{ op: 'replace', path: '/name', value: 'Scanner' }];

  it('sends the version that it has read', async () => {
    const { result } = await run('ticketing_patch_ticket', patch);
    expect(result).toMatchObject({ result: { id: '1', name: 'Scanner' } });
    expect(writes).toEqual([200]);
  });

  it('is computed again from what somebody else has written meanwhile', async () => {
    before = (ticket) => {
      before = () => undefined;
      Object.assign(ticket, { text: 'on the second floor', version: 2 });
    };
    const { result } = await run('ticketing_patch_ticket', patch);
    expect(writes).toEqual([412, 200]);
    expect(result).toMatchObject({
      result: { name: 'Scanner', description: 'on the second floor' },
    });
    expect(tickets[0]).toEqual({ subject: 'Scanner', text: 'on the second floor', version: 3 });
  });

  it('is computed again where the document says by which status the provider refuses', async () => {
    refusal = 409;
    before = (ticket) => {
      before = () => undefined;
      ticket.version = 2;
    };
    await run(
      'ticketing_patch_ticket',
      patch,
      'errors: [{ when: this.status == 409, status: 412 }]',
    );
    expect(writes).toEqual([409, 200]);
  });

  it('loses nothing of what several callers write at the same time', async () => {
    await Promise.all([
      run('ticketing_patch_ticket', patch),
      run('ticketing_patch_ticket', [{ op: 'replace', path: '/description', value: 'is gone' }]),
    ]);
    expect(tickets[0]).toMatchObject({ subject: 'Scanner', text: 'is gone' });
  });

  it('ends with a 503 that has the words of the provider if the record never stops changing', async () => {
    before = (ticket) => (ticket.version += 1);
    await expect(run('ticketing_patch_ticket', patch)).rejects.toMatchObject({
      status: 503,
      options: { context: { raw_error: '{"error":"somebody else was faster"}' } },
    });
  });
});
