// npm run bench -- providers: what a provider document costs. The same calls of a local HTTP server by hand with undici and through the
// engine, in one process and one run; and the mapping of a page of 100 rows alone. What it printed last stands in docs/performance.md.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { buildIfChanged } from './build-if-changed.mjs';
import { installMissing, root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

installMissing();
buildIfChanged();
const { values } = parseArgs({
  options: { calls: { type: 'string', default: '3000' } },
  strict: false, // npm run bench has options of its own
});
const calls = Number(values.calls);
const { Agent, request } = await import('undici');
const dist = `${root}/dist/libs`;
const { compileProvider } = await import(`${dist}/provider-document/src/index.js`);
const { documentProvider } = await import(`${dist}/connect/src/document/document-provider.js`);
const { ProviderHttp, Redactor } = await import(`${dist}/provider-http/src/index.js`);
const { CallUsage, Usage } = await import(`${dist}/connect/src/usage/usage.js`);
const { createDispatcher, EgressPolicy } = await import(`${dist}/egress/src/index.js`);

const row = (index) => ({
  number: index,
  title: `Issue ${index}`,
  body: 'Two to four percent since 06:10, provider ticket 88213.',
  state: index % 2 ? 'open' : 'closed',
  user: { login: 'ada', id: 1 },
  assignee: { login: 'ben', id: 2 },
  labels: [{ name: 'wan' }, { name: 'provider' }],
  created_at: '2026-01-13T10:44:00Z',
  updated_at: '2026-01-14T10:52:00Z',
  closed_at: null,
  comments: 3,
  url: `https://api.example.com/issues/${index}`,
});
const rows = Array.from({ length: 100 }, (_, index) => row(index));
const one = Buffer.from(JSON.stringify(row(1)));
const page = Buffer.from(JSON.stringify(rows));

const document = `
provider: custom_bench
version: 1.0.0
fullname: Bench
vendor: Bench
credentials:
  credential:
    token: { send: header, name: authorization, value: '"Bearer " + this.credential.secret' }
http:
  base_url: this.config.url
operations:
  ticketing_get_ticket:
    response: ticket
    steps: [{ path: '/issues/{this.path.ticketId}' }]
    record: this.steps.call
  ticketing_list_comments:
    response: ticket
    steps: [{ path: /issues }]
    rows: this.steps.call
mappings:
  ticket:
    engine: bloblang_direct
    version: '1.0'
    templates:
      default: |
        root.id = this.number.string()
        root.name = this.title
        root.summary = this.title
        root.description = this.body
        root.status = this.state
        root.creator = this.user.login
        root.assignee = this.assignee.login
        root.tags = this.labels.map_each(label -> label.name)
        root.created_at = this.created_at
        root.updated_at = this.updated_at
        root.unmapped = this.without("number", "title", "body", "state", "user", "assignee", "labels", "created_at", "updated_at")
`;

const server = createServer((incoming, response) => {
  const body = incoming.url === '/issues' ? page : one;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
const url = await listenLocally(server);

const byHand = (native) => {
  const {
    number,
    title,
    body,
    state,
    user,
    assignee,
    labels,
    created_at,
    updated_at,
    ...unmapped
  } = native;
  return {
    id: String(number),
    name: title,
    summary: title,
    description: body,
    status: state,
    creator: user.login,
    assignee: assignee.login,
    tags: labels.map((label) => label.name),
    created_at,
    updated_at,
    unmapped,
  };
};

const agent = new Agent({ connections: 64 });
const headers = { authorization: 'Bearer hush', 'user-agent': 'onefold' };
const hand = async (path) => {
  const answer = await request(`${url}${path}`, { dispatcher: agent, headers });
  return await answer.body.json();
};

const policy = new EgressPolicy(['127.0.0.1']);
const clock = { now: () => Date.now() };
const dispatcher = createDispatcher(policy);
const http = new ProviderHttp({
  dispatcher,
  policy,
  permits: { acquire: async () => () => undefined },
  clock,
  tokens: undefined,
});
const provider = documentProvider(compileProvider(document));
const usage = new CallUsage(new Usage(), {
  organizationId: 'o',
  accountId: 'a',
  integrationId: 'i',
});
const config = { url, credential: { type: 'token_id', value: 'crd_1' } };
const call = () => ({
  http,
  integration: { id: 'i', organizationId: 'o', accountId: 'a', providerConfig: config },
  credential: () => ({ id: 'crd_1', kind: 'token', config: { type: 'token', secret: 'hush' } }),
  signal: new AbortController().signal,
  deadline: Date.now() + 30_000,
  pollUntil: Date.now() + 30_000,
  usage,
  onResponse: () => undefined,
  path: { ticketId: '1' },
  query: {},
  list: { filters: [], orders: [] },
  clock,
  redactor: new Redactor(),
});
const context = { config, path: { ticketId: '1' } };
const engine = async (id) => {
  const operation = provider.operations[id];
  const outcome = await operation.run(call(), {});
  if ('record' in outcome) return operation.response(outcome.record, context);
  const { rows: found } = await outcome.pages.read(undefined, 100);
  return found.map((native) => operation.response(native, context));
};

async function measure(work, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}

/** @type {[name: string, byHand: () => any, byEngine: () => any, count: number][]} */
const pairs = [
  ['one record', () => hand('/issues/1').then(byHand), () => engine('ticketing_get_ticket'), calls],
  [
    'a page of 100 rows',
    () => hand('/issues').then((all) => /** @type {any[]} */ (all).map(byHand)),
    () => engine('ticketing_list_comments'),
    calls / 3,
  ],
  [
    'mapping 100 rows alone',
    () => rows.map(byHand),
    () => rows.map((native) => provider.operations.ticketing_get_ticket.response(native, context)),
    calls / 3,
  ],
];
const shown = (ms) => `${(ms * 1000).toFixed(0)} µs`;
console.log('| p50 | by hand | document | added | ratio |');
console.log('| --- | --- | --- | --- | --- |');
for (const [name, first, second, count] of pairs) {
  for (const work of [first, second]) await measure(work, count / 3); // Warms up.
  const a = await measure(first, count);
  const b = await measure(second, count);
  console.log(`| ${name} | ${shown(a)} | ${shown(b)} | ${shown(b - a)} | ${(b / a).toFixed(1)} |`);
}
server.closeAllConnections();
server.close();
await agent.destroy();
await dispatcher.destroy();
