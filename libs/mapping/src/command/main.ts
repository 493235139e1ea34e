import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { check, format, run, test, transformOf } from './commands.js';
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

const output = {
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
};

process.exitCode = await main();

async function main(): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({
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
    return refuse((error as Error).message);
  }
  const { values, positionals } = parsed;
  const [command, file, cases] = positionals;
  switch (command) {
    case 'run': {
      const source = values.expression ?? (values.file && read(values.file));
      if (source === undefined) return refuse('run needs -e or -f');
      const metadata = Object.fromEntries(
        values.meta.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
      );
      return await run(
        source,
        createInterface({ input: process.stdin }),
        { raw: values.raw, pretty: values.pretty, metadata },
        output,
      );
    }
    case 'check':
      return file === undefined ? refuse('check needs a file') : check(read(file), output);
    case 'test': {
      if (file === undefined) return refuse('test needs a file');
      return test(read(file), read(cases ?? file.replace(/\.\w+$/, '.cases.yaml')), output);
    }
    case 'fmt':
      return file === undefined ? refuse('fmt needs a file') : format(read(file), output);
    case 'repl':
      return await repl();
    default:
      return refuse(
        command === undefined ? 'a command is missing' : `there is no command ${command}`,
      );
  }
}

function refuse(message: string): number {
  output.err(`${message}\n\n${usage}`);
  return 2;
}

function read(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  output.err(`${file}: there is no such file`);
  process.exit(2);
}

async function repl(): Promise<number> {
  let input: unknown = {};
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  lines.prompt();
  for await (const line of lines) {
    const given = /^input\s+(.+)$/.exec(line)?.[1];
    try {
      if (given !== undefined) input = JSON.parse(given) as unknown;
      else if (line.trim() !== '') output.out(describeValue(transformOf(line)(input)));
    } catch (error) {
      output.err((error as { message: string }).message);
    }
    lines.prompt();
  }
  return 0;
}
