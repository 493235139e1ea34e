// Records of a job per second, beside the same pages read and written by hand, and the memory of worker and connector meanwhile. Loaded by
// tools/bench-worker.mjs.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstMatch } from './first-match.mjs';

/** Records of a page of the job, and of those that are copied by hand. */
export const pageRecords = 500;
const maxWorkerMb = 300;

/** @returns false if the worker took more memory than it may */
export async function benchJobs({ onefold }, { token, sinkId }, server, records) {
  const api = onefold.api.as(token);
  await runJob(api, sinkId, Math.min(records, 5_000)); // the first pages compile everything
  report('job', records, await measure(server, () => runJob(api, sinkId, records)));
  /** @type {[name: string, mb: number][]} */
  const peaks = ['operations', 'connector'].map((name) => [
    name,
    peakMb(onefold.processes[name].child.pid),
  ]);
  const [[, workerMb]] = peaks;
  const isMet = workerMb <= maxWorkerMb;
  const shown = peaks.map(([name, mb]) => `${name} ${mb} MB`).join(', ');
  console.log(`memory at most since the start (VmHWM): ${shown}`);
  console.log(`  aim: the worker ${maxWorkerMb} MB at most, ${isMet ? 'met' : 'MISSED'}`);
  report('by hand', records, await measure(server, () => copyByHand(server.url, records)));
  return isMet;
}

async function measure({ received }, work) {
  const begun = { at: performance.now(), bytes: received.batchBytes };
  await work();
  return { ms: performance.now() - begun.at, bytes: received.batchBytes - begun.bytes };
}

/** Runs a job to its end. */
async function runJob(api, sinkId, limit) {
  const input = { sink_integration_id: sinkId, limit };
  const { result } = await api.call('operations_create', {
    body: { operation: 'ticketing_query_tickets', input },
  });
  const path = { operationId: result.operation.id };
  for (;;) {
    const { status, errors } = (await api.call('operations_get', { path })).result;
    if (status === 'COMPLETE') return;
    if (status === 'CANCELLED') throw new Error(JSON.stringify(errors));
    await sleep(100);
  }
}

/** Reads each page and sends its records, one page after the other. */
async function copyByHand(url, records) {
  for (let offset = 0; offset < records; offset += pageRecords) {
    const page = await fetch(`${url}/records?offset=${offset}&limit=${pageRecords}`);
    const { items } = /** @type {any} */ (await page.json());
    const sent = await fetch(`${url}/in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `hand-${offset}` },
      body: JSON.stringify(items),
    });
    await sent.arrayBuffer();
  }
}

function report(name, records, { ms, bytes }) {
  const perSecond = (count) => Math.round((count / ms) * 1_000);
  const seconds = Math.round(ms / 1_000);
  console.log(
    `${name}: ${records} records in ${seconds} s, ${perSecond(records)} records and ${(perSecond(bytes) / 1e6).toFixed(2)} MB per second, pages of ${pageRecords}`,
  );
}

/** The most resident memory that a process has had. */
function peakMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(firstMatch(/^VmHWM:\s+(\d+) kB$/m, status)) / 1_024);
}
