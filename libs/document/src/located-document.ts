import type { ErrorObject } from 'ajv/dist/2020.js';
import { isCollection, isMap, isScalar, LineCounter, type Node, type Scalar } from 'yaml';
import {
  type CompiledTemplate,
  compileQuery,
  compileTemplate,
  type Located,
  locateText,
  MappingError,
  placeOf,
  type ResolveAlias,
  resolveAliases,
  type TemplateFault,
  type TextInDocument,
  YamlText,
} from '@onefold/mapping';
import { describeSchemaError } from './describe-schema-error.js';
import type { DocumentFormat } from './document-format.js';
import { fittingPart } from './fitting-part.js';
import { splitText } from './split-text.js';

export type Path = readonly (string | number)[];
export type CompiledQuery = ReturnType<typeof compileQuery>;

/** A part of a text: its literal beginning, and the query in braces behind it, absent in the last part. */
export interface TextPart {
  literal: string;
  /** Undefined for a query with errors, too. */
  query?: CompiledQuery | undefined;
  /** Whether the marker of the text is before the query. */
  isMarked?: boolean;
}

const texts = new WeakMap<object, TextInDocument>();

/** The text of a document from which an expression or template was compiled; undefined for one that is of none. */
export function textOfCompiled(
  compiled: CompiledQuery | CompiledTemplate,
): TextInDocument | undefined {
  return texts.get(compiled);
}

/** A YAML document with a schema: its values, their places, and every fault that is found on the way. */
export class LocatedDocument {
  readonly value: unknown;
  protected readonly faults: TemplateFault[] = [];
  protected readonly lines = new LineCounter();
  private readonly root: Node | null;
  protected readonly resolve: ResolveAlias;

  /** @throws MappingError when the YAML or its shape is wrong, with every fault */
  constructor(
    protected readonly source: string,
    private readonly format: DocumentFormat,
  ) {
    const yaml = new YamlText(source, { lines: this.lines });
    const plain = yaml.faults.length === 0 ? yaml.toPlain() : undefined;
    for (const { offset, message, hint } of yaml.faults) this.add(offset, message, hint);
    this.root = yaml.root;
    this.resolve = resolveAliases(yaml.root);
    this.finish();
    this.value = this.fitting(plain);
  }

  /** The document as far as it fits its schema. @throws MappingError when nothing of it can be read on */
  private fitting(value: unknown): unknown {
    const { validate } = this.format;
    if (validate(value)) return value;
    this.explain(validate.errors ?? [], value);
    return fittingPart(value, this.format) ?? this.finish();
  }

  /** @throws MappingError with every fault so far */
  finish(): void {
    if (this.faults.length > 0) throw new MappingError(this.faults, this.source);
  }

  /** Is told about each text that compiles. */
  protected onCompiled(_text: TextInDocument): void {
    // Documents that lint their texts override it.
  }

  /** The name of the document in errors of its runs. */
  protected get file(): string | undefined {
    return undefined;
  }

  get hasFaults(): boolean {
    return this.faults.length > 0;
  }

  fault(path: Path, message: string, hint?: string): void {
    this.add(this.offset(path), message, hint);
  }

  /** Reports a key that is wrong, or should not be there, whatever its value is. */
  keyFault(path: Path, message: string, hint?: string): void {
    const offset = this.keyOffset(path.slice(0, -1), String(path.at(-1)));
    this.add(offset ?? this.offset(path), message, hint);
  }

  /** Line of a value, from 1; undefined if it is missing. */
  line(path: Path): number | undefined {
    const offset = this.node(path)?.range?.[0];
    return offset === undefined ? undefined : this.lines.linePos(offset).line;
  }

  has(path: Path): boolean {
    return this.node(path) !== undefined;
  }

  query(path: Path): CompiledQuery | undefined {
    return this.compile(path, compileQuery);
  }

  template(path: Path): CompiledTemplate | undefined {
    return this.compile(path, compileTemplate);
  }

  /** Reads a text with queries in braces; undefined if it is missing or has errors. */
  textParts(path: Path): TextPart[] | undefined {
    return this.readParts(path, compileQuery);
  }

  /** @param marker text that may stand before a query */
  protected readParts(
    path: Path,
    how: (text: string) => CompiledQuery,
    marker?: string,
  ): TextPart[] | undefined {
    const whole = this.text(path);
    const pieces = whole && this.run((text) => splitText(text, marker), whole);
    return pieces?.map(({ literal, query }) => {
      if (query === undefined) return { literal };
      const locate = locateWithin(whole as Located, query.start);
      const compiled = this.run(how, { text: query.text, locate });
      return { literal, query: compiled, isMarked: query.isMarked };
    });
  }

