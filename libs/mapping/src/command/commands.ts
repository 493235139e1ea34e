import { parseDocument } from 'yaml';
import {
  compileDocument,
  type DocumentCompileOptions,
  compileTemplate,
  Deleted,
  formatJson,
  LimitError,
  MappingError,
  MappingRunError,
  Nothing,
  parseJson,
  RunError,
  type Value,
} from '../index.js';
import { lintNames } from '../document/lint-document.js';
import { toFailure } from '../language/run-error.js';
import { describeFaults, describeWarning, exitCodes } from './exit-codes.js';
import { isDocument } from './is-document.js';
import type { Output } from './terminal.js';

export interface RunFlags {
  /** Texts without quotes. */
  raw?: boolean;
  pretty?: boolean;
  metadata?: Readonly<Record<string, string>>;
  /** The file of the source. */
  name?: string | undefined;
}

type Transform = (input: Value) => Value;

interface TransformOptions {
  /** The name of the document in errors. */
  name?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  shared?: DocumentCompileOptions['shared'] | undefined;
}

/** A template, or a mapping document when the text is one. @throws MappingError */
export function transformOf(
  source: string,
  { metadata = {}, shared, name }: TransformOptions = {},
): Transform {
  if (isDocument(source)) {
    const document = compileDocument(source, { shared, name });
    return (input) => {
      const mapped = document.run(input, { metadata });
      return mapped === undefined ? Deleted : mapped.record;
    };
  }
  const template = compileTemplate(source);
  return (input) => {
    const { root } = template.run(input, { metadata });
    return root === Nothing ? input : root;
  };
}

const explained = [MappingError, MappingRunError, RunError, LimitError, SyntaxError];

/** Describes an error of a template or its input. @param name the file of the template @throws any other error */
function reasonOf(error: unknown, name?: string): string {
  if (error instanceof MappingError && name !== undefined) return describeFaults(name, error);
  if (explained.some((kind) => error instanceof kind))
    return (error as { message: string }).message;
  const failure = toFailure(error);
  if (failure instanceof LimitError) return failure.message; // JSON that is nested too deep to be written
  throw error;
}

/** `run`: one JSON document per line in, one per line out. @returns the exit code */
export async function run(
  source: string,
  lines: AsyncIterable<string>,
  flags: RunFlags,
  { out, err, shared }: Output,
): Promise<number> {
  let transform: Transform;
  try {
    transform = transformOf(source, { metadata: flags.metadata, shared, name: flags.name });
  } catch (error) {
    err(reasonOf(error, flags.name));
    return exitCodes.wrong;
  }
  let code: number = exitCodes.fine;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const value = transform(parseJson(line));
      if (value !== Deleted) out(shown(value, flags));
    } catch (error) {
      err(`input line ${number}: ${reasonOf(error)}`);
      code = exitCodes.found;
    }
  }
  return code;
}

function shown(value: Value, { raw = false, pretty = false }: RunFlags): string {
  if (raw && typeof value === 'string') return value;
  if (raw && value instanceof Uint8Array) return Buffer.from(value).toString();
  return formatJson(value, { indent: pretty ? '  ' : '' });
}

/** `check`: says what is wrong with a template or document, or probably is, as `undefined`; or nothing. @returns the exit code */
export function check(source: string, { err, shared }: Output, name?: string): number {
  try {
    transformOf(source, { shared });
    const warnings = lintNames(source, isDocument(source));
    for (const one of warnings) err(describeWarning(name ?? 'the template', one, source));
    return warnings.length === 0 ? exitCodes.fine : exitCodes.found;
  } catch (error) {
    err(reasonOf(error, name));
    return exitCodes.wrong;
  }
}

interface Case {
  name?: string;
  input: unknown;
  output?: unknown;
  /** A part of the error's text. */
  error?: string;
  deleted?: true;
}

/** Reads the cases of a document. @throws SyntaxError */
function casesOf(text: string): readonly Case[] {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxError(`the cases are not YAML: ${error.message}`);
  const cases = document.toJS() as unknown;
  const isCase = (one: unknown) => typeof one === 'object' && one !== null && 'input' in one;
  if (Array.isArray(cases) && cases.every(isCase)) return cases;
  throw new SyntaxError(
    'the cases are not a list of {name, input, output}, or of error or deleted',
  );
}

/** `test`: runs the cases beside a document: a YAML list of {name, input, output | error | deleted}. @returns the exit code */
export function test(
  source: string,
  cases: string,
  { out, err, shared }: Output,
  name?: string,
): number {
  let transform: Transform;
  let all: readonly Case[];
  try {
    transform = transformOf(source, { shared, name });
    all = casesOf(cases);
  } catch (error) {
    err(reasonOf(error, name));
    return exitCodes.wrong;
  }
  let failed = 0;
  for (const [index, one] of all.entries()) {
    const name = one.name ?? `case ${index + 1}`;
    const problem = problemOf(transform, one);
    if (problem === undefined) {
      out(`ok   ${name}`);
      continue;
    }
    failed += 1;
    err(`FAIL ${name}: ${problem}`);
  }
  out(`${all.length - failed} passed, ${failed} failed`);
  return failed === 0 ? exitCodes.fine : exitCodes.found;
}

function problemOf(
  transform: Transform,
  { input, output, error, deleted }: Case,
): string | undefined {
  let got: Value;
  try {
    got = transform(input);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    if (error === undefined) return reason;
    return reason.includes(error) ? undefined : `expected an error with "${error}", got: ${reason}`;
  }
  if (error !== undefined)
    return `expected an error with "${error}", got ${got === Deleted ? 'nothing' : formatJson(got)}`;
  if (deleted)
    return got === Deleted ? undefined : `expected it to be dropped, got ${formatJson(got)}`;
  if (got === Deleted) return 'it was dropped';
  const [wanted, made] = [formatJson(output), formatJson(got)];
  return wanted === made ? undefined : `expected ${wanted}, got ${made}`;
}
