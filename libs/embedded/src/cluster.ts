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

/** Creates the database cluster if it does not exist. An existing one must have the same major version. */
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
      `the data was written by PostgreSQL ${version}, but this version of Onefold includes PostgreSQL ${launcher.major}`,
      `Dump it with PostgreSQL ${version} (pg_dump) and restore it into a new folder given with --data, or go back to the version of Onefold that wrote it.`,
    );
}

/** Creates the cluster in a temporary folder and renames it at the end, so that a killed start leaves no incomplete cluster. */
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
      '--pgdata',
      cluster,
      '--username',
      'onefold',
      '--pwfile',
      password,
      // The built-in collation does not depend on the operating system, so indexes stay valid when that is upgraded.
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
      '--no-sync',
    ]);
  } catch (cause) {
    throw new EmbeddedError(
      'start_failed',
      folder.cluster,
      `initdb could not create the database (${lastLine(cause)})`,
      'Check that the disk has 100 MB free and that its file system stores owners and modes, or give another folder with --data.',
      { cause },
    );
  }
  renameSync(cluster, folder.cluster);
  rmSync(draft, { recursive: true, force: true });
}

/**
 * Stops a PostgreSQL whose parent process was killed. It normally stops by itself within moments, but cannot without setpriv.
 * The caller holds the folder's lock, so any server that runs on the folder has lost its parent.
 */
export async function clearLeftover(folder: DataFolder): Promise<void> {
  const deadline = Date.now() + 30_000;
  let asked = false;
  for (;;) {
    const leftover = readPostmaster(folder);
    if (leftover === undefined) return;
    if (!runsOnCluster(leftover.pid, folder)) {
      // The process id may have been reused, and PostgreSQL would mistake that process for a running server.
      rmSync(join(folder.cluster, 'postmaster.pid'), { force: true });
      return;
    }
    if (Date.now() > deadline)
      throw new EmbeddedError(
        'folder_in_use',
        folder.cluster,
        `PostgreSQL (process ${leftover.pid}) is still running from an earlier start and does not stop`,
        `Stop it (kill ${leftover.pid}) and start again.`,
      );
    if (!asked && Date.now() > deadline - 28_000) {
      process.kill(leftover.pid, 'SIGINT'); // PostgreSQL's "fast shutdown"
      asked = true;
    }
    await sleep(25);
  }
}

/** True when the process is PostgreSQL running on this cluster: the working directory of a postmaster is its data directory. */
function runsOnCluster(pid: number, folder: DataFolder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder.cluster;
  } catch {
    return process.platform !== 'linux' || existsSync(`/proc/${pid}`); // the process exists, and the system does not tell more
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
      'They belong to the user who started Onefold first: start as that user or as root, or give another folder with --data.',
      { cause },
    );
  }
}

function lastLine(error: unknown): string {
  return errorText(error).trim().split('\n').at(-1) ?? '';
}
