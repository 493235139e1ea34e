// A second interpreter of the language, for tests alone: it walks the tree, copies every value it stores, knows no fuel, and says
// what the other two must say. Methods other than those that are written out in generated code are called as they are.
import type { Expression, Statement, Template } from '../../libs/mapping/src/language/ast.js';
import { placeArguments } from '../../libs/mapping/src/closures/arguments.js';
import { standardEnvironment } from '../../libs/mapping/src/methods/standard-environment.js';
import { type Run } from '../../libs/mapping/src/language/run.js';
import { RunError } from '../../libs/mapping/src/language/run-error.js';
import type { Parameter, ParameterType } from '../../libs/mapping/src/language/specification.js';
import { Deleted, Nothing, typeName, type Value } from '../../libs/mapping/src/language/values.js';
import {
  build,
  calculate,
  compare,
  copy,
  fieldsOf,
  holds,
  isSame,
  kindOf,
  read,
} from './values.js';
import { checkArgument, ownMethods } from './methods.js';

/** The values of names inside an expression. */
interface Around {
  self: Value;
  names: ReadonlyMap<string, Value>;
}

/** One body being run: its root and variables, and what all bodies share. */
class Body {
  root: Value = Nothing;
  variables = new Map<string, Value>();

  constructor(
    private readonly template: Template,
    private readonly run: Run,
    private readonly depth = 0,
  ) {}

  statements(statements: readonly Statement[], self: Value): void {
    for (const statement of statements) this.statement(statement, { self, names: new Map() });
  }

  private statement(statement: Statement, around: Around): void {
    if (statement.kind === 'if') return this.conditional(statement, around);
    const prefix = `failed assignment (line ${statement.line})`;
    const value = copy(within(prefix, () => this.value(statement.value, around)));
    if (value === Nothing) return;
    if (statement.kind === 'let') {
      if (value === Deleted) this.variables.delete(statement.name);
      else this.variables.set(statement.name, value);
    } else if (statement.kind === 'meta') this.setMetadata(statement.key, value, prefix);
    else
      within(prefix, () => {
        const path = statement.path.slice(1);
        this.root =
          value === Deleted ? removedOf(this.root, path) : placed(this.root, path, value, []);
      });
  }

  private setMetadata(key: string | undefined, value: Value, prefix: string): void {
    const { metadata } = this.run;
    if (key === undefined && value !== Deleted && kindOf(value) !== 'object')
      throw new RunError(
        `${prefix}: setting root meta object requires object value, received: ${typeName(value)}`,
      );
    const others = fieldsOf(metadata).filter(([name]) => key !== undefined && name !== key);
    const added =
      value === Deleted
        ? []
        : key === undefined
          ? fieldsOf(value)
          : ([[key, value]] satisfies [string, Value][]);
    this.run.metadata = build([...others, ...added]);
  }

  private conditional(statement: Extract<Statement, { kind: 'if' }>, around: Around): void {
    const prefix = `failed to check if condition (line ${statement.line})`;
    for (const { condition, body } of statement.branches) {
      const value = within(prefix, () => this.value(condition, around));
      if (typeof value !== 'boolean')
        throw new RunError(`${prefix}: resolved to a non-boolean value (${typeName(value)})`);
      if (value) return this.statements(body, around.self);
    }
    this.statements(statement.otherwise ?? [], around.self);
  }

