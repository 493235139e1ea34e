// Compares a call of a mock with the same document against the same fake over a socket, in one run.
//   npm run bench:mocks
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { root } from './install.mjs';

const { CallUsage, documentProvider, Usage } = await import('#connect');
const { createDispatcher, EgressPolicy } = await import('#egress');
const { FakeClock, FakeEngine, FakeServer, MemoryStorage, readFakeFile } = await import('#fakes');
const { Mocks } = await import('#mocks');
const { readProviders } = await import('#provider-document');
const { ProviderHttp, Redactor } = await import('#provider-http');

const vendor = 'pagerduty';
const operation = 'incidentresponse_query_escalation_policies';
const rounds = 7;
const callsPerRound = 200;

const folder = pathToFileURL(`${join(root, 'dist/libs/providers', vendor)}/`);
const clock = { now: () => Date.now() };
const [compiled] = await readProviders(folder);
const policy = new EgressPolicy(['127.0.0.1']);

const fakeClock = new FakeClock();
const engine = new FakeEngine(readFakeFile(new URL('fake.yaml', folder)), {
  storage: new MemoryStorage(),
  clock: fakeClock.now,
  start: new Date(),
  dataset: 'BASIC',
  key: 'bench',
});
engine.limits.count = () => undefined; // The vendor's rate limit would end the run.
const server = new FakeServer({ engine, clock: fakeClock, reset: () => undefined });
const url = await server.listen(0);

const store = { select: async () => [], write: () => Promise.reject(new Error('unexpected')) };
const [mock] = await new Mocks(store, clock).make(await readProviders(folder), folder);
const real = documentProvider(compiled);
const http = new ProviderHttp({
  dispatcher: redirected(createDispatcher(policy), url),
  policy: new EgressPolicy(['0.0.0.0/0', '::/0']),
  permits: { acquire: async () => () => undefined },
  tokens: undefined,
  clock,
});
const [{ secret }] = engine.credentials();

function redirected(agent, origin) {
  return agent.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, origin }, handler),
  );
}

const usage = new CallUsage(new Usage(), {
  organizationId: 'o',
  accountId: 'a',
  integrationId: 'i',
});
let opened = 0;
const call = (integrationId) => ({
  http,
  integration: {
    ...{ id: integrationId, organizationId: 'o', accountId: 'a', providerConfig: {} },
    createdAt: new Date().toISOString().slice(0, 13) + ':00:00Z',
  },
  credential: () => ({ id: 'c', kind: 'token', config: { type: 'token', secret } }),
  redactor: new Redactor(),
  signal: new AbortController().signal,
  deadline: Date.now() + 60_000,
  pollUntil: Date.now() + 60_000,
  usage,
  onResponse: () => undefined,
  path: {},
  query: {},
  list: { filters: [], orders: [] },
  clock,
});

async function round(provider) {
  opened += 1; // A new integration, whose rate limit is not used yet.
  const one = async () => {
    const { pages } = await provider.operations[operation].run(call(`int_${opened}`), {});
    return (await pages.read(undefined, 50)).rows.length;
  };
  if ((await one()) === 0) throw new Error('the list is empty');
  const begun = process.hrtime.bigint();
  for (let made = 0; made < callsPerRound; made += 1) await one();
  return Number(process.hrtime.bigint() - begun) / 1e6 / callsPerRound;
}

const times = { mock: [], socket: [] };
await round(mock);
await round(real);
for (let index = 0; index < rounds; index += 1) {
  times.mock.push(await round(mock));
  times.socket.push(await round(real));
}
const median = (some) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)];
const [ofMock, ofSocket] = [median(times.mock), median(times.socket)];
console.log(`a list of ${vendor}, median of ${rounds} rounds of ${callsPerRound} calls`);
console.log(`mock, in process       ${ofMock.toFixed(2)} ms`);
console.log(`fake, over a socket    ${ofSocket.toFixed(2)} ms`);
console.log(`ratio                  ${(ofMock / ofSocket).toFixed(2)} (at most 2)`);
await server.close();
process.exit(ofMock / ofSocket > 2 ? 1 : 0);
