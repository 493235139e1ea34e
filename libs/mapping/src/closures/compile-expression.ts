import type { Expression } from '../language/ast.js';
import { ArgumentFault, bindArguments, signatureOf } from './arguments.js';
import { MappingError, placeOf, type TemplateFault } from '../language/mapping-error.js';
import { ifCode, matchCode } from './compile-branches.js';
import { fallbackCode } from './compile-fallbacks.js';
import { arrayCode, objectCode } from './compile-literals.js';
import { binaryCode, foldBinary, negateCode, notCode } from './compile-operators.js';
import { checkedEarly, failureOf, isConstant, isMark } from './fold-constants.js';
import type { Environment } from '../language/environment.js';
import { remedyForName } from '../language/remedies.js';
import { suggestName } from '../language/suggest-name.js';
import type { ArgumentCode, Code, Named } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Method } from '../language/specification.js';
import { clone, getKey, keyReader, type Value } from '../language/values.js';
import { prepareCall } from './prepare-call.js';

interface Names {
  name: string;
  outer: Names | null;
}

/** Maximum number of faults that are reported at once. */
const maxFaults = 100;

/** Turns parsed expressions into closures, and gathers every fault on the way. */
export class ExpressionCompiler {
  private readonly faults: TemplateFault[] = [];

  constructor(
    private readonly source: string,
    private readonly environment: Environment,
  ) {}

  /** @throws MappingError with all faults */
  protected finish(): void {
    if (this.faults.length > 0) throw new MappingError(this.faults, this.source);
  }

  protected fault(at: number, message: string, hinted?: () => string | undefined): void {
    if (this.faults.length >= maxFaults) return;
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
      case 'not':
        return notCode(this.expression(expression.operand, names));
      case 'negate':
        return negateCode(this.expression(expression.operand, names));
      case 'array':
        return arrayCode(expression.items.map((item) => this.expression(item, names)));
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
    return objectCode(codes);
  }

  private binary(expression: Extract<Expression, { kind: 'binary' }>, names: Names | null): Code {
    const { operator } = expression;
    const left = this.expression(expression.left, names);
    const right = this.expression(expression.right, names);
    const operands = [expression.left, expression.right];
    if (operator === '|' || !operands.every((one) => isConstant(one) || isMark(one)))
      return binaryCode(operator, left, right);
    // An operation on literals is done now.
    try {
      const value = foldBinary(operator, left, right);
      return () => value;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.fault(expression.start, error.message, () =>
        /types/.test(error.message) ? 'Convert one of them, by .string() or .number().' : undefined,
      );
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
    const method = this.environment.methods.get(name);
    if (method === undefined) {
      this.unknown('method', name, expression.end);
      return target;
    }
    this.checkInstalled(method, expression.end);
    const bound = this.bind(method, expression, names);
    const fallback = fallbackCode(method, target, bound, expression.arguments.length > 0);
    if (fallback !== undefined) return fallback;
    this.tryLiterals(method, expression, target, bound);
    const prepared = this.faults.length > 0 ? undefined : prepareCall(method, expression);
    if (prepared !== undefined) {
      const { run: call, args } = prepared;
      return args === undefined
        ? (run, self, named) => {
            run.spend(1);
            return call(target(run, self, named), bound(run, self, named), run);
          }
        : (run, self, named) => {
            run.spend(1);
            return call(target(run, self, named), args, run);
          };
    }
    return (run, self, named) => {
      run.spend(1);
      return method.run(target(run, self, named), bound(run, self, named), run);
    };
  }

  private checkInstalled({ name, needs }: Method, at: number): void {
    if (needs === undefined || needs.isInstalled()) return;
    this.fault(
      at,
      `the method ${name} needs the package ${needs.name}, which is not installed`,
      () => `Install it: ${needs.install}`,
    );
  }

  /** Reports now what would fail in every run: literal arguments that do not fit, and calls on literal times that fail. */
  private tryLiterals(
    method: Method,
    { target, arguments: given, end }: Extract<Expression, { kind: 'method' }>,
    code: Code,
    bound: ReturnType<typeof bindArguments>,
  ): void {
    const { name, category, check, run: call } = method;
    if (this.faults.length > 0 || !given.every(({ value }) => isConstant(value))) return;
    const failure =
      category === 'time' && isConstant(target)
        ? failureOf((run) => call(code(run, null, null), bound(run, null, null), run))
        : check && failureOf((run) => check(bound(run, null, null)));
    if (failure !== undefined)
      this.fault(end, `${name}: ${failure}`, () =>
        failure.includes('regular expression')
          ? 'Regular expressions are those of RE2: without lookaround and backreferences, and every ( is closed.'
          : `Write ${signatureOf(method, true)}.`,
      );
  }

  private function(
    expression: Extract<Expression, { kind: 'function' }>,
    names: Names | null,
  ): Code {
    const { name } = expression;
    const found = this.environment.functions.get(name);
    if (found === undefined) {
      this.unknown('function', name, expression.end);
      return () => null;
    }
    const before = this.faults.length;
    const bound = this.bind(found, expression, names);
    if (
      checkedEarly.has(name) &&
      this.faults.length === before &&
      expression.arguments.every(({ value }) => value.kind === 'literal')
    ) {
      const failure = failureOf((run) => found.run(bound(run, null, null), run, null));
      if (failure !== undefined) this.fault(expression.end, `${name}: ${failure}`);
    }
    return (run, self, named) => {
      run.spend(1);
      return found.run(bound(run, self, named), run, self);
    };
  }

  private unknown(kind: 'method' | 'function', name: string, at: number): void {
    const { methods, functions, refusedMethods, refusedFunctions } = this.environment;
    const known = kind === 'method' ? methods : functions;
    const refused = kind === 'method' ? refusedMethods : refusedFunctions;
    const reason = Object.hasOwn(refused, name) ? refused[name] : undefined;
    if (reason === undefined)
      this.fault(
        at,
        `unrecognised ${kind} '${name}'`,
        () => remedyForName(name) ?? this.asMethod(kind, name) ?? suggestName(name, known.keys()),
      );
    else
      this.fault(
        at,
        `the ${kind} ${name} is not available: ${reason}`,
        () => 'A template has its input, this, and its metadata, @name.',
      );
  }

  /** The remedy for `length(x)`, which is a method here. */
  private asMethod(kind: 'method' | 'function', name: string): string | undefined {
    const method = kind === 'function' ? this.environment.methods.get(name) : undefined;
    return method && `Write x${signatureOf(method, true)}.`;
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
      this.fault(
        expression.end,
        `${callable.name}: ${error.message}`,
        () => `Write ${signatureOf(callable, expression.kind === 'method')}.`,
      );
      return () => [];
    }
  }
}
