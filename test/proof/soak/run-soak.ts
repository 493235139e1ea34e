import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../../attack/memory.js';
import type { Running } from '../../e2e/processes.js';
import type { Onefold } from '../../e2e/onefold.js';
import { DatabaseWatch } from './database-work.js';
import {
  type Growth,
  hasSamples,
  judgeGrowth,
  type GrowthLimits,
  type MemorySample,
} from './growth.js';
import { SoakLoad } from './soak-load.js';
import type { SoakWindow } from './soak-report.js';

export interface SoakOptions extends GrowthLimits {
  seconds: number;
  windowSeconds: number;
  /** Memory is measured so often; it stops each process for a moment. */
  sampleSeconds: number;
  /** Calls per second; undefined measures what the machine carries, and takes a share of it. */
  rate?: number | undefined;
  share: number;
  walkers: number;
  /** Those whose mocks are walked; all when absent. */
  domains?: readonly string[];
  say: (line: string) => void;
}

export interface Soaked {
  windows: SoakWindow[];
  memory: Record<string, MemorySample[]>;
  growths: Growth[];
  /** How often each part of the load has ended. */
  done: SoakLoad['done'];
  errors: readonly string[];
  errorCount: number;
  tables: string[];
}

/** The carried rate is measured for so long, when each walk was walked once. */
const calibrationMs = 30_000;
const maxCalibrationMs = 600_000;

/**
 * Loads a service with every operation of the mocks, management, jobs and messages at a rate, and measures latency and memory over time.
 * Its processes must have been started with `memoryReporter` of test/attack/memory.ts.
 * @param receiverUrl where jobs read and what is sent goes to
 */
export async function runSoak(
  onefold: Onefold,
  databaseUrl: string,
  receiverUrl: string,
  options: SoakOptions,
): Promise<Soaked> {
  const { say, windowSeconds } = options;
  const load = await SoakLoad.prepare(onefold, receiverUrl, options.domains);
  const database = await DatabaseWatch.connect(databaseUrl);
  try {
    say(`operations that no walk calls: ${load.uncalled.join(', ') || 'none'}`);
    load.start(options.walkers);
    load.pacer.rate = options.rate ?? options.share * (await carriedRate(load, say));
    say(`rate: ${load.pacer.rate.toFixed(1)} calls per second`);
    load.latencies.take();
    const windows: SoakWindow[] = [];
    const memory: Record<string, MemorySample[]> = {};
    const begun = performance.now();
    const elapsed = () => (performance.now() - begun) / 1_000;
    let before = await database.read();
    let sampleAt = options.sampleSeconds;
    // On a busy machine samples take longer than planned: the soak goes on until there are enough.
    while (elapsed() < options.seconds || !hasSamples(memory, options)) {
      const isMeasured = elapsed() >= sampleAt;
      let hasVacuum = false;
      const end = (windows.length + 1) * windowSeconds;
      if (isMeasured) {
        await sampleMemory(onefold, memory, elapsed);
        sampleAt += options.sampleSeconds;
      }
      do {
        await sleep(Math.min(1_000, Math.max(0, (end - elapsed()) * 1_000)));
        hasVacuum ||= (await database.read()).running > 0;
      } while (elapsed() < end);
      const now = await database.read();
      windows.push({
        at: Math.round(elapsed()),
        ...load.latencies.take(),
        hasVacuum: hasVacuum || now.vacuums > before.vacuums,
        hasCheckpoint: now.checkpoints > before.checkpoints,
        isMeasured,
        deadRows: now.deadRows,
        load: loadavg()[0] ?? 0,
      });
      before = now;
    }
    await load.stop();
    say(`done: ${JSON.stringify(load.done)}, ${load.latencies.count} calls`);
    const { errors, errorCount, done } = load;
    const growths = judgeGrowth(memory, options);
    const tables = await database.tables();
    return { windows, memory, growths, done, errors, errorCount, tables };
  } finally {
    await load.stop();
    await database.close();
  }
}

/** Measures how many calls per second the machine carries, once every walk has been walked: the first compile everything. */
async function carriedRate(load: SoakLoad, say: SoakOptions['say']): Promise<number> {
  for (const end = performance.now() + maxCalibrationMs; load.done.rounds < 1; await sleep(500)) {
    if (performance.now() > end)
      throw new Error(`no round of all walks has ended: ${load.errors.join('\n')}`);
  }
  const [calls, begun] = [load.latencies.count, performance.now()];
  await sleep(calibrationMs);
  const rate = ((load.latencies.count - calls) / (performance.now() - begun)) * 1_000;
  const { p50, p99 } = load.latencies.take();
  say(
    `carried: ${rate.toFixed(1)} calls per second, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
  );
  return rate;
}

async function sampleMemory(
  onefold: Onefold,
  memory: Record<string, MemorySample[]>,
  elapsed: () => number,
): Promise<void> {
  const measure = async (name: string, running: Running) => {
    const sample = await memoryOf(running);
    (memory[name] ??= []).push({ at: elapsed(), ...sample });
  };
  const named = Object.entries(onefold.processes);
  await Promise.all(named.map(([name, running]) => measure(name, running)));
}
