import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../e2e/processes.js';

/** Memory of a process after garbage collection, in MB. */
export interface Memory {
  /** Heap and buffers. */
  used: number;
  /** Memory that the system has allocated. */
  resident: number;
}

/** Settings of a process whose memory can be requested. */
export const memoryReporter = {
  NODE_OPTIONS: `--import=${new URL('report-memory.js', import.meta.url).href}`,
};

export async function memoryOf({ child, output }: Running): Promise<Memory> {
  const before = reports(output()).length;
  child.kill('SIGUSR2');
  for (let wait = 0; wait < 600; wait += 1) {
    const found = reports(output())[before];
    if (found !== undefined) {
      const { rss, used } = JSON.parse(found) as { rss: number; used: number };
      return { used: used / 2 ** 20, resident: rss / 2 ** 20 };
    }
    await sleep(100);
  }
  throw new Error('the process did not report its memory within 60 s');
}

function reports(output: string): string[] {
  return [...output.matchAll(/^memory (\{.*\})$/gm)].map(([, json = '']) => json);
}