  value(expression: Expression, around: Around): Value {
    const of = (one: Expression) => this.value(one, around);
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'this':
        return around.self ?? null;
      case 'root':
        return this.root ?? null;
      case 'name':
        return around.names.has(expression.name)
          ? around.names.get(expression.name)
          : read(around.self, expression.name);
      case 'variable': {
        const value = this.variables.get(expression.name);
        if (value === undefined) throw new RunError(`variable '${expression.name}' undefined`);
        return value;
      }
      case 'metadata':
        return expression.key === undefined
          ? copy(this.run.metadata)
          : read(this.run.metadata, expression.key);
      case 'field':
        return read(of(expression.target), expression.name);
      case 'scoped':
        return this.given(expression.body, of(expression.target), around);
      case 'lambda':
        return this.given(expression, around.self, around);
      case 'not': {
        const value = of(expression.operand);
        if (typeof value !== 'boolean')
          throw new RunError(`expected bool value, got ${typeName(value)}`);
        return !value;
      }
      case 'negate': {
        const value = of(expression.operand);
        if (kindOf(value) !== 'number')
          throw new RunError(`expected number value, got ${typeName(value)}`);
        if (typeof value === 'bigint' && value === -(2n ** 63n)) return value; // as 0 - value wraps
        return Number(value) === 0 ? 0 : -(value as number);
      }
      case 'array':
        return expression.items.map(of).filter((value) => kindOf(value) !== 'mark');
      case 'object':
        return build(expression.entries.flatMap((entry) => this.entry(entry, around)));
      case 'binary':
        return this.binary(expression, around);
      case 'if':
        return this.chosen(expression, around);
      case 'match':
        return this.matched(expression, around);
      case 'method':
        return this.method(expression, around);
      case 'function':
        return this.called(expression, around);
    }
  }

  /** An argument or body that is given a value: as its `this`, or by the name a lambda has for it. */
  private given(expression: Expression, inner: Value, around: Around): Value {
    if (expression.kind !== 'lambda') return this.value(expression, { ...around, self: inner });
    const { parameter, body } = expression;
    if (parameter === '_') return this.value(body, around);
    return this.value(body, { ...around, names: new Map([...around.names, [parameter, inner]]) });
  }

  private entry(
    { key, value }: { key: Expression; value: Expression },
    around: Around,
  ): [string, Value][] {
    const name = this.value(key, around);
    if (typeof name !== 'string')
      throw new RunError(`expected string value as object key, got ${typeName(name)}`);
    const made = within(`failed to resolve '${name}' value`, () => this.value(value, around));
    return kindOf(made) === 'mark' ? [] : [[name, made]];
  }

  private binary(
    { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
    around: Around,
  ): Value {
    const [a, b] = [() => this.value(left, around), () => this.value(right, around)];
    switch (operator) {
      case '|':
        return presentOr(a, b);
      case '&&':
        return holds(a()) && holds(b());
      case '||':
        return holds(a()) || holds(b());
      case '==':
        return isSame(a(), b());
      case '!=':
        return !isSame(a(), b());
      case '<':
        return compare(a(), b()) < 0;
      case '>':
        return compare(a(), b()) > 0;
      case '<=':
        return compare(a(), b()) <= 0;
      case '>=':
        return compare(a(), b()) >= 0;
      default:
        return calculate(operator, a(), b());
    }
  }

  private chosen(expression: Extract<Expression, { kind: 'if' }>, around: Around): Value {
    for (const { condition, value } of expression.branches) {
      const test = this.value(condition, around);
      if (test === true) return this.value(value, around);
      if (test !== false && test !== null)
        throw new RunError(`if condition resolved to a non-boolean value (${typeName(test)})`);
    }
    return expression.otherwise ? this.value(expression.otherwise, around) : Nothing;
  }

  private matched(
    { subject, cases }: Extract<Expression, { kind: 'match' }>,
    around: Around,
  ): Value {
    const inner = subject ? this.value(subject, around) : around.self;
    const found = cases.find(({ test }, index) => {
      if (test === undefined) return true;
      if (test.kind === 'literal')
        return isSame(test.value, inner) || (test.value === true && subject === undefined);
      const value = within(`failed to check match case ${index}`, () =>
        this.given(test, inner, around),
      );
      if (typeof value === 'boolean') return value;
      return subject !== undefined && isSame(value, inner);
    });
    return found ? this.given(found.value, inner, around) : Nothing;
  }

  private method(expression: Extract<Expression, { kind: 'method' }>, around: Around): Value {
    const { name } = expression;
    const target = () => this.value(expression.target, around);
    const [first] = expression.arguments;
    const method = standardEnvironment.methods.get(name);
    if (method === undefined) throw new Error(`no method ${name}`);
    if (first && name === 'catch')
      return caught(target, (message) => this.given(first.value, message, around));
    if (first && name === 'or')
      return presentOr(target, () => this.given(first.value, around.self, around));
    if (first && ['number', 'bool', 'timestamp'].includes(name)) {
      const given = this.arguments(method, expression, around);
      return caught(
        () => method.run(target(), given, this.run),
        () => given[0],
      );
    }
    const value = target();
    const given = this.arguments(method, expression, around);
    if (name === 'apply') return this.applied(given[0] as string, value);
    const own = ownMethods[name];
    return own ? own(value, given) : method.run(value, given, this.run);
  }

  private called(expression: Extract<Expression, { kind: 'function' }>, around: Around): Value {
    const { name } = expression;
    const found = standardEnvironment.functions.get(name);
    if (found === undefined) throw new Error(`no function ${name}`);
    const given = this.arguments(found, expression, around);
    if (name === 'var')
      return this.value({ kind: 'variable', name: given[0] as string, start: 0, end: 0 }, around);
    return found.run(given, this.run, around.self);
  }

  private arguments(
    callable: { parameters?: readonly Parameter[]; variadic?: ParameterType },
    expression: Extract<Expression, { kind: 'method' | 'function' }>,
    around: Around,
  ): Value[] {
    const { parameters = [], variadic } = callable;
    return placeArguments(parameters, variadic, expression.arguments).map(
      ({ parameter, value }) => {
        if (value === undefined) return parameter.default;
        if (parameter.type === 'query') return (inner: Value) => this.given(value, inner, around);
        const given = this.value(value, around);
        checkArgument(parameter, given);
        return given;
      },
    );
  }

  private applied(name: string, target: Value): Value {
    const map = this.template.maps.get(name);
    if (map === undefined) throw new RunError(`map ${name} was not found`);
    if (this.depth > 50) throw new TooDeep();
    const body = new Body(this.template, this.run, this.depth + 1);
    body.statements(map, target);
    return body.root;
  }
}

