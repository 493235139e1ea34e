import { parseArgs } from 'node:util';
import { check, run, test, transformOf } from './commands.js';
import { describeValue } from './describe-value.js';
import { exitCodes } from './exit-codes.js';
import { explain } from './explain.js';
import { formatFiles } from './format-files.js';
import { lint } from './lint.js';
import { LimitError, toFailure } from '../language/run-error.js';
import type { Surroundings } from './terminal.js';

const describeUsage = ({ program, outlineOf }: Surroundings) => `${program} <command>

  run   -e 'EXPR' | -f FILE   maps JSON documents, one per line, from standard input to standard output
        --raw                 texts without quotes
        --pretty              several lines per document
        --meta key=value      metadata of every document; as often as wanted
  check FILE…                 says what is wrong with templates or mapping documents, or probably is
  test  FILE [CASES]          runs the cases of CASES, or of FILE with .cases.yaml for its ending
  fmt   FILE…                 lays files out one way; - is standard input
        --check               only names the files that are not laid out
  lint  FILE                  warns of templates and variables that nothing uses
${outlineOf === undefined ? '' : `        --operation ID        and of fields outside of the contract, or missing\n`}\
        --input FILE          and of fields of a sample that nothing reads
  explain FILE                shows the lines that made a field, and the values on the way
        --input FILE          the record, as JSON
        --field root.x        the field
        --meta key=value
  repl                        a template per line, on the document that "input" was last given

Exit codes: 0 fine; 1 something was found, such as a failure or warning; 2 the command line or a file is wrong.
`;

/** A command line that does not fit: told with the usage. */
class Misuse extends Error {
  constructor(
    message: string,
    readonly isUsageShown = true,
  ) {
    super(message);
  }
}

/** Runs a command line. @returns the exit code */
export async function program(args: string[], terminal: Surroundings): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!(error instanceof Misuse)) {
      const failure = toFailure(error);
      if (!(failure instanceof LimitError)) throw error;
      terminal.err(failure.message);
      return exitCodes.wrong;
    }
    const { message, isUsageShown } = error;
    terminal.err(isUsageShown ? `${message}\n\n${describeUsage(terminal)}` : message);
    return exitCodes.wrong;
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        expression: { type: 'string', short: 'e' },
        file: { type: 'string', short: 'f' },
        raw: { type: 'boolean', default: false },
        pretty: { type: 'boolean', default: false },
        meta: { type: 'string', multiple: true, default: [] },
        check: { type: 'boolean', default: false },
        operation: { type: 'string' },
        input: { type: 'string' },
        field: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

function dispatch(args: string[], terminal: Surroundings): number | Promise<number> {
  const { values, positionals } = parsed(args);
  const [command, file, cases] = positionals;
  const read = (name: string | undefined): string => {
    if (name === undefined) throw new Misuse(`${command} needs a file`);
    const text = terminal.read(name);
    if (text === undefined) throw new Misuse(`${name}: there is no such file`, false);
    return text;
  };
  if (values.help) {
    terminal.out(describeUsage(terminal));
    return exitCodes.fine;
  }
  switch (command) {
    case 'run': {
      if (values.expression === undefined && values.file === undefined)
        throw new Misuse('run needs -e or -f');
      const source = values.expression ?? read(values.file);
      return run(
        source,
        terminal.lines,
        { ...values, name: values.file, metadata: metadataOf(values.meta) },
        terminal,
      );
    }
    case 'check':
      return Math.max(
        ...[file, ...positionals.slice(2)].map((name) => check(read(name), terminal, name)),
      );
    case 'test':
      return test(
        read(file),
        read(cases ?? file?.replace(/\.\w+$/, '.cases.yaml')),
        terminal,
        file,
      );
    case 'fmt':
      if (file === undefined) throw new Misuse('fmt needs files, or - for standard input');
      return formatFiles(positionals.slice(1), values.check, terminal);
    case 'lint': {
      const { operation, input } = values;
      const flags = { operation, input: input === undefined ? undefined : read(input) };
      return lint(file ?? '', read(file), flags, terminal);
    }
    case 'explain': {
      const { input, field } = values;
      if (input === undefined || field === undefined)
        throw new Misuse('explain needs --input FILE and --field root.…');
      const flags = { input: read(input), field, metadata: metadataOf(values.meta) };
      return explain(file ?? '', read(file), flags, terminal);
    }
    case 'repl':
      return repl(terminal);
    default:
      throw new Misuse(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
      );
  }
}

function metadataOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const cut = pair.indexOf('=');
      if (cut < 1) throw new Misuse(`--meta ${pair} is not of the form key=value`);
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
}

async function repl(terminal: Surroundings): Promise<number> {
  const { prompt, out, err } = terminal;
  let input: unknown = {};
  prompt();
  for await (const line of terminal.lines) {
    const given = /^input\s+(\S.*)$/.exec(line)?.[1];
    try {
      if (given !== undefined) input = JSON.parse(given) as unknown;
      else if (line.trim() !== '') out(describeValue(transformOf(line)(input)));
    } catch (error) {
      err((error as { message: string }).message);
    }
    prompt();
  }
  return 0;
}
