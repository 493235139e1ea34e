import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { DocumentCompileOptions } from '../index.js';
import { program } from './program.js';

/** Runs the command line of this process. @param options templates that documents may apply beside their own */
export async function main({ shared }: Pick<DocumentCompileOptions, 'shared'> = {}): Promise<void> {
  // The interface is made when it is asked for: made earlier, it loses lines that come before somebody reads them.
  const terminal = () =>
    createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  let shown: ReturnType<typeof terminal> | undefined;

  process.exitCode = await program(process.argv.slice(2), {
    shared,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    get lines() {
      return shown ?? createInterface({ input: process.stdin });
    },
    prompt: () => (shown ??= terminal()).prompt(),
  });
}
