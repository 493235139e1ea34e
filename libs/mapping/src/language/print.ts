import type { BinaryOperator, Expression, Statement, Template } from './ast.js';
import { literalText, nameText, quoted } from './print-literal.js';

const widest = 100;
const step = '  ';
const levels: readonly (readonly BinaryOperator[])[] = [
  ['*', '/', '%', '|'],
  ['+', '-'],
  ['==', '!=', '>=', '<=', '>', '<'],
  ['&&', '||'],
];
const levelOf = (operator: BinaryOperator): number =>
  levels.findIndex((level) => level.includes(operator));

/** The source of a template, laid out one way: maps first, then its statements. Parsing it gives the same tree. */
export function printTemplate({ statements, maps }: Template): string {
  const blocks = [...maps].map(
    ([name, body]) => `map ${nameText(name)} ${printBlock(body, '')}\n\n`,
  );
  return `${blocks.join('')}${statements.map((one) => `${printStatement(one, '')}\n`).join('')}`;
}

function printStatement(statement: Statement, indent: string): string {
  switch (statement.kind) {
    case 'assign':
      return `${statement.path.map(nameText).join('.')} = ${printExpression(statement.value, indent)}`;
    case 'let':
      return `let ${nameText(statement.name)} = ${printExpression(statement.value, indent)}`;
    case 'meta': {
      const key = statement.key === undefined ? '' : ` ${nameText(statement.key)}`;
      return `meta${key} = ${printExpression(statement.value, indent)}`;
    }
    case 'if': {
      const branches = statement.branches.map(
        ({ condition, body }) => `if ${enclosed(condition, indent)} ${printBlock(body, indent)}`,
      );
      const { otherwise } = statement;
      if (otherwise) branches.push(printBlock(otherwise, indent));
      return branches.join(' else ');
    }
  }
}

function printBlock(statements: readonly Statement[], indent: string): string {
  if (statements.length === 0) return '{}';
  const inner = indent + step;
  const lines = statements.map((one) => `${inner}${printStatement(one, inner)}\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/** The source of one expression; on several lines where one would be too long. */
export function printExpression(expression: Expression, indent = ''): string {
  const flat = print(expression, undefined);
  return indent.length + flat.length <= widest ? flat : print(expression, indent);
}

/** Where a sub-expression stands: on one line when there is no indent. */
type Indent = string | undefined;

const nested = (expression: Expression, indent: Indent): string =>
  indent === undefined ? print(expression, undefined) : printExpression(expression, indent);

/** Several parts in brackets: beside each other, or one per line. */
function listed(
  [open, close]: readonly [string, string],
  parts: readonly ((inner: Indent) => string)[],
  indent: Indent,
): string {
  if (parts.length === 0) return open + close;
  const pad = open.startsWith('{') ? ' ' : '';
  if (indent === undefined)
    return `${open}${pad}${parts.map((part) => part(undefined)).join(', ')}${pad}${close}`;
  const inner = indent + step;
  const lines = parts.map((part) => inner + part(inner));
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Prints brackets around expressions that would take in everything after them, or that end in a brace. */
function enclosed(expression: Expression, indent: Indent): string {
  const text = nested(expression, indent);
  return ['lambda', 'if', 'match'].includes(expression.kind) ? `(${text})` : text;
}

/** Prints an expression that a dot can follow. */
function target(expression: Expression, indent: Indent): string {
  const bare =
    !['binary', 'not', 'negate', 'lambda', 'if', 'match'].includes(expression.kind) &&
    !(
      expression.kind === 'literal' &&
      (typeof expression.value === 'number' || typeof expression.value === 'bigint')
    );
  return bare ? nested(expression, indent) : `(${nested(expression, indent)})`;
}

function operand(expression: Expression, loosest: number, indent: Indent): string {
  if (expression.kind === 'binary' && levelOf(expression.operator) > loosest)
    return `(${nested(expression, indent)})`;
  return enclosed(expression, indent);
}

function print(expression: Expression, indent: Indent): string {
  switch (expression.kind) {
    case 'literal':
      return literalText(expression.value);
    case 'this':
    case 'root':
      return expression.kind;
    case 'name':
      // Words that would begin something else where a blank or arrow follows them.
      return ['if', 'match', '_'].includes(expression.name)
        ? `(${expression.name})`
        : expression.name;
    case 'variable':
      return `$${expression.name}`;
    case 'metadata':
      return expression.key === undefined ? '@' : `@${nameText(expression.key)}`;
    case 'field':
      return `${target(expression.target, indent)}.${nameText(expression.name)}`;
    case 'scoped':
      return `${target(expression.target, indent)}.(${nested(expression.body, indent)})`;
    case 'method':
      return `${target(expression.target, indent)}.${printCall(expression, indent)}`;
    case 'function':
      return printCall(expression, indent);
    case 'array':
      return listed(
        ['[', ']'],
        expression.items.map((item) => (inner) => nested(item, inner)),
        indent,
      );
    case 'object':
      return listed(
        ['{', '}'],
        expression.entries.map(({ key, value }) => (inner) => {
          return `${printKey(key, inner)}: ${nested(value, inner)}`;
        }),
        indent,
      );
    case 'not':
      return `!${target(expression.operand, indent)}`;
    case 'negate': {
      const inner = expression.operand;
      const text = inner.kind === 'not' ? nested(inner, indent) : target(inner, indent);
      return /^\d/.test(text) ? `-(${text})` : `-${text}`; // `-5abc` would begin as a number
    }
    case 'binary': {
      const level = levelOf(expression.operator);
      const left = operand(expression.left, level, indent);
      return `${left} ${expression.operator} ${operand(expression.right, level - 1, indent)}`;
    }
    case 'lambda':
      return `${expression.parameter} -> ${nested(expression.body, indent)}`;
    case 'if':
    case 'match':
      return printChoice(expression, indent);
  }
}

function printCall(
  call: Extract<Expression, { kind: 'method' | 'function' }>,
  indent: Indent,
): string {
  const parts = call.arguments.map(({ name, value }) => (inner: Indent) => {
    return `${name === undefined ? '' : `${name}: `}${nested(value, inner)}`;
  });
  const [only] = parts;
  if (parts.length === 1 && only) return `${call.name}(${only(indent)})`;
  return call.name + listed(['(', ')'], parts, indent);
}

/** A key that only begins with a text stands in brackets: the text alone would be taken for the key. */
function printKey(key: Expression, indent: Indent): string {
  if (key.kind === 'literal' && typeof key.value === 'string') return quoted(key.value);
  const text = nested(key, indent);
  return text.startsWith('"') ? `(${text})` : text;
}

function printChoice(
  expression: Extract<Expression, { kind: 'if' | 'match' }>,
  indent: Indent,
): string {
  if (expression.kind === 'match') {
    const subject = expression.subject ? `${enclosed(expression.subject, indent)} ` : '';
    const cases = expression.cases.map(({ test, value }) => (inner: Indent) => {
      return `${test ? enclosed(test, inner) : '_'} => ${nested(value, inner)}`;
    });
    return `match ${subject}${listed(['{', '}'], cases, indent)}`;
  }
  const braced = (value: Expression): string =>
    listed(['{', '}'], [(inner) => nested(value, inner)], indent);
  const parts = expression.branches.map(
    ({ condition, value }) => `if ${enclosed(condition, indent)} ${braced(value)}`,
  );
  if (expression.otherwise) parts.push(braced(expression.otherwise));
  return parts.join(' else ');
}
