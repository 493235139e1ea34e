import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { EmbeddedError, errorCode } from './embedded-error.js';

/**
 * Takes a lock file for this process and returns the function that gives it back. A file left by a process that is gone
 * (kill -9, power cut) is taken over; `process` number and start time tell a recycled number from the one that wrote it.
 * @throws EmbeddedError `folder_in_use` naming the process that holds it.
 */
export function takeLock(file: string): () => void {
  const own = { pid: process.pid, started: startOf(process.pid) };
  const draft = `${file}.${process.pid}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
    try {
      linkSync(draft, file); // complete from its first moment, unlike open-and-write
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
    remove(file, holder);
  }
  throw new EmbeddedError(
    'folder_in_use',
    file,
    'several processes start on this folder at once',
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

/** Removes a dead process's lock; a lock that somebody else took in the meantime is put back. */
function remove(file: string, dead: Holder | undefined): void {
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

/** True when the process that wrote the lock still runs. */
function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  const started = startOf(holder.pid);
  return started === '' || holder.started === '' || started === holder.started;
}

/** Boot and start time of a process; empty where the system does not tell (not Linux). */
function startOf(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold blanks; the start time is the 22nd.
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return ''; // no /proc
  }
}
