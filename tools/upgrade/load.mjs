// Calls an installation without a pause while its processes are replaced, and counts what failed: every domain, files in both directions,
// the management API, and jobs. A call that fails is not repeated.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { caller, makeIntegration, requests } from '../../deploy/smoke.mjs';

const maxCallMs = 60_000;
const maxJobMs = 120_000;
const attachmentBytes = 200_000;
const fileBytes = 200_000;
/** The mock keeps 256 MB of files, with those that were deleted in the last ten minutes. */
const minFileIntervalMs = 600;
/** The mock of the sink keeps 32 MB of records, and each job writes all endpoints there. */
const minJobIntervalMs = 2_000;
/** The mock of notifications takes 100 calls a minute, as its provider does; a call above that waits, or is answered with 429. */
const minNotificationIntervalMs = 700;
const withFiles = 'ticketing_mock_ticketing';
const maxKeptFailures = 20;

/** Makes what the load calls. @param gateways addresses; the first is asked */
async function prepare(gateways, token) {
  const call = caller(gateways[0]);
  const types = (await call(token, 'GET', '/v1/capabilities/providers')).map(({ id }) => id);
  const name = `upgrade-${randomBytes(4).toString('hex')}`;
  const { account } = await call(token, 'POST', '/v1/accounts', { name, environment: 'test' });
  const integrations = {};
  for (const domain of Object.keys(requests))
    integrations[domain] = await makeIntegration(call, token, account.id, domain, types);
  // The mock of ticketing that keeps files of tickets.
  integrations.tickets = await makeIntegration(call, token, account.id, 'ticketing', [withFiles]);
  return { account, integrations };
}

/**
 * Starts callers. @param gateways addresses of the gateways that get new calls: the caller of this function changes the list, as Kubernetes
 * does with those of a Service
 */
export async function startLoad({ gateways, token, callers = 6, pauseMs = 20 }) {
  const { account, integrations } = await prepare(gateways, token);
  const counts = {};
  const failures = [];
  let failed = 0;
  let slowest = { ms: 0, call: 'none' };
  let turn = 0;
  let nextFile = 0;
  let nextNotification = 0;
  let isRunning = true;

  /** Makes one call and counts it. @returns the response, with its body read @throws Error unless it is 2xx */
  async function send(kind, secret, method, path, body) {
    const gateway = gateways[(turn += 1) % gateways.length];
    const isBinary = Buffer.isBuffer(body);
    const begin = performance.now();
    counts[kind] = (counts[kind] ?? 0) + 1;
    try {
      const response = await fetch(`${gateway}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': isBinary ? 'application/octet-stream' : 'application/json',
        },
        ...(body === undefined ? {} : { body: isBinary ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(maxCallMs),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(`${response.status} ${bytes.subarray(0, 400)}`);
      return bytes;
    } catch (error) {
      const ms = Math.round(performance.now() - begin);
      fail(
        `${kind}: ${method} ${path} at ${gateway}, after ${ms} ms: ${error.cause?.message ?? error.message}`,
      );
      throw new Counted();
    } finally {
      const ms = Math.round(performance.now() - begin);
      if (ms > slowest.ms)
        slowest = { ms, call: `${method} ${path}, ended at ${new Date().toISOString()}` };
    }
  }
  const json = async (...args) => JSON.parse(String(await send(...args))).result;

  function fail(text) {
    failed += 1;
    failures.push(`${new Date().toISOString()} ${text}`);
    if (failures.length > maxKeptFailures) failures.splice(maxKeptFailures / 2, 1); // the first and the last are kept
  }

  const domains = Object.entries(requests);
  const tasks = {
    domains: async (at) => {
      const [domain, [path, body]] = domains[at % domains.length];
      if (domain === 'notifications') {
        if (Date.now() < nextNotification) return;
        nextNotification = Date.now() + minNotificationIntervalMs;
      }
      const { secret } = integrations[domain];
      await send('domains', secret, body === undefined ? 'GET' : 'POST', path, body);
    },
    attachments: async () => {
      const { secret } = integrations.tickets;
      const ticket = await json('tickets', secret, 'POST', '/v1/ticketing/tickets', {
        name: 'upgrade',
      });
      const content = randomBytes(attachmentBytes).toString('base64');
      const folder = `/v1/ticketing/attachments/${ticket.id}`;
      const file = { file_name: 'a.bin', content };
      const { id } = await json('attachments', secret, 'POST', folder, file);
      const back = await json('attachments', secret, 'GET', `${folder}/${id}/download`);
      if (back.content !== content) fail(`attachment ${id} came back with other bytes`);
      await send('attachments', secret, 'DELETE', `${folder}/${id}`);
    },
    files: async (at) => {
      if (Date.now() < nextFile) return await tasks.domains(at);
      nextFile = Date.now() + minFileIntervalMs;
      const { secret } = integrations.storage;
      const path = `/v1/storage/files/upgrade/${at}`;
      const content = randomBytes(fileBytes);
      await send('files', secret, 'POST', path, content);
      if (!content.equals(await send('files', secret, 'GET', path)))
        fail(`file ${at} came back with other bytes`);
      await send('files', secret, 'DELETE', path);
    },
    management: async () => {
      const path = `/v1/accounts/${account.id}`;
      await send('management', token, 'GET', path);
      await send('management', token, 'GET', `/v1/integrations/${account.id}`);
    },
    jobs: async () => {
      await sleep(minJobIntervalMs);
      const { operation: started } = await json(
        'jobs',
        integrations.edr.secret,
        'POST',
        '/v1/operations',
        {
          operation: 'edr_query_endpoints',
          input: { sink_integration_id: integrations.sink.id },
        },
      );
      for (const until = Date.now() + maxJobMs; ; await sleep(1_000)) {
        const job = await json(
          'jobs',
          integrations.edr.secret,
          'GET',
          `/v1/operations/${started.id}`,
        );
        if (job.status === 'COMPLETE') return;
        if (Date.now() < until && ['SCHEDULED', 'PROCESSING'].includes(job.status)) continue;
        return fail(`job ${started.id} is ${job.status}: ${JSON.stringify(job)}`);
      }
    },
  };

  /** Half of the turns call domains. */
  const order = ['domains', 'attachments', 'domains', 'files', 'domains', 'management'];
  async function work(number, names) {
    for (let at = number; isRunning; at += callers) {
      try {
        await tasks[names[Math.floor(at / callers) % names.length]](at);
      } catch (error) {
        if (!(error instanceof Counted)) fail(`${error.stack}`);
      }
      await sleep(pauseMs);
    }
  }
  const all = Promise.all([
    ...Array.from({ length: callers }, (_, number) => work(number, order)),
    work(callers, ['jobs']),
  ]);

  return {
    /** Says how many calls there were, how many failed, and why. */
    report: () => ({ counts: { ...counts }, failed, failures, slowest }),
    stop: async () => {
      isRunning = false;
      await all;
    },
  };
}

/** A failed call that was counted where it was made. */
class Counted extends Error {}
