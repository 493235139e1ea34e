import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryReporter } from '../attack/memory.js';
import { RecordServer } from '../proof/record-server.js';
import { judgeGrowth, type MemorySample } from '../proof/soak/growth.js';
import { runSoak, type Soaked } from '../proof/soak/run-soak.js';
import { reportSoak, windowsAsCsv } from '../proof/soak/soak-report.js';
import { type Onefold, startDistributed } from './onefold.js';

/** `npm run bench -- soak` runs for an hour and allows 5 %; processes that have just started still load and compile. */
const options = {
  seconds: 20,
  windowSeconds: 2,
  sampleSeconds: 1.5,
  warmUpSeconds: 5,
  maxShare: 0.25,
  kinds: ['used'],
  rate: 20,
  share: 1,
  walkers: 2,
  domains: ['notifications', 'chat'],
} as const;
const leak = { app: 'operations', mbPerSecond: 5 };

describe('a short soak of the distributed form, one process of which leaks', () => {
  let onefold: Onefold;
  let server: RecordServer;
  let soaked: Soaked;
  const said: string[] = [];

  beforeAll(async () => {
    server = await RecordServer.start(500, { forgets: true });
    const program = new URL('../proof/soak/leak.js', import.meta.url).href;
    onefold = await startDistributed({
      NODE_OPTIONS: `${memoryReporter.NODE_OPTIONS} --import=${program}`,
      LEAK_IN: leak.app,
      LEAK_MB_PER_SECOND: String(leak.mbPerSecond),
    });
    const say = (line: string) => said.push(line);
    const url = onefold.env?.['DATABASE_URL'] ?? '';
    soaked = await runSoak(onefold, url, server.url, { ...options, say });
  });
  afterAll(async () => {
    await onefold.stop();
    await server.stop();
  });

  it('calls the operations of mocks, management, jobs and messages without an error', () => {
    expect(soaked.errors).toEqual([]);
    const { walks, management, jobs, messages } = soaked.done;
    expect(Math.min(walks, management, jobs, messages)).toBeGreaterThan(0);
    expect(soaked.windows.length).toBeGreaterThan(5);
    expect(server.received.deliveries).toBeGreaterThan(0);
  });

  it('finds the process that leaks, and no other one', () => {
    const leaking = soaked.growths.filter(({ isWithin }) => !isWithin);
    expect(leaking.map(({ name }) => name)).toEqual([leak.app]);
    const report = reportSoak(soaked.windows, soaked.memory, soaked.growths, options);
    expect(report.split('\n').filter((line) => line.includes('MISSED'))).toHaveLength(1);
    expect(windowsAsCsv(soaked.windows).split('\n')).toHaveLength(soaked.windows.length + 2);
  });
});

describe('growth', () => {
  const grow = (megabytes: (n: number) => number): MemorySample[] =>
    Array.from({ length: 40 }, (_, n) => {
      const used = megabytes(n);
      return { at: n * 60, used, resident: used };
    });
  const limits = { warmUpSeconds: 600, maxShare: 0.05, kinds: ['used'] } as const;

  it.each([
    ['memory that stays', () => 100, true],
    ['what grows in the warm-up alone', (n: number) => (n < 10 ? 50 + 5 * n : 100), true],
    ['peaks', (n: number) => (n % 7 === 0 ? 180 : 100), true],
    ['a slow leak', (n: number) => 100 + n / 2, false],
    ['a step late in the run', (n: number) => (n < 28 ? 100 : 110), false],
  ])('of %s', (_name, megabytes, isWithin) => {
    const [found] = judgeGrowth({ connector: grow(megabytes) }, limits);
    expect(found?.isWithin).toBe(isWithin);
  });

  it('is not judged by few samples', () => {
    const samples = grow(() => 100).slice(0, 12);
    expect(() => judgeGrowth({ connector: samples }, limits)).toThrow('let it run for longer');
  });
});
