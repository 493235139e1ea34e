import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#embedded';
import { migrateQueue } from '#queue';
import { migrate } from '#store';
import type { Client } from '../e2e/client.js';
import { newFolder, type Onefold, startDistributed } from '../e2e/onefold.js';
import { recordsDocument } from './record-server.js';

/** Onefold as processes, with a PostgreSQL and a NATS of its own that can be killed. */
export interface OwnServers {
  onefold: Onefold;
  databaseUrl: string;
  /** Kills PostgreSQL with SIGKILL and starts it again on its data. */
  killPostgres: () => Promise<void>;
  killNats: () => Promise<void>;
  /** Stops PostgreSQL, and starts it again with what is returned. */
  stopPostgres: () => Promise<() => Promise<void>>;
  /** Sends a signal to PostgreSQL and all processes of its connections, such as SIGSTOP. */
  signalPostgres: (signal: NodeJS.Signals) => void;
  stop: () => Promise<void>;
}

export async function startOnOwnServers(settings: Record<string, string>): Promise<OwnServers> {
  const folder = join(newFolder(), 'database');
  let postgres = await startEmbeddedPostgres({ folder, maxConnections: 200 });
  const { url, port } = postgres;
  const drop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const startAgain = async () => {
    postgres = await startEmbeddedPostgres({ folder, port, maxConnections: 200 });
  };
  try {
    await migrate(url, migrateQueue);
    const onefold = await startDistributed(settings, { database: { url, drop } });
    return {
      onefold,
      databaseUrl: url,
      killPostgres: async () => {
        process.kill(postgres.pid, 'SIGKILL');
        await postgres.stop(); // waits for its end, and frees the folder
        await startAgain();
      },
      stopPostgres: async () => {
        await postgres.stop();
        return startAgain;
      },
      signalPostgres: (signal) => {
        for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) process.kill(pid, signal);
      },
      killNats: async () => {
        await onefold.nats?.stop('SIGKILL');
        await onefold.nats?.start();
      },
      stop: onefold.stop,
    };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** Returns the processes that a process has started. */
function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Number(line)]));
}

/** An integration of the provider `ticketing_proof`, and a sink in its account. */
export interface Integrated {
  token: string;
  sinkId: string;
  accountId: string;
  integrationId: string;
  /** Creates one more integration of the provider. */
  integrateAnother: () => Promise<{ id: string; token: string }>;
}

/** Secret that the provider `ticketing_proof` signs its messages with. */
const providerKey = 'the secret of the provider ticketing_proof';

/**
 * Creates an integration that reads the records of a server and passes messages about them on to its `/relay`, and a sink that writes the
 * records back.
 */
export async function integrateRecords({ api }: Onefold, url: string): Promise<Integrated> {
  await api.call('customs_create', { body: { name: 'proof', data: recordsDocument } });
  const { account } = (await api.call('accounts_create', { body: { name: 'records' } })).result;
  const integrate = async (config: object, more: object = {}) => {
    const made = await api.call('integrations_create', {
      path: { accountId: account.id },
      body: { provider_config: config, ...more },
    });
    return { id: made.result.integration.id, token: made.result.token.access.secret };
  };
  const integrateAnother = () =>
    integrate(
      { type: 'ticketing_proof', url },
      { webhook_config: { provider_key: providerKey, items: [{ webhook_url: `${url}/relay` }] } },
    );
  const { token, id } = await integrateAnother();
  const sink = await integrate({ type: 'sink_http', url: `${url}/in` });
  return { token, sinkId: sink.id, accountId: account.id, integrationId: id, integrateAnother };
}

/** Sends a message of the provider, as it does for a change of a record. @returns the status of the answer */
export async function sendMessage(api: Client, token: string, message: string): Promise<number> {
  const body = JSON.stringify({ message, record: message });
  const signature = createHmac('sha256', providerKey).update(body).digest('hex');
  const response = await fetch(`${api.url}/v1/hooks?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-proof-signature': signature },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
