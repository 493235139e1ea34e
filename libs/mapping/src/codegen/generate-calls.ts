import type { Argument, Expression } from '../language/ast.js';
import { placeArguments } from '../closures/arguments.js';
import { type PreparedCall, prepareCall } from '../closures/prepare-call.js';
import type { Method, Parameter, ParameterType } from '../language/specification.js';
import { textOf } from '../methods/text.js';
import { type Emitter, NotGenerated } from './emitter.js';
import { literalOperand } from './generate-values.js';
import { generateArgument, type Generation, type Scope } from './generation.js';
import { type Js, joined, js } from './javascript.js';
import { nothingOperand, type Operand, operand } from './operand.js';

type MethodCall = Extract<Expression, { kind: 'method' }>;
type FunctionCall = Extract<Expression, { kind: 'function' }>;

/** A call of a method as it is. */
export function generateMethodCall(
  generation: Generation,
  expression: MethodCall,
  target: Operand,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const method = methodOf(generation, expression.name);
  const prepared = prepareCall(method, expression);
  const given =
    prepared?.args === undefined
      ? generateArguments(generation, method, expression.arguments, scope)
      : emitter.constant(prepared.args);
  if (isLight(prepared, expression.arguments)) generateNullFailure(emitter, method, target);
  const code = js`${emitter.constant(prepared ?? method)}.run(${target.code}, ${given}, run)`;
  return operand(emitter.call(code), 'any', 'perhaps');
}

/** Literals that are shorter cost nothing to walk. */
const maxFreeLength = 60;

/** True for a call whose arguments can neither fail nor cost anything. */
function isLight(prepared: PreparedCall | undefined, given: readonly Argument[]): boolean {
  if (given.length === 0) return true;
  return (
    prepared?.args?.every((one) => one === undefined || textOf(one).length <= maxFreeLength) ===
    true
  );
}

/** Where the failure is caught in the same function, null is what most calls fail for: it goes there without a throw. */
function generateNullFailure(emitter: Emitter, { cost, expects }: Method, { code }: Operand) {
  if (expects === undefined || emitter.handler === undefined) return;
  const { pending } = emitter;
  emitter.emit(js`if (${code} === null) {`);
  emitter.pending += cost.steps;
  emitter.fail(() => js`wrongType(${emitter.constant(expects)}, ${code})`);
  emitter.pending = pending;
  emitter.emit(js`}`);
}

/** The slow way of a method that is written in place. */
export function callSeldom(
  generation: Generation,
  name: string,
  result: Js,
  target: Js,
  given: Js = js`[]`,
): void {
  const { emitter } = generation;
  emitter.seldom(
    result,
    js`${emitter.constant(methodOf(generation, name))}.run(${target}, ${given}, run)`,
  );
}

/** `number(0)`: the default stands in for a target that fails, or that is not a number. */
export function generateConversion(
  generation: Generation,
  expression: MethodCall,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const method = methodOf(generation, expression.name);
  const given = emitter.temporary(
    generateArguments(generation, method, expression.arguments, scope),
  );
  const result = emitter.declare();
  emitter.attempt(
    () => {
      const { code } = generation.expression(expression.target, scope);
      emitter.flush();
      emitter.throws = true;
      emitter.emit(js`${result} = ${emitter.constant(method)}.run(${code}, ${given}, run);`);
    },
    () => emitter.emit(js`${result} = ${given}[0];`),
    {},
  );
  return operand(result, 'any', 'perhaps');
}

export function generateFunctionCall(
  generation: Generation,
  { name, arguments: given }: FunctionCall,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const found = generation.environment.functions.get(name);
  if (found === undefined) throw new NotGenerated(`there is no function ${name}`);
  emitter.pending += 1;
  if (name === 'deleted') return operand(js`Deleted`, 'any', 'likely');
  if (name === 'nothing') return nothingOperand;
  const values = generateArguments(generation, found, given, scope);
  const code = js`${emitter.constant(found)}.run(${values}, run, ${scope.self.code})`;
  return operand(emitter.call(code), 'any', 'perhaps');
}

/** The arguments of a call as an array. */
export function generateArguments(
  generation: Generation,
  callable: { parameters?: readonly Parameter[]; variadic?: ParameterType },
  given: readonly Argument[],
  scope: Scope,
): Js {
  const slots = placeArguments(callable.parameters ?? [], callable.variadic, given);
  const codes = slots.map(({ parameter, value }) =>
    generateSlot(generation, parameter, value, scope),
  );
  return js`[${joined(codes, ', ')}]`;
}

function generateSlot(
  generation: Generation,
  parameter: Parameter,
  value: Expression | undefined,
  scope: Scope,
): Js {
  const { emitter } = generation;
  if (value === undefined)
    return parameter.default === undefined
      ? js`undefined`
      : literalOperand(emitter, parameter.default).code;
  if (parameter.type === 'query') return generateQueryArgument(generation, value, scope);
  const { code } = generation.expression(value, scope);
  const isChecked = value.kind === 'literal';
  if (isChecked || parameter.type === 'any' || parameter.type === 'timestamp') return code;
  emitter.flush();
  emitter.throws = true;
  emitter.emit(js`check(${emitter.constant(parameter)}, ${code});`);
  return code;
}

/** An argument that the method evaluates: a function of its own. */
function generateQueryArgument(generation: Generation, value: Expression, scope: Scope): Js {
  const { emitter } = generation;
  const inner = emitter.name('x');
  return emitter.function([inner], () => {
    const { code } = generateArgument(generation, value, operand(inner, 'any', 'perhaps'), scope);
    emitter.flush();
    emitter.emit(js`return ${code};`);
  });
}

/** Finds a method; closures were made of the same template in the same environment before. @throws NotGenerated */
export function methodOf({ environment }: Generation, name: string): Method {
  const method = environment.methods.get(name);
  if (method === undefined) throw new NotGenerated(`there is no method ${name}`);
  return method;
}
