import { parseArgs } from 'node:util';
import { type LintOptions, type LintProblem, lintRecord } from '../index.js';
import { readRecords, RecordsError } from './read-records.js';

const usage = `npm run -s ocsf -- lint FILE|- [--class NAME] [--strict]

Checks OCSF records: one JSON object, an array of them, or one per line. "-" reads standard input.

  --class NAME   every record must be of this class: its caption ("Detection Finding"), its number,
                 or its schema in the contract (v1_3_0.detectionfinding.DetectionFinding)
  --strict       a warning is as bad as an error

Exit code: 0 without errors, 1 with errors, 2 if the records cannot be read.
`;

export interface Terminal {
  out: (line: string) => void;
  err: (line: string) => void;
  /** Text of a file, or of standard input for "-"; undefined for an unknown file. */
  read: (file: string) => Promise<string | undefined>;
}

/** Runs a command line. @returns the exit code */
export async function program(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parse(args);
  if (typeof parsed === 'string') {
    terminal.err(`${parsed}\n\n${usage}`);
    return 2;
  }
  const { file, options, isStrict } = parsed;
  const text = await terminal.read(file);
  if (text === undefined) {
    terminal.err(`${file}: the file does not exist`);
    return 2;
  }
  try {
    return lint(text, file === '-' ? 'standard input' : file, options, isStrict, terminal);
  } catch (error) {
    if (!(error instanceof RecordsError || error instanceof RangeError)) throw error;
    terminal.err(`${file === '-' ? 'standard input' : file}: ${error.message}`);
    return 2;
  }
}

function parse(args: string[]): { file: string; options: LintOptions; isStrict: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { class: { type: 'string' }, strict: { type: 'boolean', default: false } },
    });
    const [command, file, ...rest] = positionals;
    if (command === undefined) return 'a command is missing';
    if (command !== 'lint') return `unknown command ${command}`;
    if (file === undefined) return 'lint needs a file, or - for standard input';
    if (rest.length > 0) return `lint takes one file, not also ${rest.join(', ')}`;
    const options = values.class === undefined ? {} : { class: values.class };
    return { file, options, isStrict: values.strict };
  } catch (error) {
    return (error as Error).message;
  }
}

function lint(
  text: string,
  name: string,
  options: LintOptions,
  isStrict: boolean,
  { out }: Terminal,
): number {
  const records = readRecords(text);
  let [errors, warnings] = [0, 0];
  for (const [index, record] of records.entries()) {
    const result = lintRecord(record.value, options);
    const print = (kind: string, { pointer, rule, message }: LintProblem) => {
      const which = records.length > 1 ? ` in record ${index + 1}` : '';
      const where = pointer === '' ? '' : ` at ${pointer}`;
      out(`${name}:${record.line(pointer)}: ${kind}${which}${where}: ${message} (${rule})`);
    };
    for (const problem of result.errors) print('error', problem);
    for (const problem of result.warnings) print('warning', problem);
    errors += result.errors.length;
    warnings += result.warnings.length;
  }
  out(
    [count(records.length, 'record'), count(errors, 'error'), count(warnings, 'warning')].join(
      ', ',
    ),
  );
  return errors > 0 || (isStrict && warnings > 0) ? 1 : 0;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
