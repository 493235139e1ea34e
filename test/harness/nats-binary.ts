import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Returns the path of a nats-server: on PATH, in common folders, or in this user's cache, where Debian's package is unpacked
 * without root if none is found. The error names the three ways to provide one.
 */
export async function findNatsServer(): Promise<string> {
  const cache = cacheFolder();
  const cached = join(cache, 'usr/sbin/nats-server');
  const commonFolders = [
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
    join(homedir(), 'go/bin'),
  ];
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const found = [...onPath, ...commonFolders].map((folder) => join(folder, 'nats-server'));
  const usable = [...found, cached].find(isExecutable);
  if (usable !== undefined) return usable;
  try {
    await unpackDebianPackage(cache);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause);
    throw new Error(
      'The tests need a nats-server and found none. There are three ways to provide one: set NATS_URL to a running server; ' +
        'put nats-server on PATH (`apt-get install nats-server`, or https://nats.io/download); ' +
        `or give apt-get access to a Debian mirror, so that the tests can unpack the package into ${cache} (this failed: ${reason}).`,
      { cause },
    );
  }
  return cached;
}

/** Downloads and unpacks the package. With its own lists and cache, `apt-get download` needs no root and does not change the system. */
async function unpackDebianPackage(cache: string): Promise<void> {
  console.log(`Fetching nats-server for the tests (once, into ${cache}) ...`);
  const work = mkdtempSync(join(tmpdir(), 'onefold-nats-'));
  try {
    for (const folder of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(work, folder), { recursive: true });
    const options = [
      '-qq',
      ...['-o', `Dir::State::lists=${work}/lists`, '-o', `Dir::Cache=${work}/cache`],
      ...['-o', 'APT::Sandbox::User=', '-o', 'Acquire::Retries=3', '-o', 'Debug::NoLocking=1'],
    ];
    await execute('apt-get', [...options, 'update'], { cwd: work, timeout: 120_000 });
    await execute('apt-get', [...options, 'download', 'nats-server'], {
      cwd: work,
      timeout: 120_000,
    });
    const file = readdirSync(work).find((name) => name.endsWith('.deb'));
    if (file === undefined) throw new Error('apt-get downloaded no package');
    await execute('dpkg', ['-x', join(work, file), join(work, 'unpacked')]);
    await moveIntoCache(join(work, 'unpacked'), cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Copies the program beside the cache and renames it, so that a concurrent run never sees an incomplete program. */
async function moveIntoCache(unpacked: string, cache: string): Promise<void> {
  mkdirSync(join(cache, '..'), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await execute('cp', ['-a', unpacked, draft]);
  try {
    renameSync(draft, cache);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isExecutable(join(cache, 'usr/sbin/nats-server'))) throw error; // otherwise another run was faster
  }
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const writable = [base, join(base, '..')].some((folder) => isWritable(folder));
  const own = `onefold-cache-${process.getuid?.() ?? 0}`;
  return join(writable ? join(base, 'onefold') : join(tmpdir(), own), 'nats-server');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
