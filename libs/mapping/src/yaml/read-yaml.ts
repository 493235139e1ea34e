import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  type LineCounter,
  type Node,
  Parser,
} from 'yaml';
import { describeYamlError } from './describe-yaml-error.js';
import { resolveAliases } from './resolve-aliases.js';

/** Bounds of a YAML document: strangers write them, and the parser has steps that grow with the square of its tokens. */
export const yamlLimits = {
  maxCharacters: 262_144,
  maxTokens: 60_000,
  /** Levels of the parser's stack; a level of the document takes one or two. */
  maxDepth: 100,
  maxAliases: 50,
} as const;

const maxFaults = 20;
/** The warning of the parser for a tag that is not one of YAML's. */
const ownTag = 'Unresolved tag: !';
const unstorable = /[\0\p{Surrogate}]/u;

/** Something wrong with a YAML document. */
export interface YamlFault {
  /** Character, from 0. */
  offset: number;
  message: string;
  hint?: string;
}

export interface YamlOptions {
  lines?: LineCounter;
  intAsBigInt?: boolean;
  maxCharacters?: number;
  /** Whether values may have tags of their own, as `!Ref`, which are left out. In a document of ours such a value lacks its quotes. */
  hasTags?: boolean;
}

/** A YAML document whose size, depth and aliases are within bounds. */
export class YamlText {
  readonly faults: YamlFault[] = [];
  private readonly document: Document | undefined;

  constructor(source: string, options: YamlOptions = {}) {
    const maxCharacters = options.maxCharacters ?? yamlLimits.maxCharacters;
    if (source.length > maxCharacters) {
      this.fault(0, `the document has more than ${maxCharacters} characters`);
      return;
    }
    const tokens = this.tokens(source, options.lines);
    if (tokens === undefined) return;
    const composer = new Composer({
      uniqueKeys: false, // would compare every key with every other; see checkNodes
      ...(options.intAsBigInt === true ? { intAsBigInt: true } : {}),
      logLevel: 'silent',
    });
    const [document, second] = composer.compose(tokens, true, source.length);
    this.document = document;
    const tags = document?.warnings.filter(({ message }) => message.startsWith(ownTag)) ?? [];
    const errors = [...(document?.errors ?? []), ...(options.hasTags === true ? [] : tags)];
    for (const error of errors.slice(0, maxFaults)) {
      const { offset, message, hint } = describeYamlError(error, source, document?.contents);
      // One slip can break several rules of the grammar at its place.
      if (!this.faults.some((one) => one.offset === offset)) this.fault(offset, message, hint);
    }
    if (second !== undefined)
      this.fault(second.range[0], 'the text holds several YAML documents', 'Send one document.');
    if (this.faults.length === 0) this.checkNodes();
  }

  get root(): Node | null {
    return this.document?.contents ?? null;
  }

  /** The document as plain values; undefined, with a fault, when its aliases make it too large. */
  toPlain(): unknown {
    try {
      return this.document?.toJS({ maxAliasCount: yamlLimits.maxAliases }) as unknown;
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      this.fault(0, 'its aliases make it too large', 'Write the values where they belong.');
      return undefined;
    }
  }

  /** Tokens of the parser, given up at the first that is beyond the bounds. */
  private tokens(source: string, lines: LineCounter | undefined) {
    const parser = new Parser(lines?.addNewLine);
    lines?.addNewLine(0);
    const tokens = [];
    let [offset, count, aliases] = [0, 0, 0];
    for (const lexeme of new Lexer().lex(source)) {
      count += 1;
      if (lexeme.startsWith('*')) aliases += 1;
      tokens.push(...parser.next(lexeme));
      const beyond =
        count > yamlLimits.maxTokens
          ? `the document has more than ${yamlLimits.maxTokens} tokens`
          : parser.stack.length > yamlLimits.maxDepth
            ? 'the document is nested too deeply'
            : aliases > yamlLimits.maxAliases
              ? `the document has more than ${yamlLimits.maxAliases} aliases`
              : undefined;
      if (beyond !== undefined) {
        this.fault(Math.min(offset, source.length), beyond, 'Write a simpler document.');
        return undefined;
      }
      offset = parser.offset;
    }
    tokens.push(...parser.end());
    return tokens;
  }

  /** Finds keys that occur twice, aliases without an anchor, and characters that cannot be stored. */
  private checkNodes(): void {
    const waiting: unknown[] = [this.root];
    const resolve = resolveAliases(this.root);
    while (waiting.length > 0 && this.faults.length < maxFaults) {
      const node = waiting.pop();
      if (isMap(node)) this.checkKeys(node.items.map(({ key }) => key));
      if (isCollection(node)) waiting.push(...node.items);
      else if (isPair(node)) waiting.push(node.key, node.value);
      else if (isAlias(node)) this.checkAlias(node, resolve(node));
      else if (isScalar(node) && typeof node.value === 'string' && unstorable.test(node.value))
        this.fault(node.range?.[0] ?? 0, 'the text holds U+0000 or half of a surrogate pair');
    }
  }

  private checkAlias(alias: Alias, source: unknown): void {
    const [at = 0] = alias.range ?? [];
    const [from = 0, to = 0] = isNode(source) ? (source.range ?? []) : [];
    if (source === undefined)
      this.fault(
        at,
        `the alias "${alias.source}" has no anchor before it`,
        'Put a value that begins with * in quotes.',
      );
    else if (from <= at && at < to) this.fault(at, `the alias "${alias.source}" repeats itself`);
  }

  private checkKeys(keys: readonly unknown[]): void {
    const seen = new Set<unknown>();
    for (const key of keys) {
      if (!isScalar(key)) continue;
      if (seen.has(key.value) && this.faults.length < maxFaults)
        this.fault(
          key.range?.[0] ?? 0,
          `the key "${String(key.value)}" is given twice in this mapping`,
          'Join the two, or remove one.',
        );
      seen.add(key.value);
    }
  }

  private fault(offset: number, message: string, hint?: string): void {
    this.faults.push({ offset, message, ...(hint === undefined ? {} : { hint }) });
  }
}
