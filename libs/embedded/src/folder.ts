import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EmbeddedError, errorText } from './embedded-error.js';

/** The paths of the embedded PostgreSQL's files below a data folder. */
export interface DataFolder {
  root: string;
  cluster: string;
  log: string;
  password: string;
  lock: string;
  libraries: string;
}

export function dataFolder(folder: string): DataFolder {
  const root = resolve(folder);
  return {
    root,
    cluster: join(root, 'postgres'),
    log: join(root, 'postgres.log'),
    password: join(root, 'postgres.password'),
    lock: join(root, 'postgres.lock'),
    libraries: join(root, 'postgres.libraries'),
  };
}

/** Creates the folder. @throws EmbeddedError when it cannot be written to */
export function prepareFolder({ root }: DataFolder): void {
  try {
    // When root starts it, the database runs as another user, who must be able to enter the folder but not to list it.
    mkdirSync(root, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    accessSync(root, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = errorText(cause).replace(/,.*/, '');
    throw new EmbeddedError(
      'folder_not_writable',
      root,
      `the data folder cannot be written to (${reason})`,
      'Give this user write access, or give another folder with --data.',
      { cause },
    );
  }
}

/** Returns the password of the cluster's owner, which the first start creates in a file that only this user can read. */
export function clusterPassword(folder: DataFolder): string {
  if (!existsSync(folder.password)) {
    if (existsSync(folder.cluster))
      throw new EmbeddedError(
        'start_failed',
        folder.password,
        'the file with the database password is missing',
        `Restore the file, or remove ${folder.cluster} to start with an empty database.`,
      );
    writeFileSync(folder.password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(folder.password, 'utf8').trim();
}

/** A running PostgreSQL, as described by its `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`; undefined when the file is missing or incomplete. */
export function readPostmaster(folder: DataFolder): Postmaster | undefined {
  const file = join(folder.cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!pid || !port) return undefined;
  return { pid, port, ready: (lines[7] ?? '').trim() === 'ready' };
}

/** Returns the URL with which the owner of the cluster connects to the database. */
export function connectionUrl(folder: DataFolder, port: number): string {
  return `postgres://onefold:${clusterPassword(folder)}@127.0.0.1:${port}/onefold?sslmode=disable`;
}
