import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, which Linux has. Containers often have a small one. */
const inMemory = '/dev/shm';
/** Several times what a run has there at once: 0.4 GB were seen. */
const minFree = 2 * 1024 ** 3;

const namePattern = /^onefold-test-(\d+)-/;

/**
 * Creates the folder of a test run, in memory where there is room: databases are created and dropped so often that a disk takes a tenth of
 * the processor time of a run. Folders of runs that were killed before they could clean up are removed.
 */
export function createRunFolder(): string {
  const parent = hasRoom(inMemory) ? inMemory : tmpdir();
  for (const one of new Set([inMemory, tmpdir()])) removeFoldersOfDeadRuns(one);
  return mkdtempSync(join(parent, `onefold-test-${process.pid}-`));
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) >= minFree;
  } catch {
    return false; // There is no such folder, or it belongs to another user.
  }
}

function removeFoldersOfDeadRuns(parent: string): void {
  for (const name of namesIn(parent)) {
    const pid = Number(namePattern.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // the folder belongs to another user
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // There is no such folder.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
