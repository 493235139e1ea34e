import type { Statement } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { suggestName } from '../language/suggest-name.js';
import { appliedNames, mayRead, queryMayRead } from '../language/walk.js';
import { MappingError, placeOf, type TemplateFault } from '../language/mapping-error.js';
import {
  type CompiledTemplate,
  type CompileOptions,
  compileQuery,
  compileTemplate,
} from './template.js';
import type { Value } from '../language/values.js';
import { appliedIn, appliedNamesOf, type SharedTemplates } from './applied.js';
import type { TextInDocument } from './describe-failure-of-text.js';
import { expressionsIn, textsOf } from './document-texts.js';
import { keepsField } from './kept-fields.js';
import { locateField } from './locate-field.js';
import { readPaths } from './read-paths.js';
import { type DocumentParts, type Embedded, type Located, readDocument } from './read-document.js';
import {
  type DocumentOptions,
  type Mapped,
  type Plan,
  runDocument,
  type Step,
  type TracedPlan,
} from './run-document.js';
import type { TemplatePart } from './template-part.js';
import { FailureTrace } from './trace-failure.js';
import type { Trace } from '../closures/trace.js';

/** A mapping document, ready to run. */
export interface CompiledDocument {
  /** Maps one record. @throws MappingRunError */
  run(record: Value, options?: DocumentOptions): Mapped;
  /** The fields of root that its templates name, sorted. What they make of root as a whole is not known before they run. */
  fields(): string[];
  /** True if a field of the record certainly comes out as it is, unless the record is dropped. */
  keeps(field: string): boolean;
  /** Whether it may look at a field of the record. False is certain. */
  mayRead(field: string): boolean;
  /** The paths of the record that it may read; an empty path is the whole record. */
  readPaths(): readonly (readonly string[])[];
  /**
   * Describes the statement that sets a field of the record it makes: `jira.yaml:6:14 in template default, root.email`; undefined where
   * that is not known. @param file the name of the document; by default the one that it was compiled with
   */
  locateField(path: readonly string[], file?: string): string | undefined;
}

export interface DocumentCompileOptions extends CompileOptions {
  /** Templates that `.apply` finds beside those of the document. */
  shared?: SharedTemplates | undefined;
  /** The name of the document in errors of its runs, such as that of its file. */
  name?: string | undefined;
}

/** Makes the trace that watches a part of a document. */
export type TraceOf = (part: TemplatePart) => Trace;

/** Maximum number of fields about which a document remembers whether it keeps them, and where they are set. */
const maxKept = 100;

/** Compiles a mapping document. @throws MappingError with every fault of YAML and templates, at the document's own lines */
export function compileDocument(
  document: string | Embedded,
  options: DocumentCompileOptions = {},
): CompiledDocument {
  const parts = readDocument(document);
  const plan: Plan = {
    ...planOf(document, parts, options),
    traced: () => tracedPlan(document, parts, options),
  };
  const used = new Set([
    ...parts.pre,
    ...parts.select.map(({ name }) => name),
    parts.defaultName,
    ...parts.post,
  ]);
  const kept = new Map<string, boolean>();
  const places = new Map<string, string | undefined>();
  const statementsOf = (name: string) =>
    parseTemplate(parts.templates.get(name)?.text ?? '').statements;
  const isKept = (field: string) =>
    keepsField(
      {
        pre: parts.pre.map(statementsOf),
        selected: [...parts.select.map(({ name }) => name), parts.defaultName].map(statementsOf),
        post: parts.post.map(statementsOf),
      },
      field,
    );
  return {
    run: (record, runOptions = {}) => runDocument(plan, record, runOptions),
    // Others see only what these apply them to, which these have read then.
    mayRead: (field) =>
      [...used].some((name) =>
        mayRead(parseTemplate(parts.templates.get(name)?.text ?? ''), field),
      ) || parts.select.some(({ match }) => queryMayRead(parseQuery(match.text), field)),
    readPaths: () =>
      readPaths(
        [...used].map((name) => parts.templates.get(name)?.text ?? ''),
        parts.select.map(({ match }) => match.text),
      ),
    keeps: (field) => {
      const known = kept.get(field) ?? isKept(field);
      if (kept.size < maxKept) kept.set(field, known);
      return known;
    },
    // Parses the templates, and a list may have as many values that do not fit as it has records.
    locateField: (path, file = options.name) => {
      const key = [file, ...path.filter((name) => !/^\d+$/.test(name))].join('/');
      const place = places.has(key) ? places.get(key) : locateField(parts, path, file);
      if (places.size < maxKept) places.set(key, place);
      return place;
    },
    fields: () => fieldsOf([...used].map((name) => parts.templates.get(name)?.text ?? '')),
  };
}

/** Compiles the parts of a document so that they are watched for the failure that ends them. @throws MappingError */
export function tracedPlan(
  document: string | Embedded,
  parts: DocumentParts,
  options: DocumentCompileOptions,
): TracedPlan {
  const trace = new FailureTrace();
  return { plan: planOf(document, parts, options, (part) => trace.of(part)), trace };
}

