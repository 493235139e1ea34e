import type { Expression } from './ast.js';
import { ArgumentFault, bindArguments } from './arguments.js';
import { MappingError, placeOf, type TemplateFault } from './mapping-error.js';
import { ifCode, matchCode } from './compile-branches.js';
import {
  arithmeticOperators,
  checkedEarly,
  constantRun,
  failureOf,
  isConstant,
} from './fold-constants.js';
import { arithmetic, comparison, truth } from './operators.js';
import { functions, methods, refusedFunctions, refusedMethods, suggestName } from './registry.js';
import { type ArgumentCode, type Code, inContext, type Named } from './run.js';
import { LimitError, RunError } from './run-error.js';
import type { Method } from './specification.js';
import {
  clone,
  Deleted,
  getKey,
  keyReader,
  isNumber,
  Nothing,
  type ObjectValue,
  setKey,
  typeName,
  type Value,
} from './values.js';

interface Names {
  name: string;
  outer: Names | null;
}

/** More are not told at once. */
const mostFaults = 100;

/** Turns parsed expressions into closures, and gathers every fault on the way. */
export class ExpressionCompiler {
  private readonly faults: TemplateFault[] = [];

  constructor(private readonly source: string) {}

  /** @throws MappingError with all faults */
  protected finish(): void {
    if (this.faults.length > 0) throw new MappingError(this.faults, this.source);
  }

  protected fault(at: number, message: string, hinted?: () => string | undefined): void {
    if (this.faults.length >= mostFaults) return;
    const hint = hinted?.();
    this.faults.push({
      message,
      ...placeOf(this.source, at),
      ...(hint === undefined ? {} : { hint }),
    });
  }

