import { readFileSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { Running } from './processes.js';

const chunkBytes = 16 * 2 ** 20;

/**
 * Searches the resident memory of a process of this user, as a dump of it has it: text of one or two bytes a character.
 * The process is stopped meanwhile. @returns those of the texts that are in it
 */
export async function foundInMemory(
  { child }: Running,
  texts: readonly string[],
): Promise<string[]> {
  const forms = texts.flatMap((text) => [
    { text, bytes: Buffer.from(text, 'latin1') },
    { text, bytes: Buffer.from(text, 'utf16le') },
  ]);
  const overlap = Math.max(...forms.map(({ bytes }) => bytes.length));
  const found = new Set<string>();
  const memory = await open(`/proc/${child.pid}/mem`);
  child.kill('SIGSTOP'); // Memory would be given back while it is read.
  try {
    for (const [start, end] of await residentRanges(child.pid))
      for (let at = start; at < end; at += chunkBytes) {
        const length = Math.min(end - at, chunkBytes + overlap);
        const { buffer, bytesRead } = await memory.read(Buffer.alloc(length), 0, length, at);
        if (bytesRead !== length) throw new Error(`the memory at ${at} cannot be read`);
        for (const { text, bytes } of forms) if (buffer.includes(bytes)) found.add(text);
      }
  } finally {
    child.kill('SIGCONT');
    await memory.close();
  }
  return [...found];
}

/** The address ranges that the process can write, and of which a part is in memory. Others are its program, with words of all languages. */
async function residentRanges(pid: number | undefined): Promise<[number, number][]> {
  const text = await readFile(`/proc/${pid}/smaps`, 'utf8');
  const entry =
    /^([0-9a-f]+)-([0-9a-f]+) rw\S* \S+ \S+ \S+ *(\S*)\n(?:[A-Z][^\n]*\n)*?Rss: +(\d+) kB/gm;
  return [...text.matchAll(entry)]
    .filter(([, , , name = '', resident]) => resident !== '0' && !name.startsWith('[v'))
    .map(([, start = '', end = '']) => [Number.parseInt(start, 16), Number.parseInt(end, 16)]);
}

/** Measures how much processes grow at their peak beyond the resident memory that they have at the beginning. */
export class MemoryGrowth {
  private readonly before: ReadonlyMap<string, number>;

  constructor(private readonly processes: Readonly<Record<string, Running>>) {
    this.before = new Map(
      Object.entries(processes).map(([name, { child }]) => {
        // The peak is that from now on, because that of the start of a process hides others.
        writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
        return [name, memoryOf(child.pid, 'VmRSS')];
      }),
    );
  }

  /** Returns the growth in bytes of each process that has not ended. */
  get bytes(): Record<string, number> {
    const running = Object.entries(this.processes).filter(
      ([, { child }]) => child.exitCode === null && child.signalCode === null,
    );
    return Object.fromEntries(
      running.map(([name, { child }]) => [
        name,
        memoryOf(child.pid, 'VmHWM') - (this.before.get(name) ?? 0),
      ]),
    );
  }
}

/** The resident memory of a process in bytes, now or at its peak. */
function memoryOf(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
}
