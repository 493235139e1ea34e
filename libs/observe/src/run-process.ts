import { setFlagsFromString } from 'node:v8';
import { describeError } from './json-log.js';
import { mapStackTraces } from './stack-traces.js';

/** Stops a started process: it accepts no new work, finishes the work in flight, and releases its resources. */
export type Stop = () => Promise<void>;

export interface RunOptions {
  /** Prints why the process could not start or did not stop cleanly; to standard error by default. */
  printError?: (text: string) => void;
  /** How long work in flight may take after a signal, in milliseconds. */
  stopTimeoutMs?: number;
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The terminal and npm both send a signal for one Ctrl-C, so signals within this time of the first are ignored. */
const repeatedSignalMs = 500;

/**
 * Runs a process from start to exit, with stack traces that name the sources: starts it, waits for SIGTERM, SIGINT (Ctrl-C) or SIGHUP (a closed terminal), stops it, and
 * exits with 0. A second signal exits immediately. A failed start prints the reason, with a stack only for unexpected errors, and
 * exits with 1.
 * @param start is given a signal that is aborted when the process is to stop: then nobody needs what it waits for
 */
export async function runProcess(
  start: (stopping: AbortSignal) => Promise<Stop>,
  options: RunOptions = {},
): Promise<void> {
  const {
    printError: printError = (text) => process.stderr.write(`${text}\n`),
    stopTimeoutMs = 30_000,
  } = options;
  mapStackTraces();
  const stopping = new AbortController();
  const stopRequested = stopSignal().then(() => {
    stopping.abort();
    setTimeout(() => {
      printError(
        `The process did not stop within ${stopTimeoutMs / 1000} s of the signal; unfinished work is lost.`,
      );
      process.exit(1);
    }, stopTimeoutMs);
  });
  let code = 0;
  try {
    const stop = await startSmall(() => start(stopping.signal));
    await stopRequested;
    await stop();
  } catch (error) {
    // Giving up the start is what the signal asked for.
    if (!(error instanceof StoppedAtStart)) {
      printError(explainError(error));
      code = 1;
    }
  }
  process.exit(code);
}

/** The start was given up because the process is to stop. */
export class StoppedAtStart extends Error {}

/**
 * Keeps the young generation of the heap at its initial size during the start. Loading the program would let it grow to its maximum
 * of 48 MB, which V8 does not give back in an idle process. Afterwards it grows with the load.
 */
async function startSmall(start: () => Promise<Stop>): Promise<Stop> {
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await start();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2'); // V8's default
  }
}

/** Resolves at the first signal to stop, and exits at a later one. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of stopSignals)
      process.on(signal, () => {
        const now = performance.now();
        firstAt ??= now;
        if (now - firstAt > repeatedSignalMs) process.exit(1);
        resolve();
      });
  });
}

/** Describes an error for the person at the terminal: only its message if that is written for operators, otherwise its stack. */
export function explainError(error: unknown): string {
  return isWrittenForOperators(error) ? error.message : describeError(error);
}

/** True for errors whose message is written for operators: place, cause and remedy. */
function isWrittenForOperators(error: unknown): error is Error {
  return (
    error instanceof Error &&
    [
      'ApiError',
      'ConfigurationError',
      'DatabaseUnusable',
      'EmbeddedError',
      'KeyUnusable',
      'StartError',
    ].includes(error.name)
  );
}

/** A process cannot start for a reason that the operator can fix. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
