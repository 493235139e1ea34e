import { Logger } from '@nestjs/common';
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

export interface ServiceOptions {
  /** The name of the process, such as `gateway`. */
  name: string;
  logLevel: Severity;
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
  { name, logLevel, observeHost, observePort }: ServiceOptions,
  start: (observed: Observed, observeUrl: string) => Promise<Started>,
): Promise<Stop> {
  const observed = {
    log: new JsonLog({ service: name, level: logLevel }),
    health: new Health(),
    metrics: new Metrics(name),
  };
  Logger.overrideLogger(observed.log);
  // Lines below the level end at Nest's logger, and `Logger.isLevelEnabled` knows the level.
  Logger.overrideLogger(nestLevelsFrom(logLevel));
  let started = false;
  observed.health.add('process', () => started);
  const server = await listen(observeHost, observePort, observed);
  try {
    const { stop, facts } = await start(observed, server.url);
    started = true;
    observed.log.log({ message: 'ready', observe: server.url, ...facts }, name);
    return async () => {
      observed.health.stop();
      await stop();
      await server.close();
      observed.log.log({ message: 'stopped' }, name);
    };
  } catch (error) {
    await server.close();
    throw error;
  }
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
