import type { Expression, Statement, Template } from './ast.js';
import { expressionsOf, partsOf } from './walk.js';

/** The names that stand for parts of the input at a place: `this`, names of lambdas, and `$` for variables. */
type Known = ReadonlySet<string>;

const namesOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const scalarOperators = namesOf('+ - * / % == != < > <= >= && ||');
/** Methods whose result is small, or paid for by its size. */
const smallMethods = namesOf(
  `number bool length type has_prefix has_suffix contains index_of any all find find_by sum min max round floor ceil abs not
   int64 float64 re_match hash ts_parse ts_format ts_unix ts_unix_milli ts_strptime ts_strftime ts_round ts_tz exists`,
);
/** Methods whose result is at most as large as their target. */
const partMethods = namesOf(
  `index slice array not_null not_empty filter sort sort_by unique get uppercase lowercase capitalize trim trim_prefix
   trim_suffix string replace replace_all with without`,
);
/** Methods that make new texts, which are paid for where they are made. */
const madeTexts = namesOf(
  `format re_replace_all re_replace join split escape_html unescape_html quote quote_with ts_format ts_strftime format_timestamp
   format_timestamp_strftime parse_timestamp parse_timestamp_strptime re_find_all`,
);
const smallFunctions = namesOf(
  'deleted nothing now pi uuid_v4 throw timestamp_unix timestamp_unix_milli metadata meta json',
);

/**
 * True when the result of a template may hold a value more often than the template names it, so that it may be far larger than
 * template and input together: its size is measured then. False is certain, true is not.
 */
export function multiplies({ statements, maps }: Template): boolean {
  return maps.size > 0 || new Search(statements).any(statements);
}

class Search {
  /** Variables that stand for parts of the input, or for something small. */
  private readonly parts = new Set<string>();
  private readonly small = new Set<string>();
  private readonly others = new Set<string>();
  private readonly parameters: ReadonlySet<string>;

  constructor(statements: readonly Statement[]) {
    this.parameters = new Set(expressionsOf(statements).flatMap(parametersOf));
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
          smallMethods.has(expression.name) ||
          (partMethods.has(expression.name) && this.isSmall(expression.target))
        );
      case 'function':
        return smallFunctions.has(expression.name);
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
        return (isOr || partMethods.has(name)) && this.isPart(target, known);
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
    const { name, target, arguments: given } = expression;
    const [first] = given;
    switch (name) {
      case 'split':
        return true;
      case 'filter':
        return this.isList(target, known);
      case 'concat':
        return [target, ...given.map(({ value }) => value)].every((one) => this.isList(one, known));
      case 'map_each':
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
      default:
        return true;
    }
  }

  private method(
    { name, target, arguments: given }: Extract<Expression, { kind: 'method' }>,
    known: Known,
  ): boolean {
    const [first] = given;
    if (name === 'or' && first) return this.grows(target, known) || this.grows(first.value, known);
    if (name === 'catch' && first)
      return this.grows(target, known) || this.grows(first.value, withoutThis(known));
    if (madeTexts.has(name)) return false;
    if (partMethods.has(name)) return this.grows(target, known);
    if (name === 'concat')
      return [target, ...given.map(({ value }) => value)].some((one) => this.grows(one, known));
    // Each element is named as often as the body names it, and the elements are parts of one value.
    if (name === 'map_each' && first && this.isList(target, known)) {
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
