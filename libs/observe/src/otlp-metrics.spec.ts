import { describe, expect, it } from '@jest/globals';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import { Metrics } from './metrics.js';
import { otlpMetrics } from './otlp-metrics.js';

describe('metrics in the form of OpenTelemetry', () => {
  it('are those of Prometheus: counters, gauges, and histograms with a count for each bucket', async () => {
    const metrics = new Metrics('spec');
    metrics.request('ticketing_query_tickets')(200);
    metrics.counterBy('onefold_spec_total', 'Some.', 'reason').add('limited');
    metrics.gauge('onefold_spec_waiting', 'How many wait.', () => 7);
    metrics.counter('onefold_spec_bytes_total', 'Bytes.').add(42);
    const { resourceMetrics, errors } = await otlpMetrics(
      metrics.registry,
      resourceFromAttributes({ 'service.name': 'spec' }),
    );
    expect(errors).toEqual([]);
    const found = new Map(
      resourceMetrics.scopeMetrics.flatMap((scope) =>
        scope.metrics.map((one): [string, MetricData] => [one.descriptor.name, one]),
      ),
    );
    const scraped = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
    expect([...found.keys()].sort()).toEqual(scraped.sort());

    const only = (name: string) => found.get(name)?.dataPoints[0];
    expect(only('onefold_spec_waiting')).toMatchObject({ value: 7 });
    expect(found.get('onefold_spec_waiting')?.dataPointType).toBe(DataPointType.GAUGE);
    const counted = found.get('onefold_spec_total');
    expect(counted).toMatchObject({ dataPointType: DataPointType.SUM, isMonotonic: true });
    expect(only('onefold_spec_total')).toMatchObject({
      value: 1,
      attributes: { reason: 'limited' },
    });
    expect(found.get('onefold_spec_bytes_total')?.descriptor.unit).toBe('By');

    const durations = only('onefold_request_duration_seconds');
    const value = durations?.value as { buckets: { boundaries: number[]; counts: number[] } };
    expect(durations).toMatchObject({
      attributes: { operation: 'ticketing_query_tickets', status: 200 },
      value: { count: 1 },
    });
    // One bucket more than boundaries, above the last; the request is in one of them.
    expect(value.buckets.counts).toHaveLength(value.buckets.boundaries.length + 1);
    expect(value.buckets.counts.reduce((sum, count) => sum + count)).toBe(1);
  });
});
