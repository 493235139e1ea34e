import { describeError } from './json-log.js';

/** How a process that has started is told to end: it takes no new work, finishes what is in flight, frees what it holds. */
export type Stop = () => Promise<void>;

export interface RunOptions {
  /** Tells why the process cannot start or did not end well; standard error unless told. */
  complain?: (text: string) => void;
  /** What in-flight work may take after a signal, in milliseconds. */
  patienceMs?: number;
}

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A terminal and npm both pass on one Ctrl-C: signals that follow the first within this time repeat it. */
const repeatedSignalMs = 500;

/**
 * Runs a process from start to end: starts it, waits for SIGTERM, SIGINT (Ctrl-C) or SIGHUP (a closed terminal), stops it, and
 * exits with 0; a second signal ends it at once. A failed start prints why, without a stack where the error explains itself,
 * and exits with 1.
 */
export async function runProcess(
  start: () => Promise<Stop>,
  options: RunOptions = {},
): Promise<void> {
  const { complain = (text) => process.stderr.write(`${text}\n`), patienceMs = 30_000 } = options;
  const asked = stopSignal();
  let code = 0;
  try {
    const stop = await start();
    await asked;
    const late = setTimeout(() => {
      complain(`Some work did not end within ${patienceMs / 1000} s of the signal and is cut off.`);
      process.exit(1);
    }, patienceMs);
    await stop();
    clearTimeout(late);
  } catch (error) {
    complain(explainError(error));
    code = 1;
  }
  process.exit(code);
}

/** Resolves with the first signal to stop; exits when another one follows. */
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

/** An error for the person at the terminal: its message where that is written for them, else its stack. */
export function explainError(error: unknown): string {
  return explainsItself(error) ? error.message : describeError(error);
}

/** True for the errors whose message is written for the person at the terminal: place, cause and remedy. */
function explainsItself(error: unknown): error is Error {
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

/** A process cannot start for a reason the person at the terminal can change. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
