import { isMap, isScalar, type Scalar } from 'yaml';
import {
  type CompiledQuery,
  type DocumentFormat,
  LocatedDocument,
  type Path,
  type TextPart,
} from '#document';
import {
  type CompiledDocument,
  type CompiledTemplate,
  compileDocument,
  compileQuery,
  compileTemplate,
  type Embedded,
  type Located,
  locateText,
  MappingError,
  type TextInDocument,
  textsOfDocument,
} from '@onefold/mapping';
import { sharedTemplate } from '#ocsf';
import { validateDocument, validatePart } from './generated/validators.js';
import type { DocumentSource } from './source.js';
import { type ExpressionKind, unknownNames } from './unknown-names.js';
import type { VisibleNames } from './visible-names.js';

export type { CompiledQuery, Path } from '#document';

const format: DocumentFormat = {
  validate: validateDocument,
  standIns: {
    provider: 'custom_document',
    version: '0.0.0',
    fullname: 'Document',
    vendor: 'Document',
    http: { base_url: 'null' },
    operations: {},
  },
};

/** Files of a document have operations alone. */
const partFormat: DocumentFormat = { validate: validatePart, standIns: { operations: {} } };

/** Is told about each expression and template of a document that compiles, with its place. */
export type OnText = (text: TextInDocument) => void;

/** Reads a file beside a built-in document; customers' documents have none. */
export type ReadFile = (name: string) => string;

/** @param name the file of the mapping, for errors of its runs */
function compileMapping(document: string | Embedded, name?: string): CompiledDocument {
  return compileDocument(document, { shared: sharedTemplate, name });
}

/** A provider document with the places of its values, and the mappings that it names. */
export class DocumentReader extends LocatedDocument {
  /** @throws MappingError with every error if the YAML or its shape is invalid */
  constructor(
    source: string,
    private readonly readFile?: ReadFile,
    ofFormat: DocumentFormat = format,
    private readonly fileName = 'provider.yaml',
    private readonly onText?: OnText,
  ) {
    super(source, ofFormat);
  }

  protected override onCompiled(text: TextInDocument): void {
    this.onText?.(text);
  }

  /** The file of a built-in document; customers' documents have none, and are called by their provider. */
  protected override get file(): string | undefined {
    if (this.readFile !== undefined) return this.fileName;
    const { provider, providers = {} } = this.value as Partial<DocumentSource>;
    return provider ?? Object.keys(providers)[0];
  }

  /** Reads a file of operations that the document includes. @throws MappingError with every error of the file */
  part(place: Path, name: string): DocumentReader | undefined {
    if (this.readFile !== undefined)
      return new DocumentReader(this.readFile(name), this.readFile, partFormat, name, this.onText);
    this.fault(place, 'only built-in documents include files', 'Write the operations here.');
    return undefined;
  }

  /**
   * Compiles a query.
   * @param names those that it can read from `this`; not checked when absent
   * @param kind `value` if null fails in its place
   */
  override query(
    path: Path,
    names?: VisibleNames,
    kind: 'query' | 'value' = 'query',
  ): CompiledQuery | undefined {
    return this.compile(path, (text) => checked(compileQuery(text), text, kind, names));
  }

  /** Compiles a template. @param names those that it can read from `this`; not checked when absent */
  override template(path: Path, names?: VisibleNames): CompiledTemplate | undefined {
    return this.compile(path, (text) => checked(compileTemplate(text), text, 'template', names));
  }

  /** Reads a text with queries in braces; `{+query}` is marked. @param names those that the queries can read from `this` */
  override textParts(path: Path, names?: VisibleNames): TextPart[] | undefined {
    return this.readParts(path, (text) => checked(compileQuery(text), text, 'value', names), '+');
  }

  mapping(path: Path): CompiledDocument | undefined {
    const node = this.node(path);
    try {
      if (isMap(node)) {
        const embedded = { node, lines: this.lines, source: this.source, resolve: this.resolve };
        const compiled = compileMapping(embedded, this.file);
        this.onMapping(embedded);
        return compiled;
      }
      if (!isScalar(node) || typeof node.value !== 'string') return undefined;
      if (node.value.includes('\n')) {
        const compiled = this.compile(path, (text) => compileMapping(text, path.join('.')));
        if (compiled !== undefined) this.onMapping(node as Scalar<string>);
        return compiled;
      }
      if (this.readFile !== undefined) return compileMapping(this.readFile(node.value), node.value);
      this.fault(
        path,
        'this is not a mapping document',
        'Write it here: engine, version, templates.',
      );
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      if (isMap(node)) this.faults.push(...error.faults);
      else throw error; // its lines are those of another file
    }
    return undefined;
  }

  /** Tells about the texts of a mapping that stands in the document: as a part of it, or in a text. */
  private onMapping(mapping: Embedded | Scalar<string>): void {
    if (this.onText === undefined) return;
    const isPart = 'node' in mapping;
    const around = isPart ? undefined : locateText(mapping, this.lines, this.source);
    for (const one of textsOfDocument(isPart ? mapping : mapping.value))
      this.onText({ ...one, located: within(one.located, around), file: this.file });
  }
}

/** A text of a document that stands in a text of another one, with its places there. */
function within({ text, locate }: Located, around: Located | undefined): Located {
  if (around === undefined) return { text, locate };
  return {
    text,
    locate: (line, column) => {
      const place = locate(line, column);
      return around.locate(place.line, place.column);
    },
  };
}

/** @throws MappingError for names that the expression cannot read */
function checked<T>(
  compiled: T,
  text: string,
  kind: ExpressionKind,
  names: VisibleNames | undefined,
): T {
  const faults = names === undefined ? [] : unknownNames(text, kind, names);
  if (faults.length > 0) throw new MappingError(faults, text);
  return compiled;
}
