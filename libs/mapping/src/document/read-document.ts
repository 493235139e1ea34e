import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { suggestName } from '../language/suggest-name.js';
import { MappingError, type TemplateFault } from '../language/mapping-error.js';
import { yamlLimits, YamlText } from '../yaml/read-yaml.js';
import { type ResolveAlias, resolveAliases } from '../yaml/resolve-aliases.js';

/** A template inside a document: its source, and how its places become the document's. */
export interface Located {
  text: string;
  locate: (line: number, column: number) => { line: number; column: number };
}

/** The parts of a mapping document, unchecked templates included. */
export interface DocumentParts {
  templates: Map<string, Located>;
  defaultName: string;
  select: { name: string; match: Located }[];
  pre: string[];
  post: string[];
  dataTypes: Map<string, { transform?: Located; ignored: unknown[] }>;
}

const keys = ['engine', 'version', 'templates', 'default', 'select', 'pre', 'post', 'data_types'];
const engine = 'bloblang_direct';
const selectHint = 'Write - { name: <template>, match: \'this.kind == "x"\' } below it.';
const dataTypeHint = 'Write <name>: { transform: <template>, ignored: [<value>] } below it.';

/** A mapping document that stands inside of another YAML document, which was read already. */
export interface Embedded {
  node: Node;
  /** The lines of the whole document, as `source` is its text. */
  lines: LineCounter;
  source: string;
  /** Resolves the aliases of the whole document. */
  resolve: ResolveAlias;
}

/** Reads the YAML of a mapping document. @throws MappingError with every fault, at its line and column */
export function readDocument(document: string | Embedded): DocumentParts {
  const source = typeof document === 'string' ? document : document.source;
  const reader =
    typeof document === 'string'
      ? new Reader(source)
      : new Reader(source, document.lines, document.resolve);
  const parts = typeof document === 'string' ? reader.readSource() : reader.readRoot(document.node);
  reader.finish();
  return parts;
}

/** A text of a YAML document. Block texts begin on the line below, behind their indentation. */
export function locateText(node: Scalar<string>, lines: LineCounter, source: string): Located {
  const [start = 0] = node.range ?? [];
  const place = lines.linePos(start);
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  const below = source
    .slice(start)
    .split('\n')
    .slice(1)
    .find((line) => line.trim() !== '');
  const indent = isBlock
    ? (/^ */.exec(below ?? '')?.[0].length ?? 0)
    : place.col - 1 + (node.type === 'PLAIN' ? 0 : 1);
  return {
    text: node.value,
    locate: (line, column) =>
      isBlock
        ? { line: place.line + line, column: column + indent }
        : { line: place.line, column: column + indent },
  };
}

class Reader {
  private readonly faults: TemplateFault[] = [];
  private characters = 0;
  private isTooLarge = false;

  constructor(
    private readonly source: string,
    private readonly lines = new LineCounter(),
    private resolve: ResolveAlias = (node) => node,
  ) {}

  finish(): void {
    if (this.faults.length > 0) throw new MappingError(this.faults, this.source);
  }

  readSource(): DocumentParts {
    const { faults, root } = new YamlText(this.source, { lines: this.lines });
    for (const { offset, message, hint } of faults) this.at(offset, message, hint);
    this.resolve = resolveAliases(root);
    return this.readRoot(root);
  }

  readRoot(root: Node | null): DocumentParts {
    const parts: DocumentParts = {
      templates: new Map(),
      defaultName: 'default',
      select: [],
      pre: [],
      post: [],
      dataTypes: new Map(),
    };
    if (this.faults.length > 0) return parts;
    if (!isMap<Node, Node>(root)) {
      this.at(0, 'a mapping document is a YAML mapping', `It has the keys ${keys.join(', ')}.`);
      return parts;
    }
    this.knownKeys(root, keys);
    this.constant(this.child(root, 'engine'), root, 'engine', engine);
    this.constant(this.child(root, 'version'), root, 'version', '1.0');
    this.readTemplates(this.child(root, 'templates'), root, parts);
    this.readSelect(this.child(root, 'select'), parts);
    parts.pre = this.names(this.child(root, 'pre'), 'pre', parts);
    parts.post = this.names(this.child(root, 'post'), 'post', parts);
    this.readDataTypes(this.child(root, 'data_types'), parts);
    this.readDefault(this.child(root, 'default'), root, parts);
    return parts;
  }

  private readTemplates(node: Node | undefined, root: Node, parts: DocumentParts): void {
    if (!isMap(node)) {
      this.fault(
        node ?? root,
        node
          ? 'templates is a mapping of names to template sources'
          : 'the key "templates" is missing',
        'Write templates:, below it default: |, and below this the template.',
      );
      return;
    }
    for (const { key, value: given } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const value = this.resolve(given);
      if (isScalar(value) && typeof value.value === 'string')
        parts.templates.set(name, this.located(value as Scalar<string>));
      else
        this.fault(
          (value ?? key) as Node,
          `the template "${name}" is not a text`,
          'Write it below a |.',
        );
    }
  }

