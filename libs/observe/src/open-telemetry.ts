import {
  context,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  SpanKind as OtelKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { hostname } from 'node:os';
import type { Secret } from '#secrets';
import type { JsonLog } from './json-log.js';
import type { Metrics } from './metrics.js';
import { otlpMetrics } from './otlp-metrics.js';
import { StartError } from './run-process.js';
import { recordSpans, type Span, type SpanKind, type Tracing } from './spans.js';

export interface TelemetryOptions {
  /** The name of the process, such as `gateway`. */
  name: string;
  /** The address of a collector that takes OTLP over HTTP, without `/v1/traces`. */
  endpoint: string;
  /** Headers of every request to the collector. */
  headers: Record<string, string>;
  /** The part of traces that begin in this process and are recorded, from 0 to 1. */
  sampleRatio: number;
  /** True to follow the decision of the caller that sent a `traceparent`. */
  followsCaller: boolean;
  metricsIntervalMs: number;
  metrics: Metrics;
  log: JsonLog;
}

const kinds: Record<SpanKind, OtelKind> = {
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  consumer: OtelKind.CONSUMER,
};

const traceparentForm = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** Sends the spans and metrics of this process to a collector by OTLP. @returns a function that sends what is left, and ends it */
export function startTelemetry(options: TelemetryOptions): () => Promise<void> {
  const { name, endpoint, headers, metrics, log, metricsIntervalMs } = options;
  diag.setLogger(
    {
      error: (message) => log.warn({ message: 'telemetry not sent', error: message }, 'telemetry'),
      warn: (message) => log.warn({ message }, 'telemetry'),
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  const resource = resourceFromAttributes({
    'service.namespace': 'onefold',
    'service.name': `onefold-${name}`,
    'service.instance.id': `${hostname()}-${process.pid}`,
  });
  const to = (path: string) => ({ url: `${endpoint.replace(/\/$/, '')}${path}`, headers });
  const spans = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('/v1/traces')) });
  const provider = new TracerProvider({
    resource,
    spanProcessors: [spans],
    sampler: samplerOf(options),
  });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('/v1/metrics')),
    exportIntervalMillis: metricsIntervalMs,
    exportTimeoutMillis: Math.min(metricsIntervalMs, 10_000),
    metricProducers: [{ collect: () => otlpMetrics(metrics.registry, resource) }],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  recordSpans(tracingBy(provider.getTracer('onefold')));
  return async () => {
    recordSpans(undefined);
    await Promise.allSettled([provider.shutdown(), meters.shutdown()]);
    contexts.disable();
    context.disable();
    diag.disable();
  };
}

/** Reads `name=value` pairs that are separated by commas, as OpenTelemetry writes headers. @throws StartError */
export function headersOf(text: Secret | undefined): Record<string, string> {
  const pairs = (text?.reveal() ?? '').split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
      try {
        if (name !== undefined && value !== undefined)
          return [name, decodeURIComponent(value.trim())];
      } catch {
        // the same error as for a pair without a name
      }
      throw new StartError(
        'OTEL_EXPORTER_OTLP_HEADERS must be a list of name=value, separated by commas, with percent-encoded values.',
      );
    }),
  );
}

function samplerOf({ sampleRatio, followsCaller }: TelemetryOptions): Sampler {
  const root =
    sampleRatio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(sampleRatio);
  return followsCaller ? new ParentBasedSampler({ root }) : root;
}

function tracingBy(tracer: Tracer): Tracing {
  return {
    run: async (name, { kind, facts, parent }, work) => {
      const outer = contextOf(parent);
      const span = tracer.startSpan(name, { kind: kinds[kind] }, outer);
      if (facts !== undefined && span.isRecording()) span.setAttributes(facts());
      try {
        return await context.with(trace.setSpan(outer, span), () => work(spanOver(span)));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    traceparent: () => {
      const span = trace.getActiveSpan()?.spanContext();
      if (span === undefined || !isSpanContextValid(span)) return undefined;
      const flags = span.traceFlags.toString(16).padStart(2, '0');
      return `00-${span.traceId}-${span.spanId}-${flags}`;
    },
  };
}

function spanOver(span: OtelSpan): Span {
  return {
    set: (facts) => void span.setAttributes(facts),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

/** The context of a span in another process; the one that is under way here if there is none. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = traceparentForm.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return context.active();
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(remote)
    ? trace.setSpanContext(context.active(), remote)
    : context.active();
}
