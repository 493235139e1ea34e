import type { Expression, Span, Statement, Template } from './ast.js';
import { parseExpression } from './parse-expression.js';
import { parseString } from './parse-literal.js';
import { Source } from './source.js';
import { expressionsOf, partsOf } from './walk.js';

const nameForm = /[A-Za-z0-9_]+/y;
/** Templates longer than this are refused before they are read. */
export const maxTemplateLength = 262_144;
/** Maximum depth of a tree, as walking it takes a call for each level; longer chains of operators and fields are refused. */
const maxDepth = 500;

interface Block {
  maps?: Template['maps'];
  mapSpans?: Map<string, Span>;
  insideMap: boolean;
}

/** Parses a template: statements, or one expression as a shorthand for `root = …`. @throws MappingError and nothing else. */
export function parseTemplate(text: string): Template {
  const source = new Source(text);
  const template = readTemplate(source);
  for (const body of [template.statements, ...template.maps.values()])
    for (const expression of expressionsOf(body)) checkDepth(expression, source);
  return template;
}

/** `root.kind == "user"`, which people write for an assignment. */
export function isComparisonWithRoot(value: Expression): boolean {
  if (value.kind !== 'binary' || value.operator !== '==') return false;
  let target = value.left;
  while (target.kind === 'field') target = target.target;
  return target.kind === 'root';
}

