import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#test/harness';

const programs = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];
const parents = ['/usr/lib/postgresql', '/opt/homebrew/opt'];
const nobody = 65_534;

/** Folder of an installation of PostgreSQL that has a server and pg_dump of one version; undefined if there is none. */
export const postgresTools: string | undefined = [
  ...parents
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((version) => join(folder, version, 'bin')))
    .toReversed(),
  ...(process.env['PATH'] ?? '').split(':'),
].find((folder) => programs.every((program) => existsSync(join(folder, program))));

/** PostgreSQL of the version of `pg_dump`, which refuses to dump a newer one such as the embedded server. */
export interface PostgresOfTools {
  /** Address of a database, for a role that has its name as password. */
  url(role: string, database: string): string;
  /** Runs `pg_dump`, `pg_restore` or another program. @returns its output */
  run(program: string, ...args: string[]): string;
  /** Runs a statement as the superuser. */
  query(statement: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server of a folder with programs, with roles as deploy/postgres-roles.sh makes them. */
export async function startPostgresOfTools(bin: string): Promise<PostgresOfTools> {
  const folder = mkdtempSync(join(tmpdir(), 'onefold-tools-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody, nobody); // PostgreSQL refuses to run as root
  chmodSync(folder, 0o700);
  const prefix = isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  const [command, before] =
    process.platform === 'linux'
      ? (['setpriv', [...prefix, '--pdeathsig', 'INT', '--']] as const)
      : (['/usr/bin/env', []] as const);
  const data = join(folder, 'data');
  const initialize = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--no-sync'];
  execFileSync(command, [...before, join(bin, 'initdb'), ...initialize], {
    cwd: '/',
    stdio: 'pipe',
  });
  const port = await freePort();
  const settings = [`port=${port}`, 'fsync=off', 'unix_socket_directories=', 'max_connections=50'];
  const server = spawn(
    command,
    [...before, join(bin, 'postgres'), '-D', data, ...settings.flatMap((one) => ['-c', one])],
    { cwd: '/', stdio: 'ignore' },
  );
  const url = (role: string, database: string) =>
    `postgres://${role}:${role}@127.0.0.1:${port}/${database}`;
  const query = async (statement: string) => {
    const client = new pg.Client({ connectionString: url('postgres', 'postgres') });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await waitUntilReady(server, query);
  for (const statement of [
    'create role onefold_application nologin',
    "create role onefold_owner login password 'onefold_owner'",
    'grant onefold_application to onefold_owner with admin option',
    "create role onefold_service login password 'onefold_service' in role onefold_application",
  ])
    await query(statement);
  return {
    url,
    query,
    run: (program, ...args) =>
      execFileSync(join(bin, program), args, { encoding: 'utf8', stdio: 'pipe' }),
    stop: async () => {
      server.kill('SIGINT');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

async function waitUntilReady(
  server: ChildProcess,
  query: (statement: string) => Promise<void>,
): Promise<void> {
  let last: unknown;
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`postgres exited with code ${server.exitCode}`);
    try {
      return await query('select 1');
    } catch (error) {
      last = error;
      await sleep(100);
    }
  }
  throw new Error('postgres did not answer within a minute', { cause: last });
}
