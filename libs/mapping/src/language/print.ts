import type { BinaryOperator, Expression, Span, Statement, Template } from './ast.js';
import type { Original } from './original.js';
import { type Indent, type Item, Layout, step, widest } from './print-layout.js';
import { literalText, nameText, quoted } from './print-literal.js';

const levels: readonly (readonly BinaryOperator[])[] = [
  ['*', '/', '%', '|'],
  ['+', '-'],
  ['==', '!=', '>=', '<=', '>', '<'],
  ['&&', '||'],
];
const levelOf = (operator: BinaryOperator): number =>
  levels.findIndex((level) => level.includes(operator));

type Call = Extract<Expression, { kind: 'method' | 'function' }>;
type Choice = Extract<Expression, { kind: 'if' | 'match' }>;

/**
 * The source of a template, laid out one way. Parsing it gives the same tree.
 * @param original keeps the comments, the line breaks and the way in which literals were written; without it maps come first
 */
export function printTemplate(template: Template, original?: Original): string {
  return new Printer(original).template(template);
}

/** The source of an expression, laid out one way. @param original keeps line breaks and literals */
export function printQuery(query: Expression, original?: Original): string {
  return new Printer(original).expression(query, '');
}

class Printer {
  private readonly layout: Layout;

  constructor(private readonly original: Original | undefined) {
    this.layout = new Layout(original);
  }

  template({ statements, maps, mapSpans }: Template): string {
    const { original } = this;
    const blocks = [...maps].map(([name, body]): Item => {
      const span = mapSpans?.get(name) ?? { start: 0, end: 0 };
      const open = original?.braceAfter(span.start);
      return { span, print: () => `map ${nameText(name)} ${this.block(body, open, '')}` };
    });
    const items = statements.map((one) => this.statementItem(one, ''));
    if (original === undefined)
      return [
        ...blocks.map(({ print }) => `${print('')}\n\n`),
        ...items.map(({ print }) => `${print('')}\n`),
      ].join('');
    const all = [...blocks, ...items].sort((a, b) => a.span.start - b.span.start);
    const { lines } = this.layout.lines(all, { start: 0, end: original.source.length }, '', '');
    return lines.map((line) => `${line}\n`).join('');
  }

  private statementItem(statement: Statement, indent: string): Item {
    const { original } = this;
    const print = () => this.statement(statement, indent);
    return {
      span: statement,
      // A comment at a place that has no line of its own leaves the statement as it was.
      print: () =>
        original === undefined
          ? print()
          : (original.takingAll(statement, print) ?? this.verbatim(statement)),
    };
  }

  private verbatim(span: Span): string {
    this.original?.take(span.start, span.end);
    return this.original?.textOf(span) ?? '';
  }

  private statement(statement: Statement, indent: string): string {
    switch (statement.kind) {
      case 'assign': {
        const value = this.expression(statement.value, indent);
        // A template can be an expression alone.
        const isBare =
          this.original?.textOf({ start: statement.start, end: statement.value.start }) ?? '=';
        return isBare.includes('=')
          ? `${statement.path.map(nameText).join('.')} = ${value}`
          : value;
      }
      case 'let':
        return `let ${nameText(statement.name)} = ${this.expression(statement.value, indent)}`;
      case 'meta': {
        const key = statement.key === undefined ? '' : ` ${nameText(statement.key)}`;
        return `meta${key} = ${this.expression(statement.value, indent)}`;
      }
      case 'if': {
        let end = statement.start;
        const block = (body: readonly Statement[], from: number) => {
          const open = this.original?.braceAfter(from);
          end = open?.end ?? end;
          return this.block(body, open, indent);
        };
        const branches = statement.branches.map(
          ({ condition, body }) =>
            `if ${this.enclosed(condition, indent)} ${block(body, condition.end)}`,
        );
        const { otherwise } = statement;
        if (otherwise) branches.push(block(otherwise, end));
        return branches.join(' else ');
      }
    }
  }

