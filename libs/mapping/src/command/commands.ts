import { parseDocument } from 'yaml';
import {
  compileDocument,
  type DocumentCompileOptions,
  compileTemplate,
  Deleted,
  formatJson,
  formatTemplate,
  LimitError,
  MappingError,
  MappingRunError,
  Nothing,
  parseJson,
  RunError,
  type Value,
} from '../index.js';

/** The output of a command: results to standard output, errors to standard error. */
export interface Output {
  out: (line: string) => void;
  err: (line: string) => void;
  /** Templates that documents may apply beside their own. */
  shared?: DocumentCompileOptions['shared'] | undefined;
}

export interface RunFlags {
  /** Texts without quotes. */
  raw?: boolean;
  pretty?: boolean;
  metadata?: Readonly<Record<string, string>>;
}

/** True for a mapping document, false for a template. */
function isDocument(source: string): boolean {
  return /^(?:engine|templates)\s*:/m.test(source);
}

type Transform = (input: Value) => Value;

interface TransformOptions {
  metadata?: Readonly<Record<string, string>> | undefined;
  shared?: DocumentCompileOptions['shared'] | undefined;
}

/** A template, or a mapping document when the text is one. @throws MappingError */
export function transformOf(
  source: string,
  { metadata = {}, shared }: TransformOptions = {},
): Transform {
  if (isDocument(source)) {
    const document = compileDocument(source, shared === undefined ? {} : { shared });
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

/** Describes an error of a template or its input. @throws any other error */
function reasonOf(error: unknown): string {
  if (explained.some((kind) => error instanceof kind))
    return (error as { message: string }).message;
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
    transform = transformOf(source, { metadata: flags.metadata, shared });
  } catch (error) {
    err(reasonOf(error));
    return 1;
  }
  let [code, number] = [0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const value = transform(parseJson(line));
      if (value !== Deleted) out(shown(value, flags));
    } catch (error) {
      err(`input line ${number}: ${reasonOf(error)}`);
      code = 1;
    }
  }
  return code;
}

function shown(value: Value, { raw = false, pretty = false }: RunFlags): string {
  if (raw && typeof value === 'string') return value;
  if (raw && value instanceof Uint8Array) return Buffer.from(value).toString();
  return formatJson(value, { indent: pretty ? '  ' : '' });
}

/** `check`: says what is wrong with a template or document, or nothing. @returns the exit code */
export function check(source: string, { err, shared }: Output): number {
  try {
    transformOf(source, { shared });
    return 0;
  } catch (error) {
    err(reasonOf(error));
    return 1;
  }
}

/**
 * `fmt`: writes a template laid out one way. A tree keeps no comments, so a template that has some is refused rather
 * than robbed of them. @returns the exit code
 */
export function format(source: string, { out, err }: Output): number {
  if (isDocument(source)) {
    err('this is a mapping document: fmt lays out single templates');
    return 1;
  }
  const texts = /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#/g;
  for (const { 0: found, index } of source.matchAll(texts))
    if (found === '#') {
      err(`line ${source.slice(0, index).split('\n').length} has a comment, which fmt would lose`);
      return 1;
    }
  try {
    out(formatTemplate(source).trimEnd());
    return 0;
  } catch (error) {
    err(reasonOf(error));
    return 1;
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
export function test(source: string, cases: string, { out, err, shared }: Output): number {
  let transform: Transform;
  let all: readonly Case[];
  try {
    transform = transformOf(source, { shared });
    all = casesOf(cases);
  } catch (error) {
    err(reasonOf(error));
    return 1;
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
  return failed === 0 ? 0 : 1;
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
