import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
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

/** A mirror may be slow, and a browser with its libraries has 130 MB. */
const maxDownloadMs = 600_000;

/**
 * Downloads a package of Debian, with the packages that it needs and that this machine does not have, and unpacks them into a folder of this
 * user's cache. With its own lists and cache, apt-get needs no root and does not change the system.
 * @param program path of the program in the package, by which a former run's result is recognized
 * @returns the folder
 * @throws Error of apt-get, where there is none or its mirror is not reached
 */
export async function unpackDebianPackage(name: string, program: string): Promise<string> {
  const cache = packageCache(name);
  if (existsSync(join(cache, program))) return cache;
  console.log(`Fetching ${name} for the tests (once, into ${cache}) ...`);
  const work = mkdtempSync(join(tmpdir(), `onefold-${name}-`));
  try {
    for (const folder of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(work, folder), { recursive: true });
    const options = [
      '-qq',
      '-o',
      `Dir::State::lists=${work}/lists`,
      '-o',
      `Dir::Cache=${work}/cache`,
      '-o',
      'APT::Sandbox::User=',
      '-o',
      'Acquire::Retries=3',
      '-o',
      'Debug::NoLocking=1',
    ];
    const apt = async (...args: string[]) =>
      (await execute('apt-get', [...options, ...args], { cwd: work, timeout: maxDownloadMs }))
        .stdout;
    await apt('update');
    const plan = await apt('install', '--simulate', '--no-install-recommends', name);
    const needed = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, one = '']) => one);
    await apt('download', ...new Set([name, ...needed]));
    const files = readdirSync(work).filter((file) => file.endsWith('.deb'));
    for (const file of files)
      await execute('dpkg', ['-x', join(work, file), join(work, 'unpacked')]);
    if (!existsSync(join(work, 'unpacked', program)))
      throw new Error(`the package ${name} has no ${program}`);
    await moveIntoCache(join(work, 'unpacked'), cache, program);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return cache;
}

/** Returns the folder of this user's cache in which a package is unpacked. */
export function packageCache(name: string): string {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const writable = [base, join(base, '..')].some((folder) => isWritable(folder));
  const own = `onefold-cache-${process.getuid?.() ?? 0}`;
  return join(writable ? join(base, 'onefold') : join(tmpdir(), own), name);
}

/** Copies the files beside the cache and renames them, so that a concurrent run never sees an incomplete program. */
async function moveIntoCache(unpacked: string, cache: string, program: string): Promise<void> {
  mkdirSync(join(cache, '..'), { recursive: true });
  const draft = `${cache}.${process.pid}`;
  await execute('cp', ['-a', unpacked, draft]);
  try {
    renameSync(draft, cache);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(cache, program))) throw error; // otherwise another run was faster
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
