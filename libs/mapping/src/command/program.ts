import { parseArgs } from 'node:util';
import { check, format, type Output, run, test, transformOf } from './commands.js';
import { describeValue } from './describe-value.js';

const usage = `npm run -s mapping -- <command>

  run   -e 'EXPR' | -f FILE   maps JSON documents, one per line, from standard input to standard output
        --raw                 texts without quotes
        --pretty              several lines per document
        --meta key=value      metadata of every document; as often as wanted
  check FILE                  says what is wrong with a template or mapping document
  test  FILE [CASES]          runs the cases of CASES, or of FILE with .cases.yaml for its ending
  fmt   FILE                  writes a template laid out one way; refuses one with comments
  repl                        a template per line, on the document that "input" was last given
`;

/** The terminal around the program. */
export interface Surroundings extends Output {
  lines: AsyncIterable<string>;
  /** The text of a file; undefined when there is none. */
  read: (file: string) => string | undefined;
  /** Asks for the next line. */
  prompt: () => void;
}

/** A command line that does not fit: told with the usage. */
class Misuse extends Error {}

/** Runs a command line. @returns the exit code */
export async function program(args: string[], terminal: Surroundings): Promise<number> {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    terminal.err(error.message);
    return 2;
  }
}

function misuse(message: string): Misuse {
  return new Misuse(`${message}\n\n${usage}`);
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
      },
    });
  } catch (error) {
    throw misuse((error as Error).message);
  }
}

function dispatch(args: string[], terminal: Surroundings): number | Promise<number> {
  const { values, positionals } = parsed(args);
  const [command, file, cases] = positionals;
  const read = (name: string | undefined): string => {
    if (name === undefined) throw misuse(`${command} needs a file`);
    const text = terminal.read(name);
    if (text === undefined) throw new Misuse(`${name}: there is no such file`);
    return text;
  };
  switch (command) {
    case 'run': {
      if (values.expression === undefined && values.file === undefined)
        throw misuse('run needs -e or -f');
      const source = values.expression ?? read(values.file);
      return run(
        source,
        terminal.lines,
        { ...values, metadata: metadataOf(values.meta) },
        terminal,
      );
    }
    case 'check':
      return check(read(file), terminal);
    case 'test':
      return test(read(file), read(cases ?? file?.replace(/\.\w+$/, '.cases.yaml')), terminal);
    case 'fmt':
      return format(read(file), terminal);
    case 'repl':
      return repl(terminal);
    default:
      throw misuse(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
      );
  }
}

function metadataOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const cut = pair.indexOf('=');
      if (cut < 1) throw misuse(`--meta ${pair} is not of the form key=value`);
      return [pair.slice(0, cut), pair.slice(cut + 1)];
    }),
  );
}

async function repl(terminal: Surroundings): Promise<number> {
  const { prompt, out, err } = terminal;
  let input: unknown = {};
  prompt();
  for await (const line of terminal.lines) {
    const given = /^input\s+(.+)$/.exec(line)?.[1];
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