  private block(statements: readonly Statement[], open: Span | undefined, indent: string): string {
    const inner = indent + step;
    const items = statements.map((one) => this.statementItem(one, inner));
    const { head, lines } = this.layout.lines(items, open, inner, '');
    if (lines.length === 0 && head === '') return '{}';
    return `{${head}\n${lines.map((line) => `${line}\n`).join('')}${indent}}`;
  }

  /** The source of one expression; on several lines where one would be too long. */
  expression(expression: Expression, indent: string): string {
    if (this.original?.mustBreak(expression)) return this.print(expression, indent);
    const flat = this.print(expression, undefined);
    return indent.length + flat.length <= widest ? flat : this.print(expression, indent);
  }

  private nested(expression: Expression, indent: Indent): string {
    return indent === undefined
      ? this.print(expression, undefined)
      : this.expression(expression, indent);
  }

  /** Prints brackets around expressions that would take in everything after them, or that end in a brace. */
  private enclosed(expression: Expression, indent: Indent): string {
    const text = this.nested(expression, indent);
    return ['lambda', 'if', 'match'].includes(expression.kind) ? `(${text})` : text;
  }

  /** Prints an expression that a dot can follow. */
  private target(expression: Expression, indent: Indent): string {
    const text = this.nested(expression, indent);
    const bare =
      !['binary', 'not', 'negate', 'lambda', 'if', 'match'].includes(expression.kind) &&
      !(expression.kind === 'literal' && /^-?\d/.test(text));
    return bare ? text : `(${text})`;
  }

  private operand(expression: Expression, loosest: number, indent: Indent): string {
    const isBinary = expression.kind === 'binary';
    if (isBinary && levelOf(expression.operator) > loosest)
      return `(${this.nested(expression, indent)})`;
    // Brackets that only help the reader stay.
    if (isBinary && this.original?.isInBrackets(expression))
      return `(${this.nested(expression, indent)})`;
    return this.enclosed(expression, indent);
  }

  private print(expression: Expression, indent: Indent): string {
    switch (expression.kind) {
      case 'literal':
        return this.original?.textOf(expression) ?? literalText(expression.value);
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
      case 'field': {
        const { target, name } = expression;
        return `${this.target(target, indent)}.${nameText(name)}`;
      }
      case 'scoped': {
        const { target, body } = expression;
        return `${this.target(target, indent)}.(${this.nested(body, indent)})`;
      }
      case 'method': {
        // An integer needs no brackets before the name of a method.
        const isInteger = expression.target.kind === 'literal' && this.original !== undefined;
        const literal = isInteger ? this.print(expression.target, undefined) : '';
        const target = /^\d+$/.test(literal) ? literal : this.target(expression.target, indent);
        const first = expression.arguments[0]?.value.start ?? expression.end;
        const open = this.original?.bracketEndingAt(expression.end)?.start ?? first;
        const gap = this.layout.gap(expression.target.end, open, indent, '');
        const inner = gap === '' || indent === undefined ? indent : indent + step;
        return `${target}.${gap}${this.call(expression, inner)}`;
      }
      case 'function':
        return this.call(expression, indent);
      case 'array': {
        const within = this.original?.bracketEndingAt(expression.end);
        const parts = expression.items.map((item): Item => ({
          span: item,
          isLiteral: item.kind === 'literal',
          print: (inner) => this.nested(item, inner),
        }));
        const [only] = parts;
        // A list of one object leaves the lines to the object.
        const isAlone = expression.items.length === 1 && this.original !== undefined;
        if (isAlone && only && this.layout.hugs(within, indent)) return `[${only.print(indent)}]`;
        return this.layout.listed(['[', ']'], parts, indent, within);
      }
      case 'object':
        return this.layout.listed(
          ['{', '}'],
          expression.entries.map(({ key, value }) => ({
            span: { start: key.start, end: value.end },
            print: (inner) => `${this.key(key, inner)}: ${this.nested(value, inner)}`,
          })),
          indent,
          this.original?.bracketEndingAt(expression.end),
        );
      case 'not':
        return `!${this.target(expression.operand, indent)}`;
      case 'negate': {
        const inner = expression.operand;
        const text = inner.kind === 'not' ? this.nested(inner, indent) : this.target(inner, indent);
        return /^\d/.test(text) ? `-(${text})` : `-${text}`; // `-5abc` would begin as a number
      }
      case 'binary': {
        const { left, right, operator } = expression;
        const level = levelOf(operator);
        const before = this.operand(left, level, indent);
        const gap = this.layout.gap(left.end, right.start, indent, ' ');
        const inner = gap === ' ' || indent === undefined ? indent : indent + step;
        return `${before} ${operator}${gap}${this.operand(right, level - 1, inner)}`;
      }
      case 'lambda':
        return `${expression.parameter} -> ${this.nested(expression.body, indent)}`;
      case 'if':
      case 'match':
        return this.choice(expression, indent);
    }
  }