  protected expression(expression: Expression, names: Names | null): Code {
    switch (expression.kind) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'this':
        return (_run, self) => self ?? null;
      case 'root':
        return (run) => run.root ?? null;
      case 'name':
        return this.name(expression.name, names);
      case 'variable': {
        const { name } = expression;
        return (run) => {
          const value = run.variables.get(name);
          if (value === undefined) throw new RunError(`variable '${name}' undefined`);
          return value;
        };
      }
      case 'metadata': {
        const { key } = expression;
        return key === undefined
          ? (run) => clone(run.metadata)
          : (run) => getKey(run.metadata, key);
      }
      case 'field':
        return this.field(expression, names);
      case 'scoped': {
        const target = this.expression(expression.target, names);
        const body = this.argument(expression.body, names);
        return (run, self, named) => body(run, target(run, self, named), self, named);
      }
      case 'not': {
        const operand = this.expression(expression.operand, names);
        return (run, self, named) => {
          const value = operand(run, self, named);
          if (typeof value !== 'boolean')
            throw new RunError(`expected bool value, got ${typeName(value)}`);
          return !value;
        };
      }
      case 'negate': {
        const operand = this.expression(expression.operand, names);
        return (run, self, named) => {
          const value = operand(run, self, named);
          if (!isNumber(value)) throw new RunError(`expected number value, got ${typeName(value)}`);
          return value === 0 ? 0 : -value;
        };
      }
      case 'array':
        return this.array(expression.items, names);
      case 'object':
        return this.object(expression.entries, names);
      case 'binary':
        return this.binary(expression, names);
      case 'lambda': {
        const code = this.argument(expression, names);
        return (run, self, named) => code(run, self, self, named);
      }
      case 'if':
        return this.if(expression, names);
      case 'match':
        return this.match(expression, names);
      case 'method':
        return this.method(expression, names);
      case 'function':
        return this.function(expression, names);
    }
  }

  /** A bare name: what a lambda named so, else a field of `this`. */
  private name(name: string, names: Names | null): Code {
    let steps = 0;
    for (let one = names; one !== null; one = one.outer, steps += 1) {
      if (one.name !== name) continue;
      if (steps === 0) return (_run, _self, named) => (named as Named).value;
      return (_run, _self, named) => {
        let found = named as Named;
        for (let step = 0; step < steps; step += 1) found = found.outer as Named;
        return found.value;
      };
    }
    const read = keyReader(name);
    return (_run, self) => read(self);
  }

  private field(expression: Extract<Expression, { kind: 'field' }>, names: Names | null): Code {
    const { name } = expression;
    const target = this.expression(expression.target, names);
    if (name === '*')
      return (run, self, named) => {
        const value = target(run, self, named);
        return Array.isArray(value) ? (value as Value[]) : getKey(value, name);
      };
    const read = keyReader(name);
    return (run, self, named) => read(target(run, self, named));
  }

  /** An expression that gets a `this` of its own; a lambda names it instead, and leaves `this` as it was. */
  private argument(expression: Expression, names: Names | null): ArgumentCode {
    if (expression.kind !== 'lambda') {
      const code = this.expression(expression, names);
      return (run, inner, _self, named) => code(run, inner, named);
    }
    const { parameter, body } = expression;
    if (parameter === '_') {
      const code = this.expression(body, names);
      return (run, _inner, self, named) => code(run, self, named);
    }
    const code = this.expression(body, { name: parameter, outer: names });
    return (run, inner, self, named) => code(run, self, { value: inner, outer: named });
  }

  private array(items: readonly Expression[], names: Names | null): Code {
    const codes = items.map((item) => this.expression(item, names));
    return (run, self, named) => {
      run.spend(codes.length);
      const result: Value[] = [];
      for (const code of codes) {
        const value = code(run, self, named);
        if (value !== Deleted && value !== Nothing) result.push(value);
      }
      return result;
    };
  }

  private object(
    entries: readonly { key: Expression; value: Expression }[],
    names: Names | null,
  ): Code {
    const codes = entries.map(({ key, value }) => {
      if (key.kind === 'literal' && typeof key.value !== 'string')
        this.fault(key.start, 'object keys must be strings');
      const plain =
        key.kind === 'literal' && key.value !== '__proto__' ? String(key.value) : undefined;
      return { plain, key: this.expression(key, names), value: this.expression(value, names) };
    });
    return (run, self, named) => {
      run.spend(codes.length);
      const result: ObjectValue = {};
      for (const { plain, key, value } of codes) {
        const name = plain ?? key(run, self, named);
        if (typeof name !== 'string')
          throw new RunError(`expected string value as object key, got ${typeName(name)}`);
        let inner: Value;
        try {
          inner = value(run, self, named);
        } catch (error) {
          throw inContext(error, `failed to resolve '${name}' value`);
        }
        if (inner === Deleted || inner === Nothing) continue;
        if (plain === undefined) setKey(result, name, inner);
        else result[plain] = inner;
      }
      return result;
    };
  }

  private binary(expression: Extract<Expression, { kind: 'binary' }>, names: Names | null): Code {
    const { operator } = expression;
    const left = this.expression(expression.left, names);
    const right = this.expression(expression.right, names);
    if (operator !== '|' && isConstant(expression.left) && isConstant(expression.right))
      return this.folded(expression, left, right);
    switch (operator) {
      case '|':
        return (run, self, named) => {
          let value: Value;
          try {
            value = left(run, self, named);
          } catch (error) {
            if (!(error instanceof RunError)) throw error;
            return right(run, self, named);
          }
          return value === null || value === undefined || typeof value === 'symbol'
            ? right(run, self, named)
            : value;
        };
      case '&&':
        return (run, self, named) =>
          truth(left(run, self, named)) && truth(right(run, self, named));
      case '||':
        return (run, self, named) =>
          truth(left(run, self, named)) || truth(right(run, self, named));
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return (run, self, named) =>
          arithmetic(operator, left(run, self, named), right(run, self, named), run);
      default:
        return (run, self, named) =>
          comparison(operator, left(run, self, named), right(run, self, named));
    }
  }

  /** An operation on literals is done now: what fails in it would fail in every run. */
  private folded(
    { operator, start }: Extract<Expression, { kind: 'binary' }>,
    left: Code,
    right: Code,
  ): Code {
    const run = constantRun();
    try {
      const [a, b] = [left(run, null, null), right(run, null, null)];
      const value =
        operator === '&&'
          ? truth(a) && truth(b)
          : operator === '||'
            ? truth(a) || truth(b)
            : operator in arithmeticOperators
              ? arithmetic(operator, a, b, run)
              : comparison(operator, a, b);
      return () => value;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.fault(start, error.message);
      return () => null;
    }
  }

  private if(expression: Extract<Expression, { kind: 'if' }>, names: Names | null): Code {
    const branches = expression.branches.map(({ condition, value }) => ({
      test: this.expression(condition, names),
      value: this.expression(value, names),
    }));
    const otherwise = expression.otherwise && this.expression(expression.otherwise, names);
    return ifCode(branches, otherwise);
  }

  private match(expression: Extract<Expression, { kind: 'match' }>, names: Names | null): Code {
    const subject = expression.subject && this.expression(expression.subject, names);
    const cases = expression.cases.map(({ test, value }) => ({
      literal: test?.kind === 'literal' ? { value: test.value } : undefined,
      test: test && this.argument(test, names),
      value: this.argument(value, names),
    }));
    return matchCode(subject, cases);
  }

  private method(expression: Extract<Expression, { kind: 'method' }>, names: Names | null): Code {
    const { name } = expression;
    const target = this.expression(expression.target, names);
    const at = expression.end;
    const method = methods.get(name);
    if (method === undefined) {
      const reason = refusedMethods[name];
      if (reason !== undefined) this.fault(at, `the method ${name} is not available: ${reason}`);
      else this.fault(at, `unrecognised method '${name}'`, () => suggestName(name, methods.keys()));
      return target;
    }
    const bound = this.bind(method, expression, names);
    if (name === 'catch') {
      return (run, self, named) => {
        try {
          return target(run, self, named);
        } catch (error) {
          if (!(error instanceof RunError)) throw error;
          return (bound(run, self, named)[0] as (inner: Value) => Value)(error.message);
        }
      };
    }
    if (name === 'or')
      return (run, self, named) => {
        const fallback = () => (bound(run, self, named)[0] as (inner: Value) => Value)(self);
        let value: Value;
        try {
          value = target(run, self, named);
        } catch (error) {
          if (!(error instanceof RunError)) throw error;
          return fallback();
        }
        return value === null || value === undefined || typeof value === 'symbol'
          ? fallback()
          : value;
      };
    if (['number', 'bool', 'timestamp'].includes(name) && expression.arguments.length > 0)
      return (run, self, named) => {
        const args = bound(run, self, named);
        try {
          return method.run(target(run, self, named), args, run);
        } catch (error) {
          if (!(error instanceof RunError)) throw error;
          return args[0];
        }
      };
    this.tryLiterals(method, expression, target, bound);
    return (run, self, named) => {
      run.spend(1);
      return method.run(target(run, self, named), bound(run, self, named), run);
    };
  }

  /** What literals make of a call is known now: whether its arguments fit, and of times, whether it succeeds. */
  private tryLiterals(
    { name, category, check, run: call }: Method,
    { target, arguments: given, end }: Extract<Expression, { kind: 'method' }>,
    code: Code,
    bound: ReturnType<typeof bindArguments>,
  ): void {
    if (this.faults.length > 0 || !given.every(({ value }) => isConstant(value))) return;
    const failure =
      category === 'time' && isConstant(target)
        ? failureOf((run) => call(code(run, null, null), bound(run, null, null), run))
        : check && failureOf((run) => check(bound(run, null, null)));
    if (failure !== undefined) this.fault(end, `${name}: ${failure}`);
  }

  private function(
    expression: Extract<Expression, { kind: 'function' }>,
    names: Names | null,
  ): Code {
    const { name } = expression;
    const found = functions.get(name);
    if (found === undefined) {
      const reason = refusedFunctions[name];
      if (reason !== undefined)
        this.fault(expression.end, `the function ${name} is not available: ${reason}`);
      else
        this.fault(expression.end, `unrecognised function '${name}'`, () =>
          suggestName(name, functions.keys()),
        );
      return () => null;
    }
    const before = this.faults.length;
    const bound = this.bind(found, expression, names);
    if (
      checkedEarly.has(name) &&
      this.faults.length === before &&
      expression.arguments.every(({ value }) => value.kind === 'literal')
    ) {
      try {
        found.run(bound(constantRun(), null, null), constantRun(), null);
      } catch (error) {
        if (error instanceof RunError) this.fault(expression.end, `${name}: ${error.message}`);
        // Which limits there are is known when it runs.
        else if (!(error instanceof LimitError)) throw error;
      }
    }
    return (run, self, named) => {
      run.spend(1);
      return found.run(bound(run, self, named), run, self);
    };
  }

  private bind(
    callable: Parameters<typeof bindArguments>[0],
    expression: Extract<Expression, { kind: 'method' | 'function' }>,
    names: Names | null,
  ): ReturnType<typeof bindArguments> {
    try {
      return bindArguments(callable, expression.arguments, (value) => this.argument(value, names));
    } catch (error) {
      if (!(error instanceof ArgumentFault)) throw error;
      this.fault(expression.end, `${callable.name}: ${error.message}`);
      return () => [];
    }
  }
}