  protected compile<T extends object>(path: Path, how: (text: string) => T): T | undefined {
    const located = this.text(path);
    return located === undefined ? undefined : this.run(how, located, String(path.at(-1)));
  }

  private run<T extends object>(
    how: (text: string) => T,
    located: Located,
    key?: string,
  ): T | undefined {
    const { text, locate } = located;
    try {
      const compiled = how(text);
      // A mapping document in a text has texts of its own.
      if (typeof compiled !== 'function' && !('applyTo' in compiled)) return compiled;
      const own = { located, isQuery: typeof compiled === 'function', file: this.file, key };
      texts.set(compiled, own);
      this.onCompiled(own);
      return compiled;
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      for (const fault of error.faults)
        this.faults.push({ ...fault, ...locate(fault.line, fault.column) });
      return undefined;
    }
  }

  private text(path: Path): Located | undefined {
    const node = this.node(path);
    if (!isScalar(node)) return undefined;
    if (typeof node.value === 'string')
      return locateText(node as Scalar<string>, this.lines, this.source);
    const { line, col } = this.lines.linePos(node.range?.[0] ?? 0);
    return { text: String(node.value), locate: () => ({ line, column: col }) };
  }

  protected node(path: Path): Node | undefined {
    let node: unknown = this.root;
    for (const key of path) {
      if (!isCollection(node)) return undefined;
      node = this.resolve(node.get(key, true));
    }
    return (node ?? undefined) as Node | undefined;
  }

  /** Reports the errors of the schema at their places; among alternatives only the one that was meant. */
  private explain(errors: readonly ErrorObject[], value: unknown): void {
    const reported = new Set<string>();
    // A misspelled key is reported before the key that is therefore missing.
    const first = (error: ErrorObject) => (error.keyword === 'additionalProperties' ? 0 : 1);
    for (const error of errors.toSorted((a, b) => first(a) - first(b))) {
      if (
        ['oneOf', 'anyOf', 'if', 'const', 'propertyNames'].includes(error.keyword) &&
        errors.length > 1
      )
        continue;
      const path = pathOf(error.instancePath, value);
      const described = describeSchemaError(error, path);
      if (described === undefined) continue;
      const { message, hint, key } = described;
      const text = `${path.join('.')} ${message}`;
      if (reported.has(text)) continue;
      reported.add(text);
      const place = key === undefined ? undefined : this.keyOffset(path, key);
      this.add(place ?? this.offset(path), message, hint);
    }
    if (reported.size === 0) this.add(0, 'the document does not fit its schema');
  }

  /** A scalar's own place. Of a mapping or a list that of its key, because its first value may be on the next line. */
  private offset(path: Path): number {
    const node = this.node(path);
    if (node !== undefined && !isCollection(node)) return node.range?.[0] ?? 0;
    const key = path.at(-1);
    if (key === undefined) return node?.range?.[0] ?? 0;
    const above = path.slice(0, -1);
    if (typeof key === 'number' && node !== undefined) return node.range?.[0] ?? 0;
    return this.keyOffset(above, String(key)) ?? this.offset(above);
  }

  private keyOffset(path: Path, name: string): number | undefined {
    const node = path.length === 0 ? this.root : this.node(path);
    if (!isMap(node)) return undefined;
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
    return (pair?.key as Node | undefined)?.range?.[0];
  }

  private add(offset: number, message: string, hint?: string): void {
    const { line, col } = this.lines.linePos(offset);
    const place = { line: Math.max(1, line), column: Math.max(1, col) };
    // A value with several aliases is checked at each of them.
    const isReported = this.faults.some(
      (one) => one.message === message && one.line === place.line && one.column === place.column,
    );
    if (!isReported)
      this.faults.push({ message, ...place, ...(hint === undefined ? {} : { hint }) });
  }
}

/** Locates places of a part of a text that starts at an offset. */
function locateWithin({ text, locate }: Located, offset: number): Located['locate'] {
  const start = placeOf(text, offset);
  return (line, column) =>
    locate(line + start.line - 1, line === 1 ? column + start.column - 1 : column);
}

function pathOf(pointer: string, value: unknown): (string | number)[] {
  let at = value;
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(at) ? Number(key) : key;
      at = (at as Record<string | number, unknown> | undefined)?.[step];
      return step;
    });
}
