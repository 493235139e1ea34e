import type { LoggerService, LogLevel } from '@nestjs/common';
import { type Clock, systemClock } from '#config/runtime';

export type Severity = 'debug' | 'info' | 'warn' | 'error';

export interface JsonLogOptions {
  /** The name of the process, such as `gateway`. */
  service: string;
  /** Less severe lines are not written. */
  level?: Severity;
  clock?: Clock;
  /** Writes a line including its line break; to standard output by default. */
  write?: (line: string) => void;
}

const severities: readonly Severity[] = ['debug', 'info', 'warn', 'error'];
const nestLevels: readonly LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];
const firstNestLevel: Record<Severity, LogLevel> = {
  debug: 'verbose',
  info: 'log',
  warn: 'warn',
  error: 'error',
};

/** Returns the levels of Nest that are written. */
export function nestLevelsFrom(level: Severity): LogLevel[] {
  return nestLevels.slice(nestLevels.indexOf(firstNestLevel[level]));
}

const maxTextLength = 8_192;

/**
 * Logger for Nest that writes one JSON object per line: time, level, service, context, message and the fields of a message object.
 * Callers log identifiers, never payloads: `log.warn({ message: 'provider refused the token', integration_id, status })`.
 */
export class JsonLog implements LoggerService {
  readonly service: string;
  /** The name of the process, as others on the bus call it. */
  processId: string | undefined;
  private readonly clock: Clock;
  readonly write: (line: string) => void;
  private minLevel: number;

  constructor(options: JsonLogOptions) {
    this.service = options.service;
    this.clock = options.clock ?? systemClock;
    this.write = options.write ?? ((line) => process.stdout.write(line));
    this.minLevel = severities.indexOf(options.level ?? 'info');
  }

  /** Names the process in each line from now on, as others on the bus call it. */
  nameProcess(id: string): void {
    this.processId = id;
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.line('debug', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.line('debug', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.line('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.line('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.line('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.line('error', message, rest);
  }

  setLogLevels(levels: LogLevel[]): void {
    const known = levels.map((level) =>
      severities.indexOf(
        level === 'log' ? 'info' : level === 'verbose' ? 'debug' : (level as Severity),
      ),
    );
    this.minLevel = Math.min(...known.filter((index) => index >= 0), severities.length);
  }

  private line(level: Severity, message: unknown, rest: unknown[]): void {
    if (severities.indexOf(level) < this.minLevel) return;
    const { context, stack } = parseParameters(level, rest);
    const fields = fieldsOf(message);
    const entry = {
      time: new Date(this.clock.now()).toISOString(),
      level,
      service: this.service,
      ...(this.processId === undefined ? {} : { process: this.processId }),
      ...(context === undefined ? {} : { context }),
      ...fields,
      ...(stack === undefined || 'error' in fields ? {} : { error: stack }),
    };
    this.write(`${JSON.stringify(entry, toLoggable)}\n`);
  }
}

/** Finds the context, which Nest appends as the last parameter, and for errors the stack before it. */
function parseParameters(level: Severity, rest: unknown[]): { context?: string; stack?: string } {
  const texts = rest.filter((value): value is string => typeof value === 'string');
  const context = texts.at(-1);
  const stack = level === 'error' && texts.length > 1 ? texts[0] : undefined;
  return {
    ...(context === undefined ? {} : { context }),
    ...(stack === undefined ? {} : { stack }),
  };
}

function fieldsOf(message: unknown): Record<string, unknown> {
  if (message instanceof Error) return { message: message.message, error: describeError(message) };
  if (typeof message === 'object' && message !== null) return message as Record<string, unknown>;
  return { message: String(message) };
}

/** Converts values that JSON cannot represent to text, and truncates long texts, which callers may control. */
function toLoggable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return describeError(value);
  if (typeof value === 'string' && value.length > maxTextLength)
    return `${value.slice(0, maxTextLength)}… (${value.length} characters)`;
  return value;
}

/** Describes an error for a log: its stack and the stacks of its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\ncaused by ${describeError(error.cause)}`;
}