  private call(call: Call, indent: Indent): string {
    const parts = call.arguments.map(({ name, value }): Item => ({
      span: value,
      isLiteral: value.kind === 'literal',
      print: (inner) => `${name === undefined ? '' : `${name}: `}${this.nested(value, inner)}`,
    }));
    const within = this.original?.bracketEndingAt(call.end);
    const [only] = parts;
    if (parts.length === 1 && only && this.layout.hugs(within, indent))
      return `${call.name}(${only.print(indent)})`;
    return call.name + this.layout.listed(['(', ')'], parts, indent, within);
  }

  /** A key that is computed stands in brackets, unless it is a variable; a bare name stays one, as `lint` warns of it. */
  private key(key: Expression, indent: Indent): string {
    if (key.kind === 'literal' && typeof key.value === 'string')
      return this.original?.textOf(key) ?? quoted(key.value);
    const text = this.nested(key, indent);
    const isBare = key.kind === 'name' && this.original?.isInBrackets(key) === false;
    return key.kind === 'variable' || isBare ? text : `(${text})`;
  }

  /** The value of an else: a short one stays beside its braces, where nobody has broken the line. */
  private last(value: Expression, braced: (value: Expression) => string): string {
    const isShort =
      value.kind === 'literal' ||
      (value.kind === 'array' && value.items.length === 0) ||
      (value.kind === 'object' && value.entries.length === 0) ||
      (value.kind === 'function' && value.arguments.length === 0);
    const { original } = this;
    const around = original?.braceAround(value);
    const isFlat = around && !original?.isBroken(around) && !original?.mustBreak(around);
    return isShort && isFlat ? `{ ${this.nested(value, undefined)} }` : braced(value);
  }

  private choice(expression: Choice, indent: Indent): string {
    if (expression.kind === 'match') {
      const subject = expression.subject ? `${this.enclosed(expression.subject, indent)} ` : '';
      const cases = expression.cases.map(({ test, value }): Item => ({
        span: { start: (test ?? value).start, end: value.end },
        print: (inner) => {
          const before = test ? this.enclosed(test, inner) : '_';
          const gap = this.layout.gap(
            (test ?? value).end,
            test ? value.start : value.end,
            inner,
            ' ',
          );
          return `${before} =>${gap}${this.nested(value, inner)}`;
        },
      }));
      const within = this.original?.bracketEndingAt(expression.end);
      return `match ${subject}${this.layout.listed(['{', '}'], cases, indent, within, { separator: '', pad: ' ' })}`;
    }
    const braced = (value: Expression): string =>
      this.layout.listed(
        ['{', '}'],
        [{ span: value, print: (inner) => this.nested(value, inner) }],
        indent,
        this.original?.braceAround(value),
        { pad: ' ' },
      );
    const parts = expression.branches.map(
      ({ condition, value }) => `if ${this.enclosed(condition, indent)} ${braced(value)}`,
    );
    if (expression.otherwise) parts.push(this.last(expression.otherwise, braced));
    return parts.join(' else ');
  }
}
