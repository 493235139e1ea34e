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
 * The path of a nats-server: on PATH, at the usual places, in this user's cache, else Debian's package unpacked there
 * without root. The error names the three ways to provide one.
 */
export async function findNatsServer(): Promise<string> {
  const cache = cacheFolder();
  const cached = join(cache, 'usr/sbin/nats-server');
  const usual = [
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
    join(homedir(), 'go/bin'),
  ];
  const onPath = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const found = [...onPath, ...usual].map((folder) => join(folder, 'nats-server'));
  const usable = [...found, cached].find(isExecutable);
  if (usable !== undefined) return usable;
  try {
    await unpackDebianPackage(cache);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : String(cause);
    throw new Error(
      'The tests need a nats-server and found none. Three ways to give them one: set NATS_URL to a server that runs; ' +
        'put nats-server on PATH (`apt-get install nats-server`, or https://nats.io/download); ' +
        `or let apt-get reach a Debian mirror, so that the tests can unpack the package into ${cache} by themselves (it failed: ${reason}).`,
      { cause },
    );
  }
  return cached;
}

/** `apt-get download` with lists and cache of our own needs no root and leaves the system as it is. */
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
    await place(join(work, 'unpacked'), cache);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Copied beside the cache and renamed, so that two runs at once never see half a program. */
async function place(unpacked: string, cache: string): Promise<void> {
  mkdirSync(join(cache, '..'), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await execute('cp', ['-a', unpacked, draft]);
  try {
    renameSync(draft, cache);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isExecutable(join(cache, 'usr/sbin/nats-server'))) throw error; // else another run was quicker
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
