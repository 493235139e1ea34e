import { Logger } from '@nestjs/common';
import { type TelemetryConfiguration, version } from '#config';
import { flushAccessLog, writeAccessTo } from './access-log.js';
import { Health } from './health.js';
import { JsonLog, nestLevelsFrom, type Severity } from './json-log.js';
import { Metrics } from './metrics.js';
import { type ObserveServer, startObserveServer } from './observe-server.js';
import { StartError, type Stop } from './run-process.js';

/** The log, health and metrics that every process has. */
export interface Observed {
  log: JsonLog;
  health: Health;
  metrics: Metrics;
}

/** Settings of what a process sends to a collector; nothing without an address. */
export type TelemetrySettings = Pick<
  TelemetryConfiguration,
  'otlpEndpoint' | 'otlpHeaders' | 'tracesSampler' | 'tracesSamplerArg' | 'metricExportIntervalMs'
>;

export interface ServiceOptions extends Partial<TelemetrySettings> {
  /** The name of the process, such as `gateway`. */
  name: string;
  logLevel: Severity;
  /** Writes a line for each call. */
  accessLog?: boolean;
  observeHost: string;
  observePort: number;
}

/** A started process. */
export interface Started {
  stop: Stop;
  /** Additional fields of the `ready` line in the log. */
  facts?: Record<string, unknown>;
}

/**
 * Starts a process together with its log, health and metrics. It reports live from the beginning, and ready from the end of the
 * start until it stops.
 */
export async function startService(
  options: ServiceOptions,
  start: (observed: Observed, observeUrl: string) => Promise<Started>,
): Promise<Stop> {
  const { name, logLevel, observeHost, observePort } = options;
  const observed = {
    log: new JsonLog({ service: name, level: logLevel }),
    health: new Health(),
    metrics: new Metrics(name),
  };
  Logger.overrideLogger(observed.log);
  writeAccessTo(options.accessLog === true ? observed.log : undefined);
  // Lines below the level end at Nest's logger, and `Logger.isLevelEnabled` knows the level.
  Logger.overrideLogger(nestLevelsFrom(logLevel));
  let started = false;
  observed.health.add('process', () => started);
  observed.metrics.showReadiness(observed.health);
  const startedAt = new Date().toISOString();
  observed.health.describe(() => ({ kind: name, version, startedAt }));
  const server = await listen(observeHost, observePort, observed);
  let endTelemetry: Stop = async () => undefined;
  try {
    endTelemetry = await openTelemetry(options, observed);
    const { stop, facts } = await start(observed, server.url);
    started = true;
    observed.log.log({ message: 'ready', observe: server.url, ...facts }, name);
    return async () => {
      observed.health.stop();
      await stop();
      await endTelemetry();
      await server.close();
      flushAccessLog();
      observed.log.log({ message: 'stopped' }, name);
    };
  } catch (error) {
    await endTelemetry();
    await server.close();
    throw error;
  }
}

/** Sends traces and metrics to a collector if the settings name one. The code for it is loaded only then. @returns what ends it */
async function openTelemetry(
  { name, otlpEndpoint, otlpHeaders, tracesSampler, ...settings }: ServiceOptions,
  { metrics, log }: Observed,
): Promise<Stop> {
  if (otlpEndpoint === undefined) return async () => undefined;
  const { headersOf, startTelemetry } = await import('./open-telemetry.js');
  const { tracesSamplerArg = 1, metricExportIntervalMs = 60_000 } = settings;
  return startTelemetry({
    name,
    metrics,
    log,
    endpoint: otlpEndpoint,
    metricsIntervalMs: metricExportIntervalMs,
    headers: headersOf(otlpHeaders),
    sampleRatio: tracesSampler?.endsWith('traceidratio') === true ? tracesSamplerArg : 1,
    followsCaller: tracesSampler?.startsWith('parentbased_') !== false,
  });
}

async function listen(host: string, port: number, parts: Observed): Promise<ObserveServer> {
  try {
    return await startObserveServer({ host, port, ...parts });
  } catch (cause) {
    throw listenError(`${host}:${port}`, cause, 'OBSERVE_PORT', 'for health and metrics');
  }
}

/** Explains to the operator why a process cannot listen on an address. */
export function listenError(
  address: string,
  cause: unknown,
  variable: string,
  purpose: string,
): Error {
  const code =
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  const problems: Record<string, string> = {
    EADDRINUSE: `the port ${purpose} is in use by another program`,
    EACCES: `this user may not listen on the port ${purpose}`,
    EADDRNOTAVAIL: `this machine does not have this address ${purpose}`,
  };
  const problem = problems[String(code)];
  if (problem === undefined) return cause instanceof Error ? cause : new Error(String(cause));
  return new StartError(
    `${address}: ${problem}. Stop that program, or choose another one with ${variable}.`,
    { cause },
  );
}

const waitWarningIntervalMs = 2_000;

/** Waits for a dependency, and logs a warning at intervals while it is not available. */
export async function patiently<T>(log: JsonLog, what: string, pending: Promise<T>): Promise<T> {
  const timer = setInterval(
    () => log.warn({ message: `waiting for ${what}` }, 'start'),
    waitWarningIntervalMs,
  );
  try {
    return await pending;
  } finally {
    clearInterval(timer);
  }
}
