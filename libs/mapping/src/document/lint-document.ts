import type { Expression, Statement } from '../language/ast.js';
import { placeOf, type TemplateFault } from '../language/mapping-error.js';
import { parseTemplate } from '../language/parse.js';
import { suggestName } from '../language/suggest-name.js';
import { isObject, type Value } from '../language/values.js';
import {
  appliedNames,
  expressionsOf,
  someExpression,
  usesDynamicVariables,
  variableReads,
} from '../language/walk.js';
import type { SharedTemplates } from './applied.js';
import { lintDrops, lintText } from './doubtful-values.js';
import { compileDocument } from './compile-document.js';
import { flattened } from './locate-failure.js';
import { expressionsIn, partsOfTemplate, textsOf } from './document-texts.js';
import { type DocumentParts, type Located, readDocument } from './read-document.js';
import { isRead, readPaths } from './read-paths.js';
import { compileTemplate } from './template.js';

/** The fields that the contract has for a record, or for an object in it. */
export interface RecordOutline {
  names: readonly string[];
  required: readonly string[];
  /** The fields of a field that is an object or a list of them; undefined if they are free. */
  inside: (name: string) => RecordOutline | undefined;
}

export interface LintOptions {
  /** The operation whose records the document makes. */
  operation?: { id: string; outline: RecordOutline } | undefined;
  /** Records that the document gets. */
  inputs?: readonly Value[] | undefined;
  shared?: SharedTemplates | undefined;
}

/**
 * Finds what is probably a mistake in a mapping document that compiles: fields outside of the contract, required fields that nothing
 * assigns, fields of the input that nothing reads, templates, maps and variables that nothing uses, and names such as `undefined`.
 * @returns warnings with a remedy each, in the order of their lines
 * @throws MappingError for a document that does not compile
 */
export function lintDocument(source: string, options: LintOptions = {}): TemplateFault[] {
  compileDocument(source, { shared: options.shared });
  return lint(readDocument(source), options);
}

/** Finds names that probably mean something else than they say, in a document or template that compiles. */
export function lintNames(source: string, isDocument: boolean): TemplateFault[] {
  const parts = isDocument ? readDocument(source) : partsOfTemplate(source);
  return inOrder(doubtsOf(parts));
}

/** Finds the same in a template alone. @throws MappingError */
export function lintTemplate(source: string, options: LintOptions = {}): TemplateFault[] {
  compileTemplate(source);
  return lint(partsOfTemplate(source), options);
}

function lint(parts: DocumentParts, options: LintOptions): TemplateFault[] {
  const linter = new Linter(parts);
  linter.unused();
  linter.warnings.push(...doubtsOf(parts));
  if (options.operation) linter.contract(options.operation.id, options.operation.outline);
  if (options.inputs) linter.lost(options.inputs);
  return inOrder(linter.warnings);
}

function doubtsOf(parts: DocumentParts): TemplateFault[] {
  const texts = textsOf(parts);
  return [...texts.flatMap(lintText), ...lintDrops(texts)];
}

function inOrder(warnings: TemplateFault[]): TemplateFault[] {
  return warnings.sort((a, b) => a.line - b.line || a.column - b.column);
}

const maxLost = 50;

class Linter {
  readonly warnings: TemplateFault[] = [];
  /** Templates that run by themselves, as others are only applied. */
  private readonly steps: ReadonlySet<string>;

  constructor(private readonly parts: DocumentParts) {
    const { pre, select, defaultName, post } = parts;
    this.steps = new Set([...pre, ...select.map(({ name }) => name), defaultName, ...post]);
  }

  unused(): void {
    const { templates, dataTypes } = this.parts;
    const used = this.usedNames();
    for (const [name, located] of templates)
      if (!used.has(name) && !this.steps.has(name))
        this.warn(
          located,
          0,
          `the template "${name}" is never used`,
          `Remove it, or .apply("${name}") it.`,
        );
    for (const { located, isQuery } of textsOf(this.parts)) {
      if (isQuery) continue;
      const { statements, maps, mapSpans } = parseTemplate(located.text);
      const expressions = expressionsIn({ located, isQuery });
      const applied = new Set(expressions.flatMap(appliedNames).map(({ name }) => name));
      if (!expressions.some(appliesByValue))
        for (const [name, { start }] of mapSpans ?? [])
          if (!applied.has(name))
            this.warn(
              located,
              start,
              `the map "${name}" is never applied`,
              `Remove it, or .apply("${name}") it.`,
            );
      for (const body of [statements, ...maps.values()]) this.unusedVariables(located, body);
    }
    for (const [name, { transform }] of dataTypes)
      if (transform && !used.has(name))
        this.warn(
          transform,
          0,
          `the data type "${name}" is never applied`,
          `Remove it, or .apply("${name}") it.`,
        );
  }