/** The oracle follows no recursion far. */
export class TooDeep extends Error {}

/** Runs a template. @throws RunError, and TooDeep where it gives no answer */
export function ask(template: Template, input: Value, run: Run): Value {
  const body = new Body(template, run);
  body.statements(template.statements, input);
  return body.root;
}

function within<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RunError ? new RunError(`${prefix}: ${error.message}`) : error;
  }
}

function caught(work: () => Value, fallback: (message: string) => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof RunError) return fallback(error.message);
    throw error;
  }
}

function presentOr(work: () => Value, fallback: () => Value): Value {
  const value = caught(work, () => null);
  return ['null', 'mark'].includes(kindOf(value)) ? fallback() : value;
}

/** Returns a value with another one put into it at a path. */
function placed(at: Value, path: readonly string[], value: Value, way: readonly string[]): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = (old: Value) => placed(old, rest, value, [...way, key]);
  if (Array.isArray(at)) {
    const list = at as Value[];
    if (/^\d+$/.test(key) && Number(key) <= list.length) {
      const index = Number(key);
      return [...list.slice(0, index), inner(list[index]), ...list.slice(index + 1)];
    }
    if (key === '-') return [...list, inner(undefined)];
    throw new RunError(`"${key}" is not an index of an array of ${list.length} elements`);
  }
  if (kindOf(at) === 'object')
    return build([...fieldsOf(at), [key, inner(fieldsOf(at).find(([name]) => name === key)?.[1])]]);
  if (kindOf(at) === 'null' || at === Nothing) return build([[key, inner(undefined)]]);
  throw new RunError(
    `unable to set target path ${[...way, ...path].join('.')} as the value of ${way.join('.') || 'root'} was a non-object type (${typeName(at)})`,
  );
}

/** Removing a field of a root that nothing was assigned to makes an object of it. */
function removedOf(root: Value, path: readonly string[]): Value {
  return root === Nothing && path.length > 0 ? {} : removed(root, path);
}

function removed(at: Value, path: readonly string[]): Value {
  const [key, ...rest] = path;
  if (key === undefined) return Deleted;
  if (Array.isArray(at)) {
    const index = /^\d+$/.test(key) ? Number(key) : -1;
    const list = at as Value[];
    if (rest.length === 0) return list.filter((_one, place) => place !== index);
    return list.map((one, place) => (place === index ? removed(one, rest) : one));
  }
  if (kindOf(at) !== 'object') return at;
  return build(
    fieldsOf(at).flatMap(([name, one]): [string, Value][] => {
      if (name !== key) return [[name, one]];
      return rest.length === 0 ? [] : [[name, removed(one, rest)]];
    }),
  );
}
