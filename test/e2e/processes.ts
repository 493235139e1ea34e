import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url)); // The folder dist.

/** A process that starts says so within seconds; on a machine with much else to do, later. */
const maxSayMs = 120_000;

export type App =
  | 'bridge-agent'
  | 'standalone'
  | 'gateway'
  | 'management'
  | 'connector'
  | 'operations'
  | 'console'
  | 'admin';

/** Variables of a process; those that are undefined are not set. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A process of the product under test. */
export interface Running {
  child: ChildProcess;
  /** Its output so far, of both streams. */
  output: () => string;
  /** Resolves with the match once it is in the output; rejects if the process ends before, or after a timeout. */
  says: (pattern: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  /** Resolves when it has ended, with exit code or signal. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal (SIGTERM by default) and waits for the end. */
  stop: (
    signal?: NodeJS.Signals,
  ) => Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts one of the processes with an environment that contains only the path. */
export function startApp(app: App, args: string[] = [], env: Environment = {}): Running {
  return startNode([programOf(app), ...args], env);
}

/** Returns the file that Node runs for one of the processes. */
export function programOf(app: App): string {
  return `${root}run/apps/${app}/src/main.js`;
}

export function startNode(args: string[], env: Environment = {}): Running {
  return startProgram(process.execPath, args, env);
}

/** Waits for the end of a process. @returns its exit code and all that it has said */
export async function ended(running: Running): Promise<{ code: number | null; text: string }> {
  const { code } = await running.exited;
  return { code, text: running.output() };
}

export function startProgram(program: string, args: string[], env: Environment = {}): Running {
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const heard = new Set<() => void>();
  const hear = (chunk: Buffer) => {
    text += chunk.toString();
    for (const check of heard) check();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exited = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    child,
    output: () => text,
    exited,
    stop: (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
    says: (pattern, withinMs = maxSayMs) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => {
          settle();
          reject(new Error(`${args[0]} ${why} without saying ${pattern}; it said:\n${text}`));
        };
        const timer = setTimeout(() => fail(`ran for ${withinMs} ms`), withinMs);
        const check = () => {
          const match = pattern.exec(text);
          if (match === null) return;
          settle();
          resolve(match);
        };
        const settle = () => {
          clearTimeout(timer);
          heard.delete(check);
        };
        heard.add(check);
        check();
        void exited.then(() => heard.has(check) && fail('ended'));
      }),
  };
}