/** Compiles the parts of a document. @throws MappingError with every fault of its templates */
export function planOf(
  document: string | Embedded,
  parts: DocumentParts,
  { shared, name: documentName, ...options }: DocumentCompileOptions = {},
  traceOf?: TraceOf,
): Plan {
  const faults: TemplateFault[] = [];
  const compile = <T>(
    part: TemplatePart,
    how: (text: string, options: CompileOptions) => T,
  ): T | undefined => {
    const { located } = part;
    try {
      return how(located.text, { ...options, trace: traceOf?.(part) });
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      for (const fault of error.faults)
        faults.push({ ...fault, ...located.locate(fault.line, fault.column) });
      return undefined;
    }
  };
  const partOf = (kind: TemplatePart['kind'], name: string, located: Located) => ({
    kind,
    name,
    located,
  });
  const templates = new Map<string, CompiledTemplate>();
  for (const [name, located] of parts.templates) {
    const compiled = compile(partOf('template', name, located), compileTemplate);
    if (compiled) templates.set(name, compiled);
  }
  const select = parts.select.flatMap(({ name, match }) => {
    const part = partOf('select', name, match);
    const test = compile(part, compileQuery);
    return test ? [{ name, part, test }] : [];
  });
  const types = new Map(
    [...parts.dataTypes].map(([name, { transform, ignored }]) => [
      name,
      {
        transform: transform && compile(partOf('data type', name, transform), compileTemplate),
        ignored,
      },
    ]),
  );
  const names = appliedNamesOf(types, templates);
  if (faults.length === 0)
    for (const one of textsOf(parts)) faults.push(...unknownTemplates(one, names, shared));
  if (faults.length > 0)
    throw new MappingError(faults, typeof document === 'string' ? document : document.source);

  const stepOf = (name: string): Step => {
    const template = templates.get(name);
    const located = parts.templates.get(name);
    if (template === undefined || located === undefined) throw new TypeError(`no template ${name}`);
    return {
      part: partOf('template', name, located),
      template,
      readsRoot: template.mayObserve('__root__'),
      passesInput: template.mayRead('__root__'),
    };
  };
  const transforms = [...types.values()].flatMap(({ transform }) => transform ?? []);
  return {
    name: documentName,
    pre: parts.pre.map(stepOf),
    select: select.map(({ name, part, test }) => ({ step: stepOf(name), part, test })),
    otherwise: stepOf(parts.defaultName),
    post: parts.post.map(stepOf),
    apply: appliedIn(types, templates, traceOf && shared ? traced(shared, traceOf) : shared),
    multiplies: [...templates.values(), ...transforms].some(({ multiplies }) => multiplies),
  };
}

/** The same shared templates, watched by traces. */
function traced(shared: SharedTemplates, traceOf: TraceOf): SharedTemplates {
  const known = new Map<string, CompiledTemplate>();
  return (name) => {
    const template = shared(name);
    const text = template?.source;
    if (text === undefined) return template;
    const located = { text, locate: (line: number, column: number) => ({ line, column }) };
    const part: TemplatePart = { kind: 'shared template', name, located };
    const watched = known.get(name) ?? compileTemplate(text, { trace: traceOf(part) });
    known.set(name, watched);
    return watched;
  };
}

/** Finds templates that are applied by a name that nothing has. */
function unknownTemplates(
  one: TextInDocument,
  names: ReadonlySet<string>,
  shared: SharedTemplates | undefined,
): TemplateFault[] {
  const { text, locate } = one.located;
  const maps = one.isQuery ? [] : [...parseTemplate(text).maps.keys()];
  const known = new Set([...names, ...maps]);
  return expressionsIn(one)
    .flatMap(appliedNames)
    .flatMap(({ name, at }) => {
      if (known.has(name) || shared?.(name) !== undefined) return [];
      const { line, column } = placeOf(text, at);
      const hint = suggestName(name, known);
      const message = `there is no template "${name}"`;
      return [{ message, ...locate(line, column), ...(hint === undefined ? {} : { hint }) }];
    });
}

/** The keys of the output that a statement names: `root.a = …`, `a = …`, `root = {"a": …}`. */
function keysOf({ path: [first, second], value }: Extract<Statement, { kind: 'assign' }>) {
  const key = first === 'root' ? second : first;
  if (key !== undefined) return [key];
  if (value.kind !== 'object') return [];
  return value.entries.flatMap((entry) =>
    entry.key.kind === 'literal' ? [String(entry.key.value)] : [],
  );
}

function fieldsOf(templates: readonly string[]): string[] {
  const found = new Set<string>();
  const walk = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      if (statement.kind === 'assign') for (const key of keysOf(statement)) found.add(key);
      if (statement.kind !== 'if') continue;
      for (const { body } of statement.branches) walk(body);
      walk(statement.otherwise ?? []);
    }
  };
  for (const template of templates) walk(parseTemplate(template).statements);
  return [...found].sort();
}