  /** The names that are applied, from the conditions and the templates that run; all if a name is known at run time only. */
  private usedNames(): ReadonlySet<string> {
    const { templates, dataTypes, select } = this.parts;
    const used = new Set<string>();
    const text = (located: Located) => ({ located, isQuery: false });
    const waiting = [
      ...select.map(({ match }) => ({ located: match, isQuery: true })),
      ...[...this.steps].flatMap((name) => templates.get(name) ?? []).map(text),
    ];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const expressions = expressionsIn(next);
      if (expressions.some(appliesByValue))
        return new Set([...templates.keys(), ...dataTypes.keys()]);
      for (const { name } of expressions.flatMap(appliedNames)) {
        if (used.has(name)) continue;
        used.add(name);
        const found = dataTypes.get(name)?.transform ?? templates.get(name);
        if (found) waiting.push(text(found));
      }
    }
    return used;
  }

  private unusedVariables(located: Located, body: readonly Statement[]): void {
    if (usesDynamicVariables(body)) return;
    const read = new Set(
      expressionsOf(body)
        .flatMap(variableReads)
        .map(({ name }) => name),
    );
    for (const statement of flattened(body))
      if (statement.kind === 'let' && !read.has(statement.name))
        this.warn(
          located,
          statement.start,
          `$${statement.name} is never read`,
          `Remove the let, or read it as $${statement.name}.`,
        );
  }

  contract(id: string, outline: RecordOutline): void {
    const assigned = new Set<string>();
    let isWhole = false;
    for (const [name, located] of this.parts.templates) {
      if (!this.steps.has(name)) continue;
      for (const statement of flattened(parseTemplate(located.text).statements)) {
        if (statement.kind !== 'assign' || isDeleted(statement.value)) continue;
        const path = statement.path.slice(1);
        if (path[0] !== undefined) assigned.add(path[0]);
        else if (statement.value.kind !== 'object') isWhole = true;
        else
          for (const { key } of statement.value.entries)
            if (key.kind === 'literal') assigned.add(String(key.value));
        this.outside({ id, located }, outline, path, statement.start, statement.value);
      }
    }
    if (isWhole) return; // root = this may have every field
    const [first] = [...this.parts.templates].filter(([name]) => name === this.parts.defaultName);
    for (const name of outline.required)
      if (first && !assigned.has(name))
        this.warn(
          first[1],
          0,
          `nothing assigns root.${name}, which ${id} requires`,
          `Add root.${name} = ….`,
        );
  }

  /** Warns of the first name of a path that the contract does not have, and of keys of objects that are assigned to it. */
  private outside(
    at: { id: string; located: Located },
    outline: RecordOutline,
    path: readonly string[],
    offset: number,
    value: Expression,
    before = 'root',
  ): void {
    const [name, ...rest] = path;
    if (name === undefined) {
      if (value.kind !== 'object') return;
      for (const { key, value: inner } of value.entries)
        if (key.kind === 'literal')
          this.outside(at, outline, [String(key.value)], key.start, inner, before);
      return;
    }
    if (!outline.names.includes(name)) {
      const free = outline.names.includes('custom_fields')
        ? `Put fields of your own below ${before}.custom_fields.`
        : `The fields are ${outline.names.slice(0, 20).join(', ')}.`;
      const hint = suggestName(name, outline.names) ?? free;
      this.warn(at.located, offset, `${before}.${name} is not a field of ${at.id}`, hint);
      return;
    }
    const inside = outline.inside(name);
    // The elements of a list have numbers for names.
    const inner = rest[0] !== undefined && /^(?:\d+|-)$/.test(rest[0]) ? rest.slice(1) : rest;
    if (inside) this.outside(at, inside, inner, offset, value, `${before}.${name}`);
  }

  lost(inputs: readonly Value[]): void {
    const { templates, select, defaultName } = this.parts;
    const read = readPaths(
      [...templates].filter(([name]) => this.steps.has(name)).map(([, { text }]) => text),
      select.map(({ match }) => match.text),
    );
    const lost = new Set<string>();
    const walk = (value: Value, path: readonly string[]): void => {
      if (!isObject(value)) return;
      for (const [key, inner] of Object.entries(value)) {
        const state = isRead(read, [...path, key]);
        if (state === 'inside') walk(inner, [...path, key]);
        else if (state === 'no') lost.add(['this', ...path, key].join('.'));
      }
    };
    for (const input of inputs) walk(input, []);
    const located = templates.get(defaultName);
    for (const field of [...lost].slice(0, maxLost))
      if (located)
        this.warn(
          located,
          0,
          `nothing reads ${field} of the input`,
          `Assign it, as by root.custom_fields.${field.split('.').at(-1)} = ${field}, or let it be lost.`,
        );
  }

  private warn({ text, locate }: Located, offset: number, message: string, hint: string): void {
    const { line, column } = placeOf(text, offset);
    this.warnings.push({ message, hint, ...locate(line, column) });
  }
}

/** Whether an expression applies a template whose name is known when it runs. */
function appliesByValue(expression: Expression): boolean {
  return someExpression(
    expression,
    (part) =>
      part.kind === 'method' &&
      part.name === 'apply' &&
      part.arguments[0]?.value.kind !== 'literal',
  );
}

function isDeleted(value: Expression): boolean {
  return value.kind === 'function' && value.name === 'deleted';
}
