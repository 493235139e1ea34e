// Services that the benches call: Onefold distributed and embedded, of this checkout or of another built one, and the bare chain.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';
import { firstMatch } from './first-match.mjs';

/** Processes of their own are started with the options of Node that the image has, the bare chain too. */
export const imageOptions = {
  NODE_OPTIONS: firstMatch(
    /^ENV NODE_OPTIONS=(.+)$/m,
    readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'),
  ),
};

/** Loads the code that starts the services of a checkout. Its `stop` ends everything that was started. */
export async function openTargets(checkout = root) {
  const dist = join(checkout, 'dist');
  const { startNats } = await import(`${dist}/test/harness/nats/nats.js`);
  const { startApp } = await import(`${dist}/test/e2e/processes.js`);
  const { Client } = await import(`${dist}/test/e2e/client.js`);
  const { createMockIntegration } = await import(`${dist}/test/e2e/records.js`);
  const { startEmbeddedPostgres } = await import(`${dist}/libs/embedded/src/index.js`);
  const { admin } = await import(`${dist}/test/e2e/onefold.js`);

  const folder = mkdtempSync(join(tmpdir(), 'onefold-bench-'));
  chmodSync(folder, 0o711); // The database runs as another user.
  const stops = [];

  /** @param settings further variables of the processes */
  async function startDistributed(natsUrl, settings = {}) {
    const database = await startEmbeddedPostgres({ folder: join(folder, 'database') });
    stops.push(() => database.stop());
    const env = {
      DATABASE_URL: database.url,
      NATS_URL: natsUrl,
      KEY_FILE: join(folder, 'key'),
      PORT: '0',
      OBSERVE_PORT: '0',
      HOST: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.1', // the bare chain's HTTP server
      ...imageOptions,
      ...settings,
    };
    await admin(env, 'key');
    await admin(env, 'migrate');
    const token = firstMatch(/^Organization token: (\S+)$/m, await admin(env, 'token'));
    const processes = ['management', 'connector', 'gateway'].map((name) => startApp(name, [], env));
    const [management, connector, gateway] = processes;
    for (const one of processes) stops.push(() => one.stop());
    await Promise.all(processes.map((one) => one.says(/"message":"ready"/)));
    const [, url] = await gateway.says(/"address":"([^"]+)"/);
    const target = await ticketTarget(url, token, { management, connector, gateway });
    /** Starts one more process of an app with the same settings, and waits until it is ready. */
    const startAnother = async (name) => {
      const one = startApp(name, [], env);
      stops.push(() => one.stop());
      await one.says(/"message":"ready"/);
      return one;
    };
    return {
      ...target,
      token,
      startAnother,
      database: { child: { pid: database.pid } },
      databaseUrl: database.url,
      databaseLog: join(folder, 'database', 'postgres.log'),
    };
  }

  /** @param settings variables of the process */
  async function startEmbedded(settings = {}) {
    const begin = performance.now();
    const args = ['--port', '0', '--data', join(folder, 'embedded')];
    const standalone = startApp('standalone', args, settings);
    stops.push(() => standalone.stop());
    const [, url] = await standalone.says(/^Address: (\S+)$/m);
    const [, token] = await standalone.says(/^Organization token: (\S+)$/m);
    const [, integration] = await standalone.says(/^Integration token: (\S+)$/m);
    await fetch(`${url}/v1/ticketing/tickets?limit=1`, {
      headers: { authorization: `Bearer ${integration}` },
    });
    const firstAnswer = performance.now() - begin;
    return { ...(await ticketTarget(url, token, { standalone })), token, firstAnswer };
  }

  /** A ticket of a mock integration: token check, permission, mapping and one read of the database. */
  async function ticketTarget(url, token, processes) {
    await new Promise((idle) => setTimeout(idle, 3_000));
    const memory = Object.values(processes).map(({ child }) => residentMegabytes(child.pid));
    const api = new Client(url, token);
    const mock = await createMockIntegration(api, 'bench');
    const tickets = new Client(url, mock.token);
    // The second ticket: the first one has a file, whose description versions before 99da158 left out.
    const page = await tickets.call('ticketing_query_tickets', { query: { limit: 2 } });
    return {
      url: `${url}/v1/ticketing/tickets/${page.result[1].id}`,
      headers: { authorization: `Bearer ${mock.token}` },
      api,
      memory,
      processes,
    };
  }

  return {
    startDistributed,
    startEmbedded,
    /** The same response through sockets only: a front, NATS, a worker that calls an HTTP server. */
    startBare: async (natsUrl, body) => {
      const program = join(root, 'tools/bench-bare-chain.mjs');
      const env = { ...process.env, ...imageOptions };
      const child = spawn(process.execPath, [program, natsUrl], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env,
      });
      stops.push(() => child.kill());
      child.stdin.end(body);
      const addresses = await new Promise((settle) =>
        child.stdout.once('data', (text) => settle(text.toString().trim())),
      );
      const [url, provider] = addresses.split(' ');
      return { url, provider, headers: {}, processes: { bare: { child } } };
    },
    startNats: async () => {
      const nats = await startNats();
      stops.push(() => nats.stop());
      return nats;
    },
    stop: async () => {
      for (const stop of stops.reverse()) await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same ticket from the bare chain's HTTP server, through a customer's provider document. */
export async function documentTarget({ api, processes }, { provider }) {
  const data = readFileSync(join(root, 'tools/bench-provider.yaml'), 'utf8');
  await api.call('customs_create', { body: { name: 'bench', data } });
  const { account } = (await api.call('accounts_create', { body: { name: 'document' } })).result;
  return await integrationTarget({ api, processes }, { provider, accountId: account.id });
}

/** A ticket of an integration of that document. @param more further properties of the integration */
export async function integrationTarget({ api, processes }, { provider, accountId, ...more }) {
  const { token } = (
    await api.call('integrations_create', {
      path: { accountId },
      body: {
        provider_config: {
          type: 'custom_bench',
          url: provider,
          credential: { type: 'token', secret: 'hush' },
        },
        ...more,
      },
    })
  ).result;
  return {
    url: `${api.url}/v1/ticketing/tickets/1`,
    headers: { authorization: `Bearer ${token.access.secret}` },
    processes,
  };
}

/** An account of the management API, with the processes that read it. */
export async function accountTarget({ api, token, database, processes }) {
  const { gateway, management, standalone } = processes;
  const { account } = (await api.call('accounts_create', { body: { name: 'read' } })).result;
  return {
    url: `${api.url}/v1/accounts/${account.id}`,
    headers: { authorization: `Bearer ${token}` },
    processes: standalone ? { standalone } : { gateway, management, database },
  };
}

/** Processor time of each process in microseconds; the kernel counts hundredths of a second. */
export function processorTimes(processes) {
  return Object.fromEntries(
    Object.entries(processes).map(([name, { child }]) => [name, processorTime(child.pid)]),
  );
}

/** Microseconds of a process and of those that it has started: PostgreSQL has one for each connection. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    // User and system time, of the process and of its children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const own = ticks * 10_000;
    return childrenOf(pid).reduce((sum, child) => sum + (processorTime(child) || 0), own);
  } catch {
    return NaN; // Not Linux, or it has ended.
  }
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

function residentMegabytes(pid) {
  try {
    return Math.round(
      Number(firstMatch(/VmRSS:\s+(\d+)/, readFileSync(`/proc/${pid}/status`, 'utf8'))) / 1024,
    );
  } catch {
    return undefined; // Not Linux.
  }
}
