// The service of the tutorial: a helpdesk with a small REST API, in memory. Run it with `node docs/providers/helpdesk.mjs`.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4010' } } });
/** Callers by their key, with their permissions. */
const people = new Map([
  ['let-me-in', { name: 'robot', may: ['read', 'write'] }],
  ['look-only', { name: 'visitor', may: ['read'] }],
]);
const maxPageSize = 10;

const subjects = ['Printer on fire', 'No network', 'Forgot my password', 'Screen flickers'];
const requests = Array.from({ length: 23 }, (_, index) => ({
  number: index + 1,
  subject: subjects[index % subjects.length],
  text: `It happened in room ${100 + index}.`,
  state: index % 3 === 0 ? 'done' : 'open',
  urgent: index % 5 === 0,
  asked_by: index % 2 === 0 ? 'ada' : 'ben',
  asked_at: new Date(Date.UTC(2026, 0, 1 + index, 8)).toISOString(),
  changed_at: new Date(Date.UTC(2026, 0, 1 + index, 9)).toISOString(),
}));

const routes = [
  ['GET', /^\/api\/me$/, ({ person }) => [200, person]],
  ['GET', /^\/api\/requests$/, list],
  ['POST', /^\/api\/requests$/, create],
  ['GET', /^\/api\/requests\/(\d+)$/, ({ found }) => [200, found]],
  ['PATCH', /^\/api\/requests\/(\d+)$/, change],
];

const server = createServer(async (incoming, response) => {
  const url = new URL(incoming.url ?? '/', 'http://helpdesk');
  const [status, body] = await answer(incoming, url);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
});

async function answer(incoming, url) {
  const person = people.get(incoming.headers['x-key']);
  if (person === undefined) return [401, { error: 'the header X-Key is wrong' }];
  if (incoming.method !== 'GET' && !person.may.includes('write'))
    return [403, { error: `a ${person.name} may only read` }];
  for (const [method, path, work] of routes) {
    const match = path.exec(url.pathname);
    if (method !== incoming.method || match === null) continue;
    const found = requests.find(({ number }) => String(number) === match[1]);
    if (match[1] !== undefined && found === undefined)
      return [404, { error: `there is no request ${match[1]}` }];
    return work({ person, query: url.searchParams, found, body: await read(incoming) });
  }
  return [404, { error: 'there is nothing here' }];
}

/** `?page=1&size=10&state=open&newest=true`: pages count from 1 and have 10 requests at most. */
function list({ query }) {
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(Number(query.get('size') ?? maxPageSize), maxPageSize);
  const state = query.get('state');
  const fitting = requests.filter((one) => state === null || one.state === state);
  const ordered = query.get('newest') === 'true' ? fitting.toReversed() : fitting;
  return [200, { total: fitting.length, requests: ordered.slice((page - 1) * size, page * size) }];
}

function create({ person, body }) {
  if (!body.subject) return [422, { error: 'a request needs a subject' }];
  const now = new Date().toISOString();
  const made = {
    number: requests.length + 1,
    text: '',
    state: 'open',
    urgent: false,
    asked_by: person.name,
    ...body,
    asked_at: now,
    changed_at: now,
  };
  requests.push(made);
  return [201, made];
}

function change({ found, body }) {
  return [200, Object.assign(found, body, { changed_at: new Date().toISOString() })];
}

async function read(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`The helpdesk is at http://127.0.0.1:${server.address().port}`);
});
