import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries } from './binaries.js';
import { EmbeddedError, errorCode, errorText } from './embedded-error.js';
import { clusterPassword, type DataFolder, readPostmaster } from './folder.js';
import { type Launcher } from './launcher.js';

/** Makes the cluster unless there is one; the one that is there must be of the same major version. */
export async function prepareCluster(
  folder: DataFolder,
  binaries: Binaries,
  launcher: Launcher,
): Promise<void> {
  if (!existsSync(folder.cluster)) return create(folder, binaries, launcher);
  const file = join(folder.cluster, 'PG_VERSION');
  const version = Number(read(file, folder).trim());
  if (version !== launcher.major)
    throw new EmbeddedError(
      'major_version',
      folder.cluster,
      `the data was written by PostgreSQL ${version}, and this version of Onefold brings PostgreSQL ${launcher.major}`,
      `Dump it with PostgreSQL ${version} (pg_dump) and restore it into a new folder given with --data, or go back to the version of Onefold that wrote it.`,
    );
}

/** Built aside and renamed when complete, so that a start which is killed leaves no half cluster. */
async function create(folder: DataFolder, binaries: Binaries, launcher: Launcher): Promise<void> {
  const draft = `${folder.cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const password = join(draft, 'password');
  writeFileSync(password, clusterPassword(folder), { mode: 0o600 });
  const { uid } = launcher;
  if (uid !== undefined) for (const path of [draft, password]) chownSync(path, uid, uid);
  const cluster = join(draft, 'cluster');
  try {
    await launcher.run(binaries.initdb, [
      ...['--pgdata', cluster, '--username', 'onefold', '--pwfile', password],
      // The built-in collation does not change with the operating system, so indexes stay valid when that is upgraded.
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'],
      ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-sync'],
    ]);
  } catch (cause) {
    throw new EmbeddedError(
      'start_failed',
      folder.cluster,
      `initdb could not create the database (${lastLine(cause)})`,
      'Check that the disk has 100 MB free and that its file system keeps owners and modes, or give another folder with --data.',
      { cause },
    );
  }
  renameSync(cluster, folder.cluster);
  rmSync(draft, { recursive: true, force: true });
}

/**
 * After kill -9 of the process that started it, PostgreSQL stops by itself within moments; where it does not (no setpriv)
 * it is stopped here. The caller holds the folder's lock, so whatever runs on it has lost its owner.
 */
export async function clearLeftover(folder: DataFolder): Promise<void> {
  const deadline = Date.now() + 30_000;
  let asked = false;
  for (;;) {
    const left = readPostmaster(folder);
    if (left === undefined) return;
    if (!runsOn(left.pid, folder)) {
      // Its number may belong to an unrelated process by now, which PostgreSQL would take for a server still running.
      rmSync(join(folder.cluster, 'postmaster.pid'), { force: true });
      return;
    }
    if (Date.now() > deadline)
      throw new EmbeddedError(
        'folder_in_use',
        folder.cluster,
        `PostgreSQL (process ${left.pid}) was left by an earlier start and does not stop`,
        `Stop it (kill ${left.pid}) and start again.`,
      );
    if (!asked && Date.now() > deadline - 28_000) {
      process.kill(left.pid, 'SIGINT'); // PostgreSQL's "fast shutdown"
      asked = true;
    }
    await sleep(25);
  }
}

/** True when the process is a PostgreSQL of this cluster: a postmaster's working directory is its data directory. */
function runsOn(pid: number, folder: DataFolder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder.cluster;
  } catch {
    return process.platform !== 'linux' || existsSync(`/proc/${pid}`); // it lives, and the system does not tell more
  }
}

function read(file: string, folder: DataFolder): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new EmbeddedError(
      'folder_not_writable',
      folder.cluster,
      'the database files cannot be read by this user',
      'They belong to the user of the first start: start as that user (or as root), or give another folder with --data.',
      { cause },
    );
  }
}

function lastLine(error: unknown): string {
  return errorText(error).trim().split('\n').at(-1) ?? '';
}
