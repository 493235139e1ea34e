import { parseArgs } from 'node:util';
import { explainError } from '#observe';
import { commands, usage } from './commands.js';

const text = { type: 'string' } as const;
const options = {
  ttl: text,
  organization: text,
  member: text,
  data: text,
  step: text,
  domains: { type: 'string', multiple: true },
  processes: text,
  url: text,
  file: text,
  folder: text,
  listen: text,
  tls: text,
  cancel: text,
  retry: text,
  as: text,
  export: { type: 'boolean' },
  typescript: { type: 'boolean' },
  json: { type: 'boolean' },
  watch: { type: 'boolean' },
  'kept-by': text,
  help: { type: 'boolean' },
} as const;

/** Runs the command of the command line, prints its result, and sets the exit code. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    const command = commands[positionals[0] ?? ''];
    if (command === undefined || positionals.length > 1 || values.help === true) {
      process.stderr.write(usage);
      process.exitCode = values.help === true ? 0 : 2;
    } else {
      process.stdout.write(`${await command(values)}\n`);
    }
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}
