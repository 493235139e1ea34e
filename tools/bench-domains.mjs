// Measures calls of mocks over HTTP: one request of each domain, and a list of 100 devices of CrowdStrike with the share of its mapping.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { openTargets } from './bench-targets.mjs';
import { root } from './install.mjs';
import { firstMatch } from './first-match.mjs';

const { documentProvider } = await import('#connect');
const { Budgets } = await import('@onefold/mapping');
const { Mocks } = await import('#mocks');
const { readProviders } = await import('#provider-document');

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '100' } },
  strict: false,
});
const calls = Number(values.calls);
const warmUp = Math.ceil(calls / 5);
const devices = 100;
/** The company has fewer devices with a sensor than that. */
const worldScale = 2;

/** Prints the median of a call of each domain: the requests of README.md, to the demonstration of one process. */
export async function benchDomains() {
  const { startEmbedded } = await import(`${root}/dist/test/e2e/onefold.js`);
  const onefold = await startEmbedded();
  try {
    const exported = await onefold.admin('demo', '--export', '--url', onefold.api.url);
    const variables = Object.fromEntries(
      [...exported.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    );
    console.log(
      `\none call over HTTP of each domain, in one process, p50 of ${calls} calls in turn`,
    );
    const rows = [];
    for (const { domain, path, body } of requestsOfReadme()) {
      const headers = { authorization: `Bearer ${variables[domain.toUpperCase()]}` };
      const p50 = await median(() => send(`${onefold.api.url}${path}`, headers, body));
      rows.push([domain, `\`${path}\``, p50.toFixed(1)]);
    }
    printTable(['domain', 'request', 'p50 ms'], rows);
  } finally {
    await onefold.stop();
  }
}

/** Prints the median of a list of devices through gateway, NATS, connector, document and fake, and how much of it the mapping takes. */
export async function benchDevices() {
  const targets = await openTargets();
  try {
    const { api } = await targets.startDistributed((await targets.startNats()).url, {
      WORLD_SCALE: String(worldScale),
    });
    const account = await api.call('accounts_create', { body: { name: 'bench-devices' } });
    const { result } = await api.call('integrations_create', {
      path: { accountId: account.result.account.id },
      body: {
        name: 'devices',
        provider_config: { type: 'assets_crowdstrike_mock', dataset: 'basic_v0' },
      },
    });
    const headers = { authorization: `Bearer ${result.token.access.secret}` };
    const url = `${api.url}/v1/assets/devices?limit=${devices}`;
    const { result: rows } = /** @type {any} */ (await (await fetch(url, { headers })).json());
    if (rows.length !== devices) throw new Error(`the list has ${rows.length} devices`);
    const whole = await median(() => send(url, headers));
    const mapping = await mappingOfDevices();
    console.log(
      `\na list of ${devices} devices of CrowdStrike, distributed, p50 of ${calls} calls`,
    );
    printTable(
      ['part', 'p50 ms', 'share'],
      [
        ['gateway, bus, document and fake', whole.toFixed(1), '100 %'],
        ['of it the mapping', mapping.toFixed(1), `${((mapping / whole) * 100).toFixed(0)} %`],
      ],
    );
  } finally {
    await targets.stop();
  }
}

/** The requests of the table in README.md. */
function requestsOfReadme() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| `(\w+)` +\| `curl (.+)` +\|$/gm)].map(([, domain, command]) => ({
    domain,
    path: firstMatch(/"\$ONEFOLD([^"]+)"/, command),
    body: / -d '([^']+)'/.exec(command)?.[1],
  }));
}

async function send(url, headers, body) {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text.slice(0, 500)}`);
}

/** Milliseconds of the mapping of the same devices, in this process. */
async function mappingOfDevices() {
  const folder = pathToFileURL(`${join(root, 'dist/libs/providers/crowdstrike')}/`);
  const clock = { now: () => Date.now() };
  const store = { select: async () => [], write: () => Promise.reject(new Error('unexpected')) };
  const compiled = await readProviders(folder);
  const { callOf } = await import('./bench-call.mjs');
  const mocks = await new Mocks(store, clock, worldScale).make(compiled, folder);
  const type = 'assets_crowdstrike';
  /** @type {any} A mock of such a type has the operation. */
  const mock = mocks.find((one) => one.type === `${type}_mock`);
  const { pages } = await mock.operations.assets_query_devices.run(
    callOf('int_devices', clock),
    {},
  );
  const { rows } = await pages.read(undefined, devices);
  const own = /** @type {typeof compiled[0]} */ (
    compiled.find(({ source }) => source.provider === type)
  );
  const { response } = /** @type {any} */ (documentProvider(own).operations.assets_query_devices);
  const context = { config: {}, path: {}, limits: new Budgets().limitsOf('i', 'a', 'o') };
  if (rows.length !== devices) throw new Error(`the mapping has ${rows.length} devices`);
  return await median(() => rows.forEach((row) => response(row, context)));
}

/** Prints a table as docs/performance.md has it. */
function printTable(head, rows) {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  console.log(
    [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'),
  );
}

async function median(work) {
  for (let made = 0; made < warmUp; made += 1) await work();
  const times = [];
  for (let made = 0; made < calls; made += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.toSorted((one, other) => one - other)[calls >> 1];
}
