import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { EmbeddedError, errorCode } from './embedded-error.js';

/**
 * Acquires a lock file for this process and returns the function that releases it. The lock of a dead process (kill -9, power cut)
 * is taken over. The start time beside the process id shows whether the id has been reused since.
 * @throws EmbeddedError `folder_in_use` naming the process that holds the lock.
 */
export function takeLock(file: string): () => void {
  const own = { pid: process.pid, started: readStartTime(process.pid) };
  const draft = `${file}.${process.pid}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    try {
      linkSync(draft, file); // unlike open-and-write, the file is complete as soon as it exists
      return () => release(file, own.pid);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
    const holder = read(file);
    if (holder !== undefined && isAlive(holder))
      throw new EmbeddedError(
        'folder_in_use',
        file,
        `the folder is in use by process ${holder.pid}`,
        `Stop that process (kill ${holder.pid}) or give another folder with --data.`,
      );
    removeDeadLock(file, holder);
  }
  throw new EmbeddedError(
    'folder_in_use',
    file,
    'several processes are starting on this folder at the same time',
    'Try again.',
  );
}

interface Holder {
  pid: number;
  started: string;
}

function release(file: string, pid: number): void {
  if (read(file)?.pid === pid) unlinkSync(file);
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Removes the lock of a dead process. If another process took the lock in the meantime, it is put back. */
function removeDeadLock(file: string, dead: Holder | undefined): void {
  const aside = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const taken = read(aside);
  if (taken?.pid !== dead?.pid || taken?.started !== dead?.started) renameSync(aside, file);
  else unlinkSync(aside);
}

/** True when the process that wrote the lock is still running. */
function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  const started = readStartTime(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** Returns the boot id and start time of a process; empty where the system does not provide them (not Linux). */
function readStartTime(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may contain spaces; the start time is the 22nd.
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return ''; // no /proc
  }
}