  private readDefault(node: Node | undefined, root: Node, parts: DocumentParts): void {
    if (isScalar(node)) parts.defaultName = String(node.value);
    else if (node) this.fault(node, 'default is the name of a template', 'Write default: <name>.');
    if (parts.templates.has(parts.defaultName) || parts.templates.size === 0) return;
    this.fault(
      node ?? root,
      node
        ? `there is no template "${parts.defaultName}"`
        : 'a default template must always exist: there is no template named "default"',
      suggestName(parts.defaultName, parts.templates.keys()) ??
        'Name one of the templates with "default: <name>".',
    );
  }

  private readSelect(node: Node | undefined, parts: DocumentParts): void {
    if (!node) return;
    if (!isSeq(node)) return this.fault(node, 'select is a list of {name, match}', selectHint);
    for (const item of this.items(node)) {
      const [name, match] = isMap<Node, Node>(item)
        ? [this.child(item, 'name'), this.child(item, 'match')]
        : [];
      if (!isScalar(name) || !isScalar(match) || typeof match.value !== 'string') {
        this.fault(item, 'an entry of select has a name and a match, both texts', selectHint);
        continue;
      }
      this.knownKeys(item, ['name', 'match'], 'an entry of select');
      this.known(name, String(name.value), parts);
      parts.select.push({ name: String(name.value), match: this.located(match as Scalar<string>) });
    }
  }

  private names(node: Node | undefined, key: string, parts: DocumentParts): string[] {
    if (!node) return [];
    if (!isSeq(node)) {
      this.fault(node, `${key} is a list of template names`, `Write ${key}: [<name>].`);
      return [];
    }
    return this.items(node).map((item) => {
      const name = isScalar(item) ? String(item.value) : '';
      this.known(item, name, parts);
      return name;
    });
  }

  private readDataTypes(node: Node | undefined, parts: DocumentParts): void {
    if (!node) return;
    if (!isMap(node))
      return this.fault(
        node,
        'data_types is a mapping of names to {transform, ignored}',
        dataTypeHint,
      );
    for (const { key, value: given } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const value = this.resolve(given);
      if (!isMap<Node, Node>(value)) {
        this.fault(
          (value ?? key) as Node,
          `the data type "${name}" is a mapping of transform and ignored`,
          dataTypeHint,
        );
        continue;
      }
      this.knownKeys(value, ['transform', 'ignored'], `the data type "${name}"`);
      const transform = this.child(value, 'transform');
      const ignored = this.child(value, 'ignored');
      if (transform && !(isScalar(transform) && typeof transform.value === 'string'))
        this.fault(transform, 'transform is a text', 'Write the template in quotes, or below a |.');
      if (ignored && !isSeq(ignored))
        this.fault(ignored, 'ignored is a list of values', 'Write ignored: [""].');
      parts.dataTypes.set(name, {
        ...(isScalar(transform) && typeof transform.value === 'string'
          ? { transform: this.located(transform as Scalar<string>) }
          : {}),
        ignored: isSeq(ignored) ? this.items(ignored).map((one) => one.toJSON() as unknown) : [],
      });
    }
  }

  /** The value of a key, or what its alias stands for. */
  private child(map: YAMLMap<Node, Node>, key: string): Node | undefined {
    return this.resolve(map.get(key, true));
  }

  private items({ items }: YAMLSeq): Node[] {
    return items.map((item) => this.resolve(item) as Node);
  }

  private constant(node: Node | undefined, root: Node, key: string, wanted: string): void {
    const value = isScalar(node) ? (node.source ?? String(node.value)) : undefined;
    if (value === wanted) return;
    this.fault(
      node ?? root,
      node ? `${key} is "${value ?? '…'}"` : `the key "${key}" is missing`,
      `The only ${key} is ${wanted}: write ${key}: ${key === 'version' ? '"1.0"' : wanted}.`,
    );
  }

  /** Refuses keys that nobody reads: a misspelled one would be lost. */
  private knownKeys(node: Node, names: readonly string[], where?: string): void {
    if (!isMap<Node, Node>(node)) return;
    for (const { key } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (!names.includes(name))
        this.fault(
          key,
          `unknown key "${name}"${where === undefined ? '' : ` of ${where}`}`,
          suggestName(name, names) ?? `The keys are ${names.join(', ')}.`,
        );
    }
  }

  private known(node: Node, name: string, parts: DocumentParts): void {
    if (!parts.templates.has(name))
      this.fault(node, `there is no template "${name}"`, suggestName(name, parts.templates.keys()));
  }

  private located(node: Scalar<string>): Located {
    this.characters += node.value.length;
    // Only aliases can make more of a document than it has; each of them is compiled.
    if (this.characters > yamlLimits.maxCharacters && !this.isTooLarge) {
      this.isTooLarge = true;
      this.fault(node, 'its aliases make it too large', 'Let one template .apply() the other.');
    }
    return locateText(node, this.lines, this.source);
  }

  private fault(node: Node, message: string, hint?: string): void {
    this.at(node.range?.[0] ?? 0, message, hint);
  }

  private at(offset: number, message: string, hint?: string): void {
    const { line, col } = this.lines.linePos(offset);
    this.faults.push({
      message,
      line: Math.max(1, line),
      column: Math.max(1, col),
      ...(hint === undefined ? {} : { hint }),
    });
  }
}
