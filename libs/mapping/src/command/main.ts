import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { program } from './program.js';
import type { Surroundings } from './terminal.js';

/**
 * Runs the command line of this process.
 * @param options how it is called, the templates that documents may apply beside their own, and the contract
 */
export async function main({
  program: name,
  shared,
  outlineOf,
}: Pick<Surroundings, 'program' | 'shared' | 'outlineOf'>): Promise<void> {
  // The interface is made when it is asked for: made earlier, it loses lines that come before somebody reads them.
  const terminal = () =>
    createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  let shown: ReturnType<typeof terminal> | undefined;

  process.exitCode = await program(process.argv.slice(2), {
    program: name,
    shared,
    outlineOf,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
    write: (file, text) => writeFileSync(file, text),
    get lines() {
      return shown ?? createInterface({ input: process.stdin });
    },
    prompt: () => (shown ??= terminal()).prompt(),
  });
}
