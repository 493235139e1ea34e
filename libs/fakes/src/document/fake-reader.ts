import {
  type CompiledQuery,
  type DocumentFormat,
  IncludedFiles,
  LocatedDocument,
  type Path,
  type TextPart,
  withoutNulls,
} from '#document';
import {
  type CompiledTemplate,
  compileQuery,
  compileTemplate,
  suggestName,
  type TextInDocument,
} from '@onefold/mapping';
import { validateDocument, validatePart } from './generated/validators.js';
import { type Headers, Query, Template, TextTemplate } from './expressions.js';
import type { Part } from './part.js';

// Null removes what a style says.
const format = withoutNulls({
  validate: validateDocument,
  standIns: { fake: 'fake', errors: { body: 'root = {}' }, routes: { 'GET /': {} } },
});
/** Sections that included files can have: those of fake-part.schema.json. */
const sections = ['templates', 'collections', 'styles', 'routes'];
const partFormat = withoutNulls({ validate: validatePart, standIns: {} });

/** Reads a file beside a fake document. */
export type ReadFile = (name: string) => string;

/** Is told about each expression and template of a fake that compiles, with its place. */
export type OnText = (text: TextInDocument) => void;

const never = { query: compileQuery('null'), template: compileTemplate('root = null') };
const appliedName = /\.apply\(\s*"([^"]*)"\s*\)/g;

/** The document of a fake, or a file that it includes. */
class FakeFile extends LocatedDocument {
  constructor(
    source: string,
    fileFormat: DocumentFormat,
    /** The name of an included file. */
    private readonly fileName?: string,
    private readonly onText?: OnText,
  ) {
    super(source, fileFormat);
  }

  protected override get file(): string | undefined {
    return this.fileName;
  }

  protected override onCompiled(text: TextInDocument): void {
    this.onText?.(text);
  }
}

/** Reads the parts of a fake document, and collects what is wrong with them. */
export class FakeReader extends FakeFile {
  /** Names that `.apply` finds, beside those of the world; set once collections and templates are known. */
  appliedNames: ReadonlySet<string> = new Set();
  /** The document with the entries of the files that it includes. */
  readonly whole: Readonly<Record<string, unknown>>;
  private readonly files: IncludedFiles<LocatedDocument>;
  private readonly raised = new Map<string, Part | undefined>();

  /** @throws MappingError with every fault if the YAML or its shape is invalid */
  constructor(source: string, readFile?: ReadFile, onText?: OnText) {
    super(source, format, undefined, onText);
    this.files = new IncludedFiles<LocatedDocument>(this, sections, (name, place) => {
      if (readFile !== undefined) return new FakeFile(readFile(name), partFormat, name, onText);
      this.fault(place, 'this document cannot include files', 'Write the routes here.');
      return undefined;
    });
    this.whole = this.files.value;
  }

  /** Reports every fault. @throws MappingError with those of the document, or else of the first file that has some */
  finishAll(): void {
    this.files.finish();
  }

  override fault(path: Path, message: string, hint?: string): void {
    const owner = this.ownerOf(path);
    if (owner === undefined) super.fault(path, message, hint);
    else owner.fault(path, message, hint);
  }

  override query(path: Path): CompiledQuery | undefined {
    const owner = this.ownerOf(path);
    return owner === undefined ? super.query(path) : owner.query(path);
  }

  override template(path: Path): CompiledTemplate | undefined {
    const owner = this.ownerOf(path);
    return owner === undefined ? super.template(path) : owner.template(path);
  }

  override textParts(path: Path): TextPart[] | undefined {
    const owner = this.ownerOf(path);
    return owner === undefined ? super.textParts(path) : owner.textParts(path);
  }

  /** The included file that contains the place; undefined if it is in the document itself. */
  private ownerOf(path: Path): LocatedDocument | undefined {
    const owner = (this.files as IncludedFiles<LocatedDocument> | undefined)?.ownerOf(path);
    return owner === this ? undefined : owner;
  }

  /** Compiles the part as a query. After a fault its value is null; the document is refused at the end. */
  readQuery(part: Part): Query {
    this.checkApplied(part);
    return new Query(
      part.path.join('.'),
      this.compiled(part, this.query(part.path)) ?? never.query,
    );
  }

  /** A query of the engine, in place of one that the part does not have. */
  constantQuery(text: string, part: Part): Query {
    return new Query(part.path.join('.'), compileQuery(text));
  }

  readTemplate(part: Part): Template {
    this.checkApplied(part);
    const compiled = this.compiled(part, this.template(part.path));
    return new Template(part.path.join('.'), compiled ?? never.template);
  }

  optionalQuery(part: Part | undefined): Query | undefined {
    return part === undefined ? undefined : this.readQuery(part);
  }

  optionalTemplate(part: Part | undefined): Template | undefined {
    return part === undefined ? undefined : this.readTemplate(part);
  }

  /** Reads a text with queries in braces. */
  readText(part: Part): TextTemplate {
    const place = part.path.join('.');
    const parts = this.compiled(part, this.textParts(part.path)) ?? [];
    return new TextTemplate(
      parts.flatMap(({ literal, ...rest }) =>
        'query' in rest ? [literal, new Query(place, rest.query ?? never.query)] : [literal],
      ),
    );
  }

  readHeaders(part: Part | undefined): Headers {
    const entries = (part?.entries() ?? []).filter(([, value]) => !value.isNull);
    return new Map(entries.map(([name, value]) => [name, this.readQuery(value)]));
  }

  /** Notes that the error can be raised, here or by the engine. @returns its name */
  raises(name: string, part?: Part): string {
    if (!this.raised.has(name) || part !== undefined) this.raised.set(name, part);
    return name;
  }

  /** Reports errors that can be raised and are not named. */
  checkErrors(known: ReadonlySet<string>): void {
    const own: string[] = [];
    for (const [name, part] of this.raised) {
      if (known.has(name)) continue;
      if (part === undefined) own.push(name);
      else this.fault(part.path, `unknown error "${name}"`, suggestName(name, known));
    }
    if (own.length > 0)
      this.fault(
        ['errors'],
        `the engine can raise ${own.sort().join(', ')}: missing in errors`,
        'Write status and message of each, as the vendor has them.',
      );
  }

  /** Reports a name that is not known. @returns the name */
  checkName(part: Part, what: string, known: Iterable<string>): string {
    const name = String(part.scalar);
    const names = [...known];
    if (!names.includes(name))
      this.fault(
        part.path,
        `unknown ${what} "${name}"`,
        suggestName(name, names) ??
          (names.length === 0 ? `There are none.` : `Known: ${names.join(', ')}.`),
      );
    return name;
  }

  /** Without an expression and without a fault the document would be taken although a part of it is lost. */
  private compiled<T>({ path }: Part, compiled: T | undefined): T | undefined {
    if (compiled === undefined && !(this.ownerOf(path) ?? this).hasFaults)
      throw new TypeError(`no expression at ${path.join('.')}`);
    return compiled;
  }

  /** An unknown name in `.apply` would be noticed only when the expression runs. */
  private checkApplied({ path, scalar }: Part): void {
    if (typeof scalar !== 'string') return;
    const own = new Set([...scalar.matchAll(/^[ \t]*map\s+(\w+)/gm)].map(([, name]) => name));
    for (const [, name = ''] of scalar.matchAll(appliedName))
      if (!name.startsWith('world.') && !own.has(name) && !this.appliedNames.has(name))
        this.fault(
          path,
          `.apply("${name}") finds neither a template nor a collection`,
          suggestName(name, this.appliedNames),
        );
  }
}
