import { keyOf, type Labels, type Sample } from './recorded-series.js';

interface Range {
  from: number;
  to: number;
}

interface Points {
  labels: Labels;
  points: readonly { at: number; value: number }[];
}

type Input =
  | { range: Range; found: readonly Points[]; equal: Labels }
  | { quantile: number; buckets: readonly Sample[] };

/** Calls a function of Prometheus. */
export function callFunction(name: string, input: Input): Sample[] {
  if ('quantile' in input) return quantiles(input.quantile, input.buckets);
  const { range, found, equal } = input;
  switch (name) {
    case 'absent_over_time':
      return found.length > 0 ? [] : [{ labels: equal, value: 1 }];
    case 'max_over_time':
    case 'min_over_time': {
      const extreme = name === 'max_over_time' ? Math.max : Math.min;
      return found.map(({ labels, points }) => ({
        labels: unnamed(labels),
        value: extreme(...points.map(({ value }) => value)),
      }));
    }
    case 'rate':
    case 'increase': {
      const per = name === 'rate' ? range.to - range.from : 1;
      return found.flatMap(({ labels, points }) => {
        const value = increase(points, range);
        return value === undefined ? [] : [{ labels: unnamed(labels), value: value / per }];
      });
    }
    default:
      throw new Error(`${name} is not evaluated`);
  }
}

/** The increase of a counter in a range, extrapolated to its ends as Prometheus does it. */
function increase(points: Points['points'], { from, to }: Range): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  let grown = last.value - first.value;
  for (const [index, { value }] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && value < before.value) grown += before.value;
  }
  const sampled = last.at - first.at;
  const average = sampled / (points.length - 1);
  let [toStart, toEnd] = [first.at - from, to - last.at];
  if (grown > 0 && first.value >= 0) toStart = Math.min(toStart, sampled * (first.value / grown));
  if (toStart >= average * 1.1) toStart = average / 2;
  if (toEnd >= average * 1.1) toEnd = average / 2;
  return (grown * (sampled + toStart + toEnd)) / sampled;
}

function quantiles(quantile: number, buckets: readonly Sample[]): Sample[] {
  const histograms = new Map<string, { labels: Labels; buckets: [number, number][] }>();
  for (const { labels, value } of buckets) {
    const { le = '', ...rest } = unnamed(labels);
    const key = keyOf(rest);
    const one = histograms.get(key) ?? { labels: rest, buckets: [] };
    histograms.set(key, one);
    one.buckets.push([le === '+Inf' ? Infinity : Number(le), value]);
  }
  return [...histograms.values()].map(({ labels, buckets }) => ({
    labels,
    value: quantileOf(
      quantile,
      buckets.sort(([one], [two]) => one - two),
    ),
  }));
}

function quantileOf(quantile: number, buckets: readonly [number, number][]): number {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return Number.NaN;
  const rank = quantile * total;
  const index = buckets.findIndex(([, count]) => count >= rank);
  const [end, count] = buckets[index] ?? [Infinity, total];
  const [start, before] = buckets[index - 1] ?? [0, 0];
  if (end === Infinity) return start;
  return start + ((end - start) * (rank - before)) / (count - before);
}

function unnamed({ __name__: _, ...labels }: Labels): Labels {
  return labels;
}
