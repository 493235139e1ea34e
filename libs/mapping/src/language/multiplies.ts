import type { Expression, Statement, Template } from './ast.js';
import type { Environment } from './environment.js';
import type { Returns } from './specification.js';
import { expressionsOf, partsOf } from './walk.js';

/** The names that stand for parts of the input at a place: `this`, names of lambdas, and `$` for variables. */
type Known = ReadonlySet<string>;

type MethodCall = Extract<Expression, { kind: 'method' }>;
type FunctionCall = Extract<Expression, { kind: 'function' }>;

const scalarOperators: ReadonlySet<string> = new Set('+ - * / % == != < > <= >= && ||'.split(' '));
/**
 * True when the result of a template may hold a value more often than the template names it, so that it may be far larger than
 * template and input together: its size is measured then. False is certain, true is not.
 */
export function multiplies({ statements, maps }: Template, environment: Environment): boolean {
  return maps.size > 0 || new Search(statements, environment).any(statements);
}

class Search {
  /** Variables that stand for parts of the input, or for something small. */
  private readonly parts = new Set<string>();
  private readonly small = new Set<string>();
  private readonly others = new Set<string>();
  private readonly parameters: ReadonlySet<string>;

  constructor(
    statements: readonly Statement[],
    private readonly environment: Environment,
  ) {
    this.parameters = new Set(expressionsOf(statements).flatMap(parametersOf));
  }

  private returns({ kind, name }: MethodCall | FunctionCall): Returns | undefined {
    const { functions, methods } = this.environment;
    return (kind === 'method' ? methods : functions).get(name)?.returns;
  }

  any(statements: readonly Statement[]): boolean {
    return statements.some((statement) => this.statement(statement));
  }

  private statement(statement: Statement): boolean {
    if (statement.kind === 'if')
      return (
        statement.branches.some(({ body }) => this.any(body)) || this.any(statement.otherwise ?? [])
      );
    const { value } = statement;
    const input = new Set(['this', '$']);
    if (statement.kind === 'let') {
      if (this.isSmall(value)) this.small.add(statement.name);
      else if (this.isPart(value, input)) this.parts.add(statement.name);
      else this.others.add(statement.name);
    }
    return this.grows(value, input);
  }

  /** Small whatever is in it: a number, a bool, a text that was paid for. */
  private isSmall(expression: Expression): boolean {
    switch (expression.kind) {
      case 'literal':
      case 'not':
      case 'negate':
        return true;
      case 'binary':
        return scalarOperators.has(expression.operator);
      case 'method':
        return (
          this.returns(expression) === 'small' ||
          (this.returns(expression) === 'part' && this.isSmall(expression.target))
        );
      case 'function':
        return this.returns(expression) === 'small';
      case 'variable':
        return this.small.has(expression.name) && !this.others.has(expression.name);
      default:
        return false;
    }
  }

  /** A part of what a name of the set stands for. */
  private isPart(expression: Expression, known: Known): boolean {
    switch (expression.kind) {
      case 'this':
        return known.has('this');
      case 'name':
        return known.has(this.parameters.has(expression.name) ? expression.name : 'this');
      case 'variable':
        return (
          known.has('$') && this.parts.has(expression.name) && !this.others.has(expression.name)
        );
      case 'field':
        return this.isPart(expression.target, known);
      case 'method': {
        const { name, target, arguments: given } = expression;
        const isOr = name === 'or' && given.every(({ value }) => this.isPartOrEmpty(value, known));
        return (isOr || this.returns(expression) === 'part') && this.isPart(target, known);
      }
      default:
        return false;
    }
  }

  /** A part, a literal, or an array or object with nothing in it. */
  private isPartOrEmpty(expression: Expression, known: Known): boolean {
    if (expression.kind === 'literal') return true;
    const isMade = expression.kind === 'array' || expression.kind === 'object';
    return isMade ? partsOf(expression).length === 0 : this.isPart(expression, known);
  }

  /** A list that holds each part of what is known at most as often as it is named: walking over it is walking over those. */
  private isList(expression: Expression, known: Known): boolean {
    if (this.isPart(expression, known)) return true;
    if (expression.kind === 'array')
      return expression.items.every((item) => this.isSmall(item) || this.isPart(item, known));
    if (expression.kind !== 'method') return false;
    const { target, arguments: given } = expression;
    const [first] = given;
    switch (this.returns(expression)) {
      case 'made':
        return true;
      case 'part':
        return this.isList(target, known);
      case 'joined':
        return [target, ...given.map(({ value }) => value)].every((one) => this.isList(one, known));
      case 'mapped':
        return first?.value.kind === 'lambda'
          ? this.isList(target, known) && this.isPickedFrom(first.value)
          : false;
      default:
        return false;
    }
  }

  /** True for a lambda that gives a part of its parameter, or leaves the element out. */
  private isPickedFrom({ parameter, body }: Extract<Expression, { kind: 'lambda' }>): boolean {
    const known = new Set([parameter]);
    if (body.kind === 'binary' && body.operator === '|')
      return this.isPart(body.left, known) && this.isSmall(body.right);
    return this.isPart(body, known);
  }

  private grows(expression: Expression, known: Known): boolean {
    if (this.isSmall(expression) || this.isPart(expression, known)) return false;
    const some = (parts: readonly Expression[]) => parts.some((part) => this.grows(part, known));
    switch (expression.kind) {
      case 'metadata':
        return false;
      case 'array':
      case 'object':
        return some(partsOf(expression));
      case 'field':
        return this.grows(expression.target, known);
      case 'binary':
        return some([expression.left, expression.right]);
      case 'if':
        return some([
          ...expression.branches.map(({ value }) => value),
          ...(expression.otherwise ? [expression.otherwise] : []),
        ]);
      case 'match': {
        const { subject, cases } = expression;
        const inner = !subject || this.isPart(subject, known) ? known : withoutThis(known);
        return cases.some(({ value }) => this.grows(value, inner));
      }
      case 'method':
        return this.method(expression, known);
      case 'function':
        return this.returns(expression) !== 'made';
      default:
        return true;
    }
  }

  private method(expression: MethodCall, known: Known): boolean {
    const { name, target, arguments: given } = expression;
    const [first] = given;
    if (name === 'or' && first) return this.grows(target, known) || this.grows(first.value, known);
    if (name === 'catch' && first)
      return this.grows(target, known) || this.grows(first.value, withoutThis(known));
    const returns = this.returns(expression);
    if (returns === 'made') return false;
    if (returns === 'part') return this.grows(target, known);
    if (returns === 'joined')
      return [target, ...given.map(({ value }) => value)].some((one) => this.grows(one, known));
    // Each element is named as often as the body names it, and the elements are parts of one value.
    if (returns === 'mapped' && first && this.isList(target, known)) {
      const body = first.value;
      return body.kind === 'lambda'
        ? this.grows(body.body, new Set([body.parameter]))
        : this.grows(body, new Set(['this']));
    }
    return true;
  }
}

function parametersOf(expression: Expression): string[] {
  const inner = partsOf(expression).flatMap(parametersOf);
  return expression.kind === 'lambda' ? [expression.parameter, ...inner] : inner;
}

function withoutThis(known: Known): Known {
  return new Set([...known].filter((name) => name !== 'this'));
}
