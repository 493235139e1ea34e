import type { Argument, BinaryOperator, Expression } from './ast.js';
import { parseNumber, parseString } from './parse-literal.js';
import type { Source } from './source.js';

const nameForm = /[A-Za-z0-9_]+/y;
const callForm = /[a-z0-9_]+(?=\()/y;
const levels: BinaryOperator[][] = [
  ['*', '/', '%', '|'],
  ['+', '-'],
  ['==', '!=', '>=', '<=', '>', '<'],
  ['&&', '||'],
];
const operatorForm = /\*|\/|%|\|\||\||\+|-|==|!=|>=|<=|>|<|&&/y;

/** query = ['-'] tails { op ['-'] tails }, folded by precedence. */
export function parseExpression(source: Source): Expression {
  return source.nested(() => {
    const operands = [parseOperand(source)];
    const operators: BinaryOperator[] = [];
    for (;;) {
      const mark = source.at;
      source.blanks();
      const operator =
        source.peek('->') || source.peek('=>') ? undefined : source.match(operatorForm);
      if (operator === undefined) {
        source.at = mark;
        break;
      }
      source.space();
      operators.push(operator as BinaryOperator);
      operands.push(parseOperand(source));
    }
    return fold(operands, operators);
  });
}

/** Joins operands from the tightest operators to the loosest, each level from left to right. */
function fold(operands: Expression[], operators: BinaryOperator[]): Expression {
  let [values, between] = [operands, operators];
  for (const level of levels) {
    if (between.length === 0) break;
    const [joined, left]: [Expression[], BinaryOperator[]] = [values.slice(0, 1), []];
    for (const [index, operator] of between.entries()) {
      const right = values[index + 1] as Expression;
      if (!level.includes(operator)) {
        joined.push(right);
        left.push(operator);
        continue;
      }
      const first = joined.pop() as Expression;
      joined.push({
        kind: 'binary',
        operator,
        left: first,
        right,
        start: first.start,
        end: right.end,
      });
    }
    [values, between] = [joined, left];
  }
  return values[0] as Expression;
}

function parseOperand(source: Source): Expression {
  const start = source.at;
  if (source.peek('-') && !/-\d/y.test(source.text.slice(start, start + 2))) {
    source.at += 1;
    source.space();
    const operand = parseTails(source);
    return { kind: 'negate', operand, start, end: source.at };
  }
  // `-5.abs()` is `-(5.abs())`: the sign of a literal belongs to it only when no method follows.
  if (source.peek('-') && /-\d+(?:\.\d+)?\.[a-z(]/y.test(source.text.slice(start, start + 40))) {
    source.at += 1;
    return { kind: 'negate', operand: parseTails(source), start, end: source.at };
  }
  return parseTails(source);
}

/** tails = ['!'] primary { '.' ... } */
function parseTails(source: Source): Expression {
  const start = source.at;
  const not = source.peek('!') && !source.peek('!=');
  if (not) {
    source.at += 1;
    source.blanks();
  }
  let target = parsePrimary(source);
  while (source.peek('.')) {
    source.at += 1;
    source.space();
    if (source.take('(')) {
      source.space();
      const body = parseExpression(source);
      source.space();
      source.expect(')', 'a closing bracket');
      target = { kind: 'scoped', target, body, start, end: source.at };
      continue;
    }
    const method = source.match(callForm);
    if (method !== undefined) {
      const list = parseArguments(source);
      target = { kind: 'method', target, name: method, arguments: list, start, end: source.at };
      continue;
    }
    const name = source.match(nameForm) ?? parseString(source);
    if (name === undefined) throw source.fault('a method or field is expected after the dot');
    target = { kind: 'field', target, name, start, end: source.at };
  }
  return not ? { kind: 'not', operand: target, start, end: source.at } : target;
}

function parsePrimary(source: Source): Expression {
  const start = source.at;
  const span = () => ({ start, end: source.at });
  if (source.take('(')) {
    source.space();
    const inner = parseExpression(source);
    source.space();
    source.expect(')', 'a closing bracket', 'The ( before is not closed.');
    return inner;
  }
  const number = parseNumber(source);
  if (number !== undefined && !/[A-Za-z_]/.test(source.text[source.at] ?? ''))
    return { kind: 'literal', value: number, ...span() };
  if (source.text.slice(start, source.at).includes('.'))
    throw source.fault(
      `the number ${source.text.slice(start, source.at).slice(0, 40)} runs into a name`,
      source.at,
      'Fields whose names begin with digits are written this."5"."0a".',
    );
  source.at = start;
  const text = parseString(source);
  if (text !== undefined) return { kind: 'literal', value: text, ...span() };
  if (source.peek('[')) return parseArray(source);
  if (source.peek('{')) return parseObject(source);
  if (source.take('$')) {
    const name = source.match(nameForm);
    if (name === undefined) throw source.fault('the name of a variable is expected here');
    return { kind: 'variable', name, ...span() };
  }
  if (source.take('@')) {
    const key = source.match(nameForm) ?? parseString(source);
    return { kind: 'metadata', ...(key === undefined ? {} : { key }), ...span() };
  }
  const lambda = parseLambda(source);
  if (lambda) return lambda;
  if (/if[ \t]/y.test(source.text.slice(start, start + 3))) return parseIf(source);
  if (/match[ \t{]/y.test(source.text.slice(start, start + 6))) return parseMatch(source);
  const called = source.match(callForm);
  if (called !== undefined)
    return { kind: 'function', name: called, arguments: parseArguments(source), ...span() };
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const)
    if (source.take(word)) {
      if (/[A-Za-z0-9_]/.test(source.text[source.at] ?? ''))
        throw source.fault(
          `a bare field cannot begin with ${word}`,
          start,
          `Write this.${source.text.slice(start).match(/^\w+/)?.[0]}.`,
        );
      return { kind: 'literal', value, ...span() };
    }
  const name = source.match(nameForm);
  if (name === undefined) throw source.fault('an expression is expected here', start);
  if (name === 'this' || name === 'root') return { kind: name, ...span() };
  return { kind: 'name', name, ...span() };
}

function parseLambda(source: Source): Expression | undefined {
  const start = source.at;
  const parameter = source.match(/[A-Za-z0-9_]+(?=[ \t]*->)/y);
  if (parameter === undefined) return undefined;
  if (parameter === 'this' || parameter === 'root')
    throw source.fault(
      `a parameter cannot be called ${parameter}`,
      start,
      'Choose another name: x -> x.id.',
    );
  source.blanks();
  source.expect('->');
  source.blanks();
  const body = parseExpression(source);
  if (body.kind === 'lambda')
    throw source.fault(
      'a lambda cannot be the body of another',
      body.start,
      'A lambda has one parameter: the inner one belongs to a method, as in x -> x.list.map_each(y -> …).',
    );
  return { kind: 'lambda', parameter, body, start, end: source.at };
}

const openings: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Items between brackets, separated by commas, the last of which may be there for nothing. */
function parseList<T>(source: Source, close: string, item: () => T): T[] {
  const items: T[] = [];
  source.space();
  while (!source.take(close)) {
    items.push(item());
    source.space();
    if (source.take(',')) {
      source.space();
      continue;
    }
    source.expect(
      close,
      `a comma or "${close}"`,
      `A comma is missing, or the ${openings[close] ?? 'bracket'} before is not closed.`,
    );
    break;
  }
  return items;
}

function parseArguments(source: Source): Argument[] {
  source.expect('(');
  const list = parseList(source, ')', () => {
    const name = source.match(/[a-z0-9_]+(?=:)/y);
    if (name === undefined) return { value: parseExpression(source) };
    source.expect(':');
    source.blanks();
    return { name, value: parseExpression(source) };
  });
  if (list.some(({ name }) => name !== undefined) && list.some(({ name }) => name === undefined))
    throw source.fault('arguments are all named or all in sequence, not both');
  return list;
}

function parseArray(source: Source): Expression {
  const start = source.at;
  source.expect('[');
  const items = parseList(source, ']', () => parseExpression(source));
  return { kind: 'array', items, start, end: source.at };
}

function parseObject(source: Source): Expression {
  const start = source.at;
  source.expect('{');
  const entries = parseList(source, '}', () => {
    const at = source.at;
    const text = parseString(source);
    const key: Expression =
      text === undefined
        ? parseExpression(source)
        : { kind: 'literal', value: text, start: at, end: source.at };
    source.space();
    source.expect(':', 'a colon after the key');
    source.space();
    return { key, value: parseExpression(source) };
  });
  return { kind: 'object', entries, start, end: source.at };
}

function parseIf(source: Source): Expression {
  const start = source.at;
  const branches: { condition: Expression; value: Expression }[] = [];
  let otherwise: Expression | undefined;
  source.expect('if');
  for (;;) {
    source.blanks();
    const condition = parseExpression(source);
    source.space();
    branches.push({ condition, value: parseBraced(source) });
    const mark = source.at;
    source.space();
    if (source.take('else if')) continue;
    if (source.match(/else(?=[ \t\r\n{])/y) !== undefined) {
      source.space();
      otherwise = parseBraced(source);
    } else source.at = mark;
    break;
  }
  return { kind: 'if', branches, ...(otherwise ? { otherwise } : {}), start, end: source.at };
}

function parseBraced(source: Source): Expression {
  source.expect('{', 'an opening brace');
  source.space();
  const value = parseExpression(source);
  source.space();
  source.expect('}', 'a closing brace');
  return value;
}

const caseHint = 'A case is written "x" => value, every other case _ => value.';

function parseMatch(source: Source): Expression {
  const start = source.at;
  source.expect('match');
  source.blanks();
  // A brace may open an object that is the subject; where that does not lead to cases, it opens the cases.
  const subject = source.peek('{')
    ? source.attempt(() => {
        const object = parseExpression(source);
        source.space();
        if (!source.peek('{')) throw source.fault('no cases');
        return object;
      })
    : parseExpression(source);
  source.space();
  source.expect('{', 'the cases in braces');
  source.space();
  const cases: { test?: Expression; value: Expression }[] = [];
  while (!source.take('}')) {
    const wild = source.match(/_(?=[ \t]*=>)/y) !== undefined;
    const test = wild ? undefined : parseExpression(source);
    source.blanks();
    source.expect('=>', undefined, caseHint);
    source.space();
    cases.push({ ...(test ? { test } : {}), value: parseExpression(source) });
    const before = source.at;
    source.blanks();
    const separated = source.take(',') || source.lineBreak();
    source.space();
    if (!separated && !source.peek('}')) {
      source.at = before;
      throw source.fault('a comma or line break is expected after the case');
    }
  }
  if (cases.length === 0)
    throw source.fault('a match needs at least one case', source.at, caseHint);
  return { kind: 'match', ...(subject ? { subject } : {}), cases, start, end: source.at };
}
