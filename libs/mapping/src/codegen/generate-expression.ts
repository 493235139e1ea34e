import type { Expression } from '../language/ast.js';
import { foldConstant } from '../closures/compile.js';
import { isConstant, isMark } from '../closures/fold-constants.js';
import { standardEnvironment } from '../methods/standard-environment.js';
import {
  generateAlternative,
  generateCatch,
  generateIf,
  generateMatch,
} from './generate-branches.js';
import {
  generateConversion,
  generateFunctionCall,
  generateMethodCall,
  methodOf,
} from './generate-calls.js';
import { generateInPlace } from './generate-in-place.js';
import { generateBinary, generateNegation, generateNot } from './generate-operators.js';
import { generateArray, generateField, generateObject, literalOperand } from './generate-values.js';
import { generateArgument, type Generation, type Scope } from './generation.js';
import { js } from './javascript.js';
import { type Operand, operand } from './operand.js';

/** Generates code for an expression of any kind. */
export function generateExpression(
  generation: Generation,
  expression: Expression,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  switch (expression.kind) {
    case 'literal':
      return literalOperand(emitter, expression.value);
    case 'this': {
      const { self } = scope;
      return self.known === 'any' ? { ...self, code: js`(${self.code} ?? null)` } : self;
    }
    case 'root':
      return operand(emitter.temporary(js`run.root ?? null`), 'any', 'perhaps');
    case 'name':
      return generateName(generation, expression.name, scope);
    case 'variable':
      return generation.variable(expression.name);
    case 'metadata':
      return expression.key === undefined
        ? operand(emitter.temporary(js`metadataOf(run)`), 'object')
        : operand(emitter.temporary(js`metadata(run, ${emitter.constant(expression.key)})`));
    case 'field':
      return generateField(generation, expression, scope);
    case 'scoped': {
      const inner = generation.expression(expression.target, scope);
      return generateArgument(generation, expression.body, inner, scope);
    }
    case 'not':
      return generateNot(emitter, generation.expression(expression.operand, scope));
    case 'negate':
      return generateNegation(emitter, generation.expression(expression.operand, scope));
    case 'array':
      return generateArray(generation, expression.items, scope);
    case 'object':
      return generateObject(generation, expression.entries, scope);
    case 'binary':
      if (expression.operator === '|')
        return generateAlternative(generation, expression.left, scope, () =>
          generation.expression(expression.right, scope),
        );
      if ([expression.left, expression.right].every((one) => isConstant(one) || isMark(one)))
        return literalOperand(emitter, foldConstant(expression, generation.environment));
      return generateBinary(generation, expression, scope);
    case 'lambda':
      return generateArgument(generation, expression, scope.self, scope);
    case 'if':
      return generateIf(generation, expression, scope);
    case 'match':
      return generateMatch(generation, expression, scope);
    case 'method':
      return generateMethod(generation, expression, scope);
    case 'function':
      return generateFunctionCall(generation, expression, scope);
  }
}

function generateMethod(
  generation: Generation,
  expression: Extract<Expression, { kind: 'method' }>,
  scope: Scope,
): Operand {
  const { name, target } = expression;
  const [first] = expression.arguments;
  const method = methodOf(generation, name);
  if (name === 'catch' && first) return generateCatch(generation, target, first.value, scope);
  if (name === 'or' && first)
    return generateAlternative(generation, target, scope, () =>
      generateArgument(generation, first.value, scope.self, scope),
    );
  if (['number', 'bool', 'timestamp'].includes(name) && first)
    return generateConversion(generation, expression, scope);
  generation.emitter.pending += 1;
  const value = generation.expression(target, scope);
  // Another environment may have made a method of this one, with a function of its own.
  const isStandard = method === standardEnvironment.methods.get(name);
  const inPlace = isStandard
    ? generateInPlace(generation, method, expression, value, scope)
    : undefined;
  return inPlace ?? generateMethodCall(generation, expression, value, scope);
}

/** A bare name is what a lambda gave it to, or a field of `this`. */
function generateName(generation: Generation, name: string, scope: Scope): Operand {
  for (let one = scope.names; one !== null; one = one.outer)
    if (one.name === name) return one.value;
  const place = { start: 0, end: 0 };
  const target: Expression = { kind: 'this', ...place };
  return generateField(generation, { kind: 'field', target, name, ...place }, scope);
}
