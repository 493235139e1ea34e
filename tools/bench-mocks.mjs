// Compares a call of a mock with the same document against the same fake over a socket, in one run; then measures a call of each domain, and a list
// of 100 devices.
//   npm run bench -- mocks --calls 100
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { root } from './install.mjs';

const { documentProvider } = await import('#connect');
const { createDispatcher, EgressPolicy } = await import('#egress');
const { FakeClock, FakeEngine, FakeServer, MemoryStorage, readFakeFile } = await import('#fakes');
const { Mocks } = await import('#mocks');
const { readProviders } = await import('#provider-document');
const { ProviderHttp } = await import('#provider-http');
const { callOf } = await import('./bench-call.mjs');
const { benchDevices, benchDomains } = await import('./bench-domains.mjs');

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
  tokens: { get: () => Promise.reject(new Error('unexpected')) },
  clock,
});
const [{ secret }] = engine.credentials();

function redirected(agent, origin) {
  return agent.compose(
    (dispatch) => (options, handler) => dispatch({ ...options, origin }, handler),
  );
}

let opened = 0;
const credential = { id: 'c', kind: 'token', config: { type: 'token', secret } };
const call = (integrationId) =>
  callOf(integrationId, clock, { http, credential: () => credential });

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

/** @type {Record<'mock' | 'socket', number[]>} */
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
await benchDomains();
await benchDevices();
process.exit(ofMock / ofSocket > 2 ? 1 : 0);
