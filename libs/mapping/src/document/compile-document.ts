import type { Statement } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { suggestName } from '../language/suggest-name.js';
import { appliedNames, expressionsOf, queryMayRead } from '../language/walk.js';
import { MappingError, placeOf, type TemplateFault } from '../language/mapping-error.js';
import {
  type CompiledTemplate,
  type CompileOptions,
  compileQuery,
  compileTemplate,
} from './template.js';
import type { Value } from '../language/values.js';
import { appliedIn, appliedNamesOf, type SharedTemplates } from './applied.js';
import { keepsField } from './kept-fields.js';
import { type Embedded, type Located, readDocument } from './read-document.js';
import {
  type DocumentOptions,
  type Mapped,
  type Plan,
  runDocument,
  type Step,
} from './run-document.js';

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
}

export interface DocumentCompileOptions extends CompileOptions {
  /** Templates that `.apply` finds beside those of the document. */
  shared?: SharedTemplates;
}

/** Maximum number of fields about which a document remembers whether it keeps them. */
const maxKept = 100;

/** Compiles a mapping document. @throws MappingError with every fault of YAML and templates, at the document's own lines */
export function compileDocument(
  document: string | Embedded,
  { shared, ...options }: DocumentCompileOptions = {},
): CompiledDocument {
  const source = typeof document === 'string' ? document : document.source;
  const parts = readDocument(document);
  const faults: TemplateFault[] = [];
  const compile = <T>(
    located: Located,
    how: (text: string, options: CompileOptions) => T,
  ): T | undefined => {
    try {
      return how(located.text, options);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      for (const fault of error.faults)
        faults.push({ ...fault, ...located.locate(fault.line, fault.column) });
      return undefined;
    }
  };
  const templates = new Map<string, CompiledTemplate>();
  for (const [name, located] of parts.templates) {
    const compiled = compile(located, compileTemplate);
    if (compiled) templates.set(name, compiled);
  }
  const select = parts.select.flatMap(({ name, match }) => {
    const test = compile(match, compileQuery);
    return test ? [{ name, test }] : [];
  });
  const types = new Map(
    [...parts.dataTypes].map(([name, { transform, ignored }]) => [
      name,
      { transform: transform && compile(transform, compileTemplate), ignored },
    ]),
  );
  const names = appliedNamesOf(types, templates);
  const texts = [...parts.dataTypes.values()].flatMap(({ transform }) => transform ?? []);
  if (faults.length === 0)
    for (const located of [...parts.templates.values(), ...texts])
      faults.push(...unknownTemplates(located, names, shared));
  if (faults.length > 0) throw new MappingError(faults, source);

  const stepOf = (name: string): Step => {
    const template = templates.get(name);
    const located = parts.templates.get(name);
    if (template === undefined || located === undefined) throw new TypeError(`no template ${name}`);
    return {
      name,
      located,
      template,
      readsRoot: template.mayObserve('__root__'),
      passesInput: template.mayRead('__root__'),
    };
  };
  const transforms = [...types.values()].flatMap(({ transform }) => transform ?? []);
  const plan: Plan = {
    pre: parts.pre.map(stepOf),
    select: select.map(({ name, test }) => ({ step: stepOf(name), test })),
    otherwise: stepOf(parts.defaultName),
    post: parts.post.map(stepOf),
    apply: appliedIn(types, templates, shared),
    multiplies: [...templates.values(), ...transforms].some(({ multiplies }) => multiplies),
  };
  const used = new Set([
    ...[...parts.pre, ...parts.select.map(({ name }) => name)],
    ...[parts.defaultName, ...parts.post],
  ]);
  const kept = new Map<string, boolean>();
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
    run: (record, options = {}) => runDocument(plan, record, options),
    mayRead: (field) =>
      [...templates.values()].some((template) => template.mayRead(field)) ||
      parts.select.some(({ match }) => queryMayRead(parseQuery(match.text), field)),
    keeps: (field) => {
      const known = kept.get(field) ?? isKept(field);
      if (kept.size < maxKept) kept.set(field, known);
      return known;
    },
    fields: () => fieldsOf([...used].map((name) => parts.templates.get(name)?.text ?? '')),
  };
}

/** Finds templates that are applied by a name that nothing has. */
function unknownTemplates(
  { text, locate }: Located,
  names: ReadonlySet<string>,
  shared: SharedTemplates | undefined,
): TemplateFault[] {
  const { statements, maps } = parseTemplate(text);
  const bodies = [statements, ...maps.values()];
  return bodies
    .flatMap(expressionsOf)
    .flatMap(appliedNames)
    .flatMap(({ name, at }) => {
      if (names.has(name) || maps.has(name) || shared?.(name) !== undefined) return [];
      const { line, column } = placeOf(text, at);
      const hint = suggestName(name, [...names, ...maps.keys()]);
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
