import { loadavg } from 'node:os';
import { type Growth, median, type MemorySample } from './growth.js';

/** Latency and work of a few seconds of a soak. */
export interface SoakWindow {
  /** Seconds since the load began. */
  at: number;
  calls: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  /** True if PostgreSQL has vacuumed, or written a checkpoint, in it. */
  hasVacuum: boolean;
  hasCheckpoint: boolean;
  /** True if the bench made the processes collect garbage in it, which stops them. */
  isMeasured: boolean;
  deadRows: number;
  load: number;
}

const bars = ' ▁▂▃▄▅▆▇█';
const maxColumns = 72;

/** Draws numbers as a row of bars from 0 to the largest. Several share a column where there are more than fit: the largest of them counts. */
export function drawBars(numbers: readonly number[]): string {
  const perColumn = Math.max(1, Math.ceil(numbers.length / maxColumns));
  const columns = Array.from({ length: Math.ceil(numbers.length / perColumn) }, (_, index) =>
    Math.max(...numbers.slice(index * perColumn, (index + 1) * perColumn)),
  );
  const top = Math.max(...columns);
  return columns
    .map((one) => bars[top > 0 ? Math.ceil((one / top) * (bars.length - 1)) : 0])
    .join('');
}

/** Draws latency, vacuums and memory over the time of a soak, and lists the growth of each process. */
export function reportSoak(
  windows: readonly SoakWindow[],
  memory: Readonly<Record<string, readonly MemorySample[]>>,
  growths: readonly Growth[],
  { warmUpSeconds, maxShare }: { warmUpSeconds: number; maxShare: number },
): string {
  const warm = windows.filter(({ at }) => at >= warmUpSeconds);
  const row = (name: string, numbers: readonly number[], unit: string) =>
    `${name.padEnd(22)}|${drawBars(numbers)}| ${median(numbers).toFixed(1)} (median), ${Math.max(...numbers).toFixed(1)} ${unit} at most`;
  const mark = (is: (one: SoakWindow) => boolean) => windows.map((one) => (is(one) ? 1 : 0));
  const lines = [
    row(
      'calls',
      windows.map(({ calls }) => calls),
      'calls',
    ),
    row(
      'p50',
      windows.map(({ p50 }) => p50),
      'ms',
    ),
    row(
      'p95',
      windows.map(({ p95 }) => p95),
      'ms',
    ),
    row(
      'p99',
      windows.map(({ p99 }) => p99),
      'ms',
    ),
    row(
      'slowest call',
      windows.map(({ max }) => max),
      'ms',
    ),
    `${'a vacuum'.padEnd(22)}|${drawBars(mark(({ hasVacuum }) => hasVacuum))}|`,
    `${'a checkpoint'.padEnd(22)}|${drawBars(mark(({ hasCheckpoint }) => hasCheckpoint))}|`,
    row(
      'dead rows',
      windows.map(({ deadRows }) => deadRows),
      'rows',
    ),
    row(
      'load of the machine',
      windows.map(({ load }) => load),
      '',
    ),
  ];
  for (const [name, samples] of Object.entries(memory)) {
    lines.push(
      row(
        `${name}, used`,
        samples.map(({ used }) => used),
        'MB',
      ),
    );
    lines.push(
      row(
        `${name}, resident`,
        samples.map(({ resident }) => resident),
        'MB',
      ),
    );
  }
  lines.push(
    '',
    '| after the warm-up, windows | number | p50 ms | p95 ms | p99 ms | slowest ms |',
    '|---|---|---|---|---|---|',
  );
  const kinds: [string, (one: SoakWindow) => boolean][] = [
    ['with a vacuum', ({ hasVacuum, isMeasured }) => hasVacuum && !isMeasured],
    ['with a checkpoint', ({ hasCheckpoint, isMeasured }) => hasCheckpoint && !isMeasured],
    ['with neither', (one) => !one.hasVacuum && !one.hasCheckpoint && !one.isMeasured],
    ['in which the bench collects garbage', ({ isMeasured }) => isMeasured],
  ];
  for (const [name, belongs] of kinds) {
    const some = warm.filter(belongs);
    if (some.length === 0) continue;
    const middle = (key: 'p50' | 'p95' | 'p99') => median(some.map((one) => one[key])).toFixed(1);
    const slowest = Math.max(...some.map(({ max }) => max)).toFixed(0);
    lines.push(
      `| ${[name, some.length, middle('p50'), middle('p95'), middle('p99'), slowest].join(' | ')} |`,
    );
  }
  lines.push(
    '',
    '| process | memory | first third MB | last third MB | growth |',
    '|---|---|---|---|---|',
  );
  for (const { name, what, first, last, share, isWithin } of growths)
    lines.push(
      `| ${name} | ${what} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${(100 * share).toFixed(1)} %${isWithin ? '' : `, MISSED (${100 * maxShare} % at most)`} |`,
    );
  lines.push(`load of the machine now ${(loadavg()[0] ?? 0).toFixed(1)}`);
  return lines.join('\n');
}

/** Writes the windows as comma-separated values. */
export function windowsAsCsv(windows: readonly SoakWindow[]): string {
  const [first] = windows;
  if (first === undefined) return '';
  const names = Object.keys(first) as (keyof SoakWindow)[];
  const rows = windows.map((one) => names.map((name) => String(one[name])).join(','));
  return [names.join(','), ...rows, ''].join('\n');
}
