import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type Labels = Record<string, string | number>;
type Metric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;

const startedAt = timeOf(Date.now() - performance.now());

/** Reads the Prometheus metrics of a process in the form in which OpenTelemetry sends them: the same names, labels and numbers. */
export async function otlpMetrics(
  registry: Registry,
  resource: Resource,
): Promise<CollectionResult> {
  const found = (await registry.getMetricsAsJSON()) as unknown as Metric[];
  const at = timeOf(Date.now());
  const metrics = found.map((metric) => metricOf(metric, at));
  return {
    resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'onefold' }, metrics }] },
    errors: [],
  };
}

function metricOf(metric: Metric, at: HrTime): MetricData {
  const { name, help: description } = metric;
  const common = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // prom-client's types declare its enum of kinds, at run time they are these words.
  const type = String(metric.type);
  if (type === 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histograms(metric, at),
    };
  const dataPoints = metric.values.map(({ value, labels }) => pointOf(labels as Labels, value, at));
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** The buckets, sum and count of each set of labels. Prometheus counts a value in every bucket above it, OTLP in one. */
function histograms({ name, values }: Metric, at: HrTime): DataPoint<Histogram>[] {
  const sets = new Map<string, { labels: Labels; upTo: [number, number][]; sum: number }>();
  for (const { labels, value, metricName } of values) {
    const { le, ...rest } = labels as Labels;
    const key = JSON.stringify(rest);
    let set = sets.get(key);
    if (set === undefined) sets.set(key, (set = { labels: rest, upTo: [], sum: 0 }));
    if (metricName === `${name}_bucket`)
      set.upTo.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value]);
    else if (metricName === `${name}_sum`) set.sum = value;
  }
  return [...sets.values()].map(({ labels, upTo, sum }) => {
    const sorted = upTo.sort(([a], [b]) => a - b);
    const counts = sorted.map(([, count], index) => count - (sorted[index - 1]?.[1] ?? 0));
    const boundaries = sorted.map(([bound]) => bound).filter(Number.isFinite);
    const count = sorted.at(-1)?.[1] ?? 0;
    return pointOf(labels, { buckets: { boundaries, counts }, sum, count }, at);
  });
}

function pointOf<T>(attributes: Labels, value: T, endTime: HrTime): DataPoint<T> {
  return { startTime: startedAt, endTime, attributes, value };
}

function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '';
}

function timeOf(milliseconds: number): HrTime {
  return [Math.floor(milliseconds / 1_000), Math.round((milliseconds % 1_000) * 1e6)];
}
