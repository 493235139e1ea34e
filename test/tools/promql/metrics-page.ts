import { readFileSync } from 'node:fs';

/** Reads the table of docs/metrics.md. @returns the sorted labels of each metric, without `service`, which all have */
export function readMetricsPage(): Map<string, string[]> {
  const rows = readFileSync('docs/metrics.md', 'utf8').matchAll(
    /^\| `(onefold_\w+)` +\| ([^|]*)\|/gm,
  );
  return new Map(
    [...rows].map(([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
    ]),
  );
}
