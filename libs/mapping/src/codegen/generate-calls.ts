import type { Argument, Expression } from '../language/ast.js';
import { placeArguments } from '../closures/arguments.js';
import { functions, methods } from '../methods/registry.js';
import type { Method, Parameter, ParameterType } from '../language/specification.js';
import { NotGenerated } from './emitter.js';
import type { Scope } from './generate-operators.js';
import { ValueGenerator } from './generate-values.js';
import { type Js, joined, js } from './javascript.js';
import { type Operand, operand } from './operand.js';

type MethodCall = Extract<Expression, { kind: 'method' }>;
type FunctionCall = Extract<Expression, { kind: 'function' }>;

/** Calls of methods and functions as they are; what is worth it is written in place by the next class. */
export abstract class CallGenerator extends ValueGenerator {
  protected method(expression: MethodCall, scope: Scope): Operand {
    const { name, target } = expression;
    const [first] = expression.arguments;
    if (name === 'catch' && first) return this.caughtBy(target, first.value, scope);
    if (name === 'or' && first)
      return this.alternative(target, scope, () => this.argument(first.value, scope.self, scope));
    if (['number', 'bool', 'timestamp'].includes(name) && first)
      return this.withDefault(expression, scope);
    this.pending += 1;
    const value = this.expression(target, scope);
    const inPlace = this.inPlace(expression, value, scope);
    if (inPlace !== undefined) return inPlace;
    return this.called(expression, value, scope);
  }

  /** The method written out; undefined where it is called. */
  protected abstract inPlace(
    expression: MethodCall,
    target: Operand,
    scope: Scope,
  ): Operand | undefined;

  protected called(expression: MethodCall, target: Operand, scope: Scope): Operand {
    const method = methodOf(expression.name);
    const given = this.arguments(method, expression.arguments, scope);
    const code = js`${this.constant(method)}.run(${target.code}, ${given}, run)`;
    return operand(this.call(code), 'any', 'perhaps');
  }

  /** The slow way of a method that is written in place. */
  protected seldomCalled(name: string, result: Js, target: Js, given: Js = js`[]`): void {
    this.seldom(result, js`${this.constant(methodOf(name))}.run(${target}, ${given}, run)`);
  }

  /** `number(0)`: what the target is no number for, and what it fails for, is the default. */
  private withDefault(expression: MethodCall, scope: Scope): Operand {
    const method = methodOf(expression.name);
    const given = this.temporary(this.arguments(method, expression.arguments, scope));
    const result = this.declare();
    this.attempt(
      () => {
        const { code } = this.expression(expression.target, scope);
        this.flush();
        this.throws = true;
        this.emit(js`${result} = ${this.constant(method)}.run(${code}, ${given}, run);`);
      },
      () => this.emit(js`${result} = ${given}[0];`),
      {},
    );
    return operand(result, 'any', 'perhaps');
  }

  protected functionCall({ name, arguments: given }: FunctionCall, scope: Scope): Operand {
    const found = functions.get(name);
    if (found === undefined) throw new NotGenerated(`there is no function ${name}`);
    this.pending += 1;
    if (name === 'deleted') return operand(js`Deleted`, 'any', 'likely');
    if (name === 'nothing') return this.nothing;
    const values = this.arguments(found, given, scope);
    const code = js`${this.constant(found)}.run(${values}, run, ${scope.self.code})`;
    return operand(this.call(code), 'any', 'perhaps');
  }

  /** The arguments of a call as an array. */
  private arguments(
    callable: { parameters?: readonly Parameter[]; variadic?: ParameterType },
    given: readonly Argument[],
    scope: Scope,
  ): Js {
    const slots = placeArguments(callable.parameters ?? [], callable.variadic, given);
    const codes = slots.map(({ parameter, value }) => this.slot(parameter, value, scope));
    return js`[${joined(codes, ', ')}]`;
  }

  private slot(parameter: Parameter, value: Expression | undefined, scope: Scope): Js {
    if (value === undefined)
      return parameter.default === undefined ? js`undefined` : this.literal(parameter.default).code;
    if (parameter.type === 'query') return this.query(value, scope);
    const { code } = this.expression(value, scope);
    const isChecked = value.kind === 'literal';
    if (isChecked || parameter.type === 'any' || parameter.type === 'timestamp') return code;
    this.flush();
    this.throws = true;
    this.emit(js`check(${this.constant(parameter)}, ${code});`);
    return code;
  }

  /** An argument that the method evaluates: a function of its own. */
  protected query(value: Expression, scope: Scope): Js {
    const inner = this.name('x');
    return this.function([inner], () => {
      const { code } = this.argument(value, operand(inner, 'any', 'perhaps'), scope);
      this.flush();
      this.emit(js`return ${code};`);
    });
  }
}

/** A method that is there: closures were made of the same template before. */
function methodOf(name: string): Method {
  const method = methods.get(name);
  if (method === undefined) throw new NotGenerated(`there is no method ${name}`);
  return method;
}