function checkDepth(expression: Expression, source: Source): void {
  const waiting: { one: Expression; depth: number }[] = [{ one: expression, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { one, depth } = next;
    if (depth > maxDepth)
      throw source.fault(`expressions are nested more than ${maxDepth} deep`, expression.start);
    for (const part of partsOf(one)) waiting.push({ one: part, depth: depth + 1 });
  }
}

function readTemplate(source: Source): Template {
  const { text } = source;
  if (text.length > maxTemplateLength)
    throw source.fault(`the template has more than ${maxTemplateLength} characters`, 0);
  source.space();
  refuseImports(source);
  const mapSpans = new Map<string, Span>();
  const template: Template = { statements: [], maps: new Map(), mapSpans };
  const start = source.at;
  if (!looksLikeStatement(source)) {
    const value = parseExpression(source);
    const end = source.at;
    source.space();
    if (!source.done)
      throw source.fault(
        'a line break, an operator or the end of the template is expected here',
        source.at,
        isComparisonWithRoot(value)
          ? 'An assignment has one =; a condition stands in if a == b { … }.'
          : 'A template is one expression, or one statement such as root.field = … on each line.',
      );
    const statement: Statement = {
      kind: 'assign',
      path: ['root'],
      value,
      line: source.lineOf(start),
      start,
      end,
    };
    return { ...template, statements: [statement] };
  }
  template.statements = parseStatements(
    source,
    { maps: template.maps, mapSpans, insideMap: false },
    () => source.done,
  );
  return template;
}

/** Parses a single expression, such as a match condition. @throws MappingError */
export function parseQuery(text: string): Expression {
  const source = new Source(text);
  source.space();
  const value = parseExpression(source);
  source.space();
  if (!source.done) throw source.fault('an operator or the end of the expression is expected here');
  checkDepth(value, source);
  return value;
}

/**
 * Finds the end of the expression that starts at an offset of a text, such as one in braces. Blanks around it belong to it.
 * @throws MappingError whose places are those of the whole text
 */
export function findExpressionEnd(text: string, start: number): number {
  const source = new Source(text);
  source.at = start;
  source.space();
  parseExpression(source);
  source.space();
  return source.at;
}

function refuseImports(source: Source): void {
  if (/(?:from|import)[ \t]+"/y.test(source.text.slice(source.at, source.at + 40)))
    throw source.fault(
      'templates do not read files',
      source.at,
      'Put shared logic into a template of the same document and .apply("name") it.',
    );
}

/** A statement begins with its keyword, or with a path and an equals sign. */
function looksLikeStatement(source: Source): boolean {
  const rest = source.text.slice(source.at);
  if (/^(?:let|map)[ \t]/.test(rest) || /^(?:import|from)[ \t]+"/.test(rest)) return true;
  if (/^meta(?:[ \t]+(?:[A-Za-z0-9_]+|"(?:[^"\\\n]|\\.)*"))?[ \t]*=(?![=>])/.test(rest))
    return true;
  if (/^(?:[A-Za-z0-9_]+)(?:\.(?:[A-Za-z0-9_]+|"(?:[^"\\\n]|\\.)*"))*[ \t]*=(?![=>])/.test(rest))
    return true;
  return /^if[ \t]/.test(rest) && isIfStatement(source);
}

/** An `if` whose braces hold a statement; the other kind holds an expression. */
function isIfStatement(source: Source): boolean {
  const start = source.at;
  const found = source.attempt(() => {
    source.at += 2;
    source.blanks();
    parseExpression(source);
    source.space();
    if (!source.take('{')) return true;
    source.space();
    return source.peek('}') || source.nested(() => looksLikeStatement(source));
  });
  source.at = start;
  return found ?? true; // whichever it is, its own rule tells what is wrong
}

function parseStatements(source: Source, block: Block, end: () => boolean): Statement[] {
  const statements: Statement[] = [];
  source.space();
  if (end()) throw source.fault('a statement is expected here');
  for (;;) {
    const statement = parseStatement(source, block);
    if (statement) statements.push(statement);
    source.blanks();
    if (end()) break;
    if (!source.lineBreak()) throw source.fault('expected line break');
    source.space();
    if (end()) break;
  }
  return statements;
}

function parseStatement(source: Source, block: Block): Statement | undefined {
  const start = source.at;
  const line = source.lineOf(start);
  const rest = source.text.slice(start, start + 300);
  const span = () => ({ line, start, end: source.at });
  refuseImports(source);
  if (/^map[ \t]/.test(rest)) {
    parseMap(source, block, start);
    return undefined;
  }
  if (/^let[ \t]/.test(rest)) {
    source.at += 3;
    source.blanks();
    const name = source.match(nameForm) ?? parseString(source);
    if (name === undefined)
      throw source.fault('the name of a variable is expected here', source.at, fieldNamed('let'));
    equals(source);
    return { kind: 'let', name, value: parseExpression(source), ...span() };
  }
  if (/^meta(?:[ \t]|=)/.test(rest)) {
    if (block.insideMap)
      throw source.fault(
        'metadata cannot be set inside a map',
        start,
        'Set it outside of the map, from what the map has made.',
      );
    source.at += 4;
    source.blanks();
    const key = source.peek('=') ? undefined : (source.match(nameForm) ?? parseString(source));
    source.blanks();
    source.expect('=');
    source.blanks();
    return {
      kind: 'meta',
      ...(key === undefined ? {} : { key }),
      value: parseExpression(source),
      ...span(),
    };
  }
  if (/^if[ \t]/.test(rest) && !/^if[ \t]*=(?!=)/.test(rest))
    return { ...parseIf(source, block), ...span() };
  const path = parsePath(source);
  equals(source);
  return { kind: 'assign', path, value: parseExpression(source), ...span() };
}

function fieldNamed(keyword: string): string {
  return `A field of that name is written root.${keyword}.`;
}

const blanksHint = 'A blank stands on both sides of =.';

function equals(source: Source): void {
  if (!source.blanks()) throw source.fault('expected whitespace', source.at, blanksHint);
  source.expect('=', 'an equals sign');
  if (!source.blanks())
    throw source.fault('expected whitespace after the equals sign', source.at, blanksHint);
}

function parsePath(source: Source): string[] {
  const first = source.match(nameForm);
  if (first === undefined)
    throw source.fault(
      'a statement is expected here',
      source.at,
      'Statements look like root.field = this.other.',
    );
  const path = [first];
  while (source.take('.')) {
    const segment = source.match(nameForm) ?? parseString(source);
    if (segment === undefined) throw source.fault('a field is expected after the dot');
    path.push(segment);
  }
  return path[0] === 'root' ? path : ['root', ...path];
}

function parseMap(source: Source, block: Block, start: number): void {
  source.at += 3;
  source.blanks();
  const name = source.match(nameForm) ?? parseString(source);
  if (name === undefined)
    throw source.fault('the name of the map is expected here', source.at, fieldNamed('map'));
  if (block.maps === undefined)
    throw source.fault(
      'a map cannot be defined inside a block',
      start,
      'Define it at the beginning of the template.',
    );
  if (block.maps.has(name)) throw source.fault(`the map "${name}" is defined twice`, start);
  source.blanks();
  block.maps.set(name, parseBlock(source, { insideMap: true }));
  block.mapSpans?.set(name, { start, end: source.at });
}

function parseBlock(source: Source, block: Block): Statement[] {
  source.expect('{', 'an opening brace');
  source.space();
  if (!block.insideMap && block.maps === undefined && source.take('}')) return []; // an if may do nothing
  return parseStatements(source, block, () => source.take('}'));
}

function parseIf(
  source: Source,
  block: Block,
): {
  kind: 'if';
  branches: { condition: Expression; body: Statement[] }[];
  otherwise?: Statement[];
} {
  const inner: Block = { insideMap: block.insideMap };
  const branches: { condition: Expression; body: Statement[] }[] = [];
  source.expect('if');
  for (;;) {
    source.blanks();
    const condition = parseExpression(source);
    source.space();
    branches.push({ condition, body: source.nested(() => parseBlock(source, inner)) });
    const mark = source.at;
    source.space();
    if (source.take('else if')) continue;
    if (source.match(/else(?=[ \t\r\n{])/y) !== undefined) {
      source.space();
      return { kind: 'if', branches, otherwise: source.nested(() => parseBlock(source, inner)) };
    }
    source.at = mark;
    return { kind: 'if', branches };
  }
}
