// npm run bench -- answers: the largest answers that providers may send, many at a time, and the most memory that connector and gateway take meanwhile, with the heap that
// Node gives itself in a container of the manifests. Ends with 1 where a process takes more than the manifests give it, ends, or answers otherwise than with a
// success, 502, 503 or 504. docs/performance.md has what it printed.
//   npm run bench -- answers --calls 96 --only empty
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { imageOptions } from './bench-targets.mjs';
import { buildIfChanged } from './build-if-changed.mjs';
import { firstMatch } from './first-match.mjs';
import { installMissing, root } from './install.mjs';
import { listenLocally } from './listen-locally.mjs';

installMissing();
buildIfChanged('test');
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '96' },
    only: { type: 'string', multiple: true, default: [] },
    setting: { type: 'string' },
  },
});
const calls = Number(values.calls);
/** Calls to one host and of one organization are limited, so there are several hosts. */
const hostCount = 4;
const megabyte = 2 ** 20;
/** Documents allow 32 MB unless they say another limit. */
const answerBytes = 32 * megabyte - 200;
const files = {
  connector: 'components/connector/connector.yaml',
  gateway: 'base/gateway.yaml',
};
/** Memory limits of the manifests in MB, by process. */
const limits = Object.fromEntries(
  Object.entries(files).map(([name, file]) => {
    const text = readFileSync(join(root, 'deploy/kubernetes', file), 'utf8');
    return [name, Number(firstMatch(/limits:\s+(?:\S+: \S+\s+)*?memory: (\d+)Mi/, text))];
  }),
);

const dist = (path) => import(join(root, 'dist/test', `${path}.js`));
const { startOnOwnServers } = await dist('proof/own-servers');
const { recordsDocument } = await dist('proof/record-server');

const times = '"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"';
const ticket = `{"id":"1","name":"a","summary":"${'x'.repeat(400)}","status":"open","creator":"us",${times}}`;
const repeated = (text) => text.repeat(Math.floor(answerBytes / text.length)).slice(0, -1);
const names = () => {
  let text = '';
  for (let n = 0; text.length < answerBytes - 30; n += 1) text += `"field${n}":0,`;
  return text.slice(0, -1);
};
const list = (items) => Buffer.from(`{"total":1,"items":[${items}]}`);
const shapes = {
  usual: () => list(repeated(`${ticket},`)),
  empty: () => list(repeated('{},')),
  deep: () => list(repeated(`${'['.repeat(500)}${']'.repeat(500)},`)),
  names: () => list(`{${names()}}`),
  text: () => list(ticket.replace('x'.repeat(400), 'x'.repeat(answerBytes - 300))),
  small: () => list(Array.from({ length: 200 }, () => ticket).join(',')),
  expanded: () => list(Array.from({ length: 500 }, () => ticket).join(',')),
};
/** Makes 2 MB of each record. */
const expanding = 'root = this\n        root.description = this.summary.repeat(5000)';

const bodies = new Map();
const hosts = Array.from({ length: hostCount }, () =>
  createServer((request, response) => {
    const body = bodies.get(request.url?.split('/')[1]);
    response.writeHead(200, { 'content-type': 'application/json', ...body.headers });
    response.end(body.bytes);
  }),
);
const urls = await Promise.all(hosts.map(listenLocally));
const heapMegabytes = Math.floor(limits.connector / 2);
const servers = await startOnOwnServers({
  NODE_OPTIONS: `${imageOptions.NODE_OPTIONS} --max-old-space-size=${heapMegabytes}`,
  ...(values.setting === undefined ? {} : Object.fromEntries([values.setting.split('=')])),
});
let met = true;
try {
  const { api, processes } = servers.onefold;
  const watched = Object.keys(limits);
  for (const name of ['proof', 'expanded']) {
    const data = recordsDocument
      .replace('ticketing_proof', `ticketing_${name}`)
      .replace(
        'default: root = this',
        name === 'proof' ? '$&' : `default: |\n        ${expanding}`,
      );
    await api.call('customs_create', { body: { name, data } });
  }
  console.log(`${calls} calls at a time to ${hostCount} hosts, heap of ${heapMegabytes} MB`);
  console.log(
    `| answer | MB | status: calls | s | ${watched.map((one) => `${one} MB (${limits[one]})`).join(' | ')} |`,
  );
  console.log(`|---|---|---|---|${watched.map(() => '---').join('|')}|`);
  for (const [name, make] of Object.entries(shapes))
    for (const isCompressed of name === 'empty' ? [false, true] : [false]) {
      if (values.only.length > 0 && !values.only.includes(name)) continue;
      const bytes = make();
      bodies.set(
        name,
        isCompressed
          ? { bytes: gzipSync(bytes), headers: { 'content-encoding': 'gzip' } }
          : { bytes, headers: {} },
      );
      met = (await measure(name, bytes.length, isCompressed)) && met;
    }
  async function measure(name, size, isCompressed) {
    const type = name === 'expanded' ? 'ticketing_expanded' : 'ticketing_proof';
    const { account } = (await api.call('accounts_create', { body: {} })).result;
    const tokens = await Promise.all(
      urls.map(async (url) => {
        const { result } = await api.call('integrations_create', {
          path: { accountId: account.id },
          body: { provider_config: { type, url: `${url}/${name}` } },
        });
        return result.token.access.secret;
      }),
    );
    for (const one of watched) writeFileSync(`/proc/${processes[one].child.pid}/clear_refs`, '5');
    const begun = performance.now();
    const statuses = {};
    await Promise.all(
      Array.from({ length: calls }, async (_, n) => {
        const headers = { authorization: `Bearer ${tokens[n % tokens.length]}` };
        const response = await fetch(`${api.url}/v1/ticketing/tickets?limit=500`, { headers });
        if (response.body) await finished(Readable.fromWeb(response.body).resume()); // keeps nothing
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      }),
    );
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    const isAlive = Object.values(processes).every(
      ({ child }) => child.exitCode === null && child.signalCode === null,
    );
    if (!isAlive)
      throw new Error(
        `a process has ended at ${name}:\n${processes.connector.output().slice(-3_000)}`,
      );
    const peaks = watched.map((one) => peakMegabytes(processes[one].child.pid));
    const counted = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `| ${[isCompressed ? `${name}, compressed` : name, (size / megabyte).toFixed(1), counted.join(', '), seconds, ...peaks].join(' | ')} |`,
    );
    const isExpected = Object.keys(statuses).every((one) =>
      ['200', '502', '503', '504'].includes(one),
    );
    return isExpected && watched.every((one, index) => peaks[index] <= limits[one]);
  }
} finally {
  await servers.stop();
  for (const host of hosts) {
    host.closeAllConnections();
    host.close();
  }
}
console.log(met ? 'within the memory of the manifests' : 'MISSED');
process.exit(met ? 0 : 1);

function peakMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(firstMatch(/^VmHWM:\s+(\d+) kB$/m, status)) / 1_024);
}
