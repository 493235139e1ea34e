// Records of a job per second, beside the same pages read and written by hand, and the memory of worker and connector meanwhile. Loaded by
// tools/bench-worker.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './install.mjs';

const proof = (name) => import(join(root, `dist/test/proof/${name}.js`));
const pageRecords = 500;
const sampleMs = 250;

/** @param records how many the job has */
export async function benchJobs(records) {
  const { RecordServer } = await proof('record-server');
  const { startOnOwnServers, integrateRecords } = await proof('own-servers');
  const server = await RecordServer.start(records, { forgets: true });
  const servers = await startOnOwnServers({ JOB_PAGE_RECORDS: String(pageRecords) });
  try {
    const { onefold } = servers;
    const { token, sinkId } = await integrateRecords(onefold, server.url);
    const api = onefold.api.as(token);
    await runJob(api, sinkId, Math.min(records, 5_000)); // the first pages compile everything
    const memory = watchMemory(onefold.processes, ['operations', 'connector']);
    report('job', records, await runJob(api, sinkId));
    console.log(memory.stop());
    report('by hand', records, await copyByHand(server.url));
  } finally {
    await servers.stop();
    await server.stop();
  }
}

/** Runs a job to its end. @returns milliseconds */
async function runJob(api, sinkId, limit) {
  const begun = performance.now();
  const input = { sink_integration_id: sinkId, ...(limit && { limit }) };
  const { result } = await api.call('operations_create', {
    body: { operation: 'ticketing_query_tickets', input },
  });
  const path = { operationId: result.operation.id };
  for (;;) {
    const { status, errors } = (await api.call('operations_get', { path })).result;
    if (status === 'COMPLETE') return performance.now() - begun;
    if (status === 'CANCELLED') throw new Error(JSON.stringify(errors));
    await sleep(100);
  }
}

/** Reads each page and sends its records, one page after the other. @returns milliseconds */
async function copyByHand(url) {
  const begun = performance.now();
  for (let offset = 0; ; offset += pageRecords) {
    const page = await fetch(`${url}/records?offset=${offset}&limit=${pageRecords}`);
    const { items, total } = await page.json();
    const sent = await fetch(`${url}/in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `hand-${offset}` },
      body: JSON.stringify(items),
    });
    await sent.arrayBuffer();
    if (offset + pageRecords >= total) return performance.now() - begun;
  }
}

function report(name, records, elapsedMs) {
  const perSecond = Math.round((records / elapsedMs) * 1_000);
  console.log(`${name}: ${records} records, ${perSecond} per second, pages of ${pageRecords}`);
}

/** Samples the resident memory of processes. */
function watchMemory(processes, names) {
  const peaks = new Map(names.map((name) => [name, 0]));
  const timer = setInterval(() => {
    for (const name of names) {
      const status = readFileSync(`/proc/${processes[name].child.pid}/status`, 'utf8');
      const mb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) / 1_024;
      peaks.set(name, Math.max(peaks.get(name), mb));
    }
  }, sampleMs);
  return {
    stop: () => {
      clearInterval(timer);
      const shown = [...peaks].map(([name, mb]) => `${name} ${Math.round(mb)} MB`);
      return `memory at most: ${shown.join(', ')}`;
    },
  };
}
