import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  parseDocument,
  Scalar,
  visit,
} from 'yaml';
import { formatQuery, formatTemplate, isSameTree } from '../language/format-template.js';
import { MappingError, type TemplateFault } from '../language/mapping-error.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { type Located, readDocument } from './read-document.js';

/** A text of a document in the mapping language, and whether it is a template or an expression. */
interface Text {
  node: Scalar<string>;
  isQuery: boolean;
}

/**
 * A mapping document laid out one way: its YAML and its templates, which stand below a | where they have several lines. Comments are
 * kept. @throws MappingError for a document that does not parse
 */
export function formatDocument(source: string): string {
  checkTexts(source);
  const document = parseDocument(source, { uniqueKeys: false });
  const repeated = aliased(document);
  for (const { node, isQuery } of textsOf(document)) {
    if (repeated.has(node)) continue; // it is a value elsewhere
    const text = (isQuery ? formatQuery : formatTemplate)(node.value).trimEnd();
    const wasBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
    const isBlock = wasBlock || text.includes('\n');
    if (isBlock) node.type = Scalar.BLOCK_LITERAL;
    node.value = isBlock ? `${text}\n` : text;
  }
  const text = withoutPadding(document.toString({ lineWidth: 0 }));
  if (!isSame(source, text) || commentsOf(source) !== commentsOf(text))
    throw new MappingError(
      [
        {
          message: 'the document cannot be laid out without changing it',
          hint: 'Lay out by hand what is odd in its YAML, such as comments inside of { … }.',
          line: 1,
          column: 1,
        },
      ],
      source,
    );
  return text;
}

/** @throws MappingError with every fault of the texts, at the lines of the document */
function checkTexts(source: string): void {
  const { templates, dataTypes, select } = readDocument(source);
  const faults: TemplateFault[] = [];
  const check = ({ text, locate }: Located, parse: (text: string) => unknown) => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof MappingError)) throw error;
      for (const fault of error.faults)
        faults.push({ ...fault, ...locate(fault.line, fault.column) });
    }
  };
  for (const located of templates.values()) check(located, parseTemplate);
  for (const { transform } of dataTypes.values()) if (transform) check(transform, parseTemplate);
  for (const { match } of select) check(match, parseQuery);
  if (faults.length > 0) throw new MappingError(faults, source);
}

function textsOf(document: Document): Text[] {
  const root = document.contents;
  if (!isMap<Node, Node>(root)) return [];
  const texts: Text[] = [];
  const add = (node: unknown, isQuery = false) => {
    if (isScalar(node) && typeof node.value === 'string')
      texts.push({ node: node as Scalar<string>, isQuery });
  };
  const valuesOf = (node: unknown) => (isMap<Node, Node>(node) ? node.items : []);
  for (const { value } of valuesOf(root.get('templates', true))) add(value);
  for (const { value } of valuesOf(root.get('data_types', true)))
    if (isMap<Node, Node>(value)) add(value.get('transform', true));
  const select = root.get('select', true);
  if (isSeq<Node>(select))
    for (const entry of select.items)
      if (isMap<Node, Node>(entry)) add(entry.get('match', true), true);
  return texts;
}

/** The nodes that aliases repeat. */
function aliased(document: Document): Set<unknown> {
  const nodes = new Set<unknown>();
  visit(document, { Alias: (_key, alias) => void nodes.add(alias.resolve(document)) });
  return nodes;
}

/** Removes the blanks inside of [ … ]: the library puts them into braces and brackets alike. */
function withoutPadding(text: string): string {
  const tokens = [...new Lexer().lex(text)];
  return tokens
    .filter((one, index) => one !== ' ' || (tokens[index - 1] !== '[' && tokens[index + 1] !== ']'))
    .filter((one) => !controls.includes(one))
    .join('');
}

/** Tokens of the lexer that are not in the text: document, flow end, scalar. */
const controls: readonly string[] = ['\u0002', '\u0018', '\u001F', '\uFEFF'];

/** True for documents with the same values, whose templates are the same trees. */
function isSame(before: string, after: string): boolean {
  const [one, other] = [before, after].map((source) => {
    const document = parseDocument(source, { uniqueKeys: false });
    const trees = textsOf(document).map(({ node, isQuery }) => {
      const tree = (isQuery ? parseQuery : parseTemplate)(node.value);
      node.value = '';
      return tree;
    });
    return { values: document.toJS() as unknown, trees };
  });
  return isSameTree(one, other);
}

/** The comments of YAML, in their order. */
function commentsOf(source: string): string {
  return [...new Lexer().lex(source)].filter((one) => one.startsWith('#')).join('\n');
}
