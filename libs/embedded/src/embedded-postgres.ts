import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Binaries, findBinaries } from './binaries.js';
import { clearLeftover, prepareCluster } from './cluster.js';
import { EmbeddedError, errorText } from './embedded-error.js';
import {
  connectionUrl,
  type DataFolder,
  dataFolder,
  prepareFolder,
  readPostmaster,
} from './folder.js';
import { takeLock } from './folder-lock.js';
import { chooseLauncher } from './launcher.js';

/** How often a free port is chosen: PostgreSQL listens on it moments later, and another program may be faster. */
const maxPortTries = 5;

export interface EmbeddedOptions {
  /** The data folder, such as `./data`; created when it is missing. */
  folder: string;
  /** A fixed port on 127.0.0.1; any free port if omitted. */
  port?: number;
  /** False for tests: writes do not wait for the disk, so a power cut loses data. */
  durable?: boolean;
  maxConnections?: number;
  /** The folder of the programs, instead of the installed package (for tests). */
  binaries?: string;
}

export interface EmbeddedPostgres {
  /** Connects to the database `onefold` as the owner of the cluster: `postgres://onefold:...@127.0.0.1:port/onefold`. */
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has exited for any reason. */
  exited: Promise<void>;
  /** Ends all sessions, flushes memory to disk, stops the server and releases the folder. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on 127.0.0.1 with its data in the folder, and creates the folder and the database when they are missing.
 * The server stops when this process ends, even if it is killed.
 * @throws EmbeddedError whose message names the place, cause and remedy.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = dataFolder(options.folder);
  prepareFolder(folder);
  const release = takeLock(folder.lock);
  try {
    const binaries = findBinaries(folder.libraries, options.binaries);
    const launcher = await chooseLauncher(binaries, folder);
    await clearLeftover(folder);
    await prepareCluster(folder, binaries, launcher);
    for (let tries = 1; ; tries += 1) {
      try {
        return await serve(folder, binaries, launcher, options, release);
      } catch (error) {
        if (options.port || tries === maxPortTries || !isPortTaken(error)) throw error;
      }
    }
  } catch (error) {
    release();
    throw error;
  }
}

/** True where another program took the free port before PostgreSQL listened on it. */
function isPortTaken(error: unknown): boolean {
  return error instanceof EmbeddedError && error.code === 'port_taken';
}

/** Returns the URL of the database that another process runs on this folder; undefined when none does. */
export function runningPostgresUrl(folder: string): string | undefined {
  const data = dataFolder(folder);
  const postmaster = readPostmaster(data);
  return postmaster?.ready === true ? connectionUrl(data, postmaster.port) : undefined;
}

async function serve(
  folder: DataFolder,
  binaries: Binaries,
  launcher: Awaited<ReturnType<typeof chooseLauncher>>,
  options: EmbeddedOptions,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const port = await freePort(options.port);
  const log = openLog(folder);
  const from = statSync(folder.log).size;
  const child = launcher.spawn(
    binaries.postgres,
    ['-D', folder.cluster, ...serverSettings(port, options)],
    log,
  );
  closeSync(log);
  const exited = once(child, 'exit').then(() => undefined);
  const stop = async () => {
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGQUIT'), 30_000);
    await exited;
    clearTimeout(late);
    release();
  };
  try {
    await waitUntilReady(child, folder, from);
    const url = connectionUrl(folder, port);
    await createDatabase(url, folder);
    return { url, port, pid: child.pid ?? 0, exited, stop };
  } catch (error) {
    if (child.exitCode === null && child.signalCode === null) await stop();
    throw error;
  }
}

function serverSettings(
  port: number,
  { durable = true, maxConnections = 100 }: EmbeddedOptions,
): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_statement: 'none',
    log_min_error_statement: 'panic', // the text of a failed statement may contain a tenant's data
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Returns the given port, or any free port for 0. @throws EmbeddedError when the port is in use */
async function freePort(wanted = 0): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(wanted, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' && address !== null ? address.port : wanted;
  } catch (cause) {
    throw new EmbeddedError(
      'port_taken',
      `127.0.0.1:${wanted}`,
      'the port for the database is in use by another program',
      'Choose another port, or omit it to use any free port.',
      { cause },
    );
  } finally {
    probe.close();
  }
}

/** Opens the log for appending. A log that has grown past 10 MB is first renamed to `.1`. */
function openLog({ log }: DataFolder): number {
  if (existsSync(log) && statSync(log).size > 10_000_000) renameSync(log, `${log}.1`);
  return openSync(log, 'a', 0o600);
}

async function waitUntilReady(
  child: ChildProcess,
  folder: DataFolder,
  logFrom: number,
): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  // Recovery after a crash may take long, so this waits until the server is ready or exits.
  for (;;) {
    if (failure !== undefined || child.exitCode !== null || child.signalCode !== null)
      throw startFailure(folder, logFrom, failure);
    if (readPostmaster(folder)?.ready === true) return;
    await sleep(10);
  }
}

function startFailure(folder: DataFolder, logFrom: number, cause?: Error): EmbeddedError {
  const lines = readFileSync(folder.log).subarray(logFrom).toString('utf8').split('\n');
  const logLine = lines.find((line) => /FATAL|PANIC|could not/.test(line)) ?? lines.at(-2) ?? '';
  const reason = logLine.replace(/^.*?(?:FATAL|PANIC|LOG|WARNING): +/, '');
  return new EmbeddedError(
    /could not bind/.test(logLine) ? 'port_taken' : 'start_failed',
    folder.cluster,
    `PostgreSQL did not start (${cause?.message ?? reason})`,
    `Its log is ${folder.log}.`,
    { cause },
  );
}

async function createDatabase(url: string, folder: DataFolder): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'onefold'");
    if (rowCount === 0) await client.query('create database onefold');
  } catch (cause) {
    throw new EmbeddedError(
      'start_failed',
      folder.cluster,
      `PostgreSQL is running, but its database cannot be opened (${errorText(cause)})`,
      `The password is read from ${folder.password}; the server's log is ${folder.log}.`,
      { cause },
    );
  } finally {
    await client.end();
  }
}
