import { Secret } from '#secrets';
import { FromVariable, httpAddress } from './setting.js';

/** Settings of traces and metrics that are sent to a collector, by the variables that OpenTelemetry names. */
export class TelemetryConfiguration {
  @FromVariable({
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about:
      'The OpenTelemetry collector that gets traces and metrics by OTLP over HTTP, such as `http://collector:4318`; without it none are sent.',
    default: 'none',
    optional: true,
    ...httpAddress,
  })
  otlpEndpoint?: string;

  @FromVariable({
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    about:
      'Headers of every request to the collector, such as `authorization=Bearer%20abc`; several are separated by commas.',
    default: 'none',
    secret: true,
    optional: true,
  })
  otlpHeaders?: Secret;

  @FromVariable({
    variable: 'OTEL_TRACES_SAMPLER',
    about:
      'Which traces are recorded: `always_on`, `traceidratio`, or `parentbased_` with either, which follows the caller that sent a `traceparent`.',
    schema: {
      enum: ['always_on', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'],
    },
  })
  tracesSampler:
    'always_on' | 'traceidratio' | 'parentbased_always_on' | 'parentbased_traceidratio' =
    'parentbased_always_on';

  @FromVariable({
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    about: 'The part of traces that `traceidratio` records, from 0 to 1.',
    schema: { minimum: 0, maximum: 1 },
  })
  tracesSamplerArg: number = 1;

  @FromVariable({
    variable: 'OTEL_METRIC_EXPORT_INTERVAL',
    about: 'Milliseconds between two times that metrics are sent to the collector.',
    schema: { type: 'integer', minimum: 1_000, maximum: 3_600_000 },
  })
  metricExportIntervalMs: number = 60_000;
}
