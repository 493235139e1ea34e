import type { BinaryOperator, Expression } from '../language/ast.js';
import { maxSmallText } from '../language/run.js';
import { maxCheapText } from '../language/values.js';
import type { Emitter } from './emitter.js';
import type { Generation, Scope } from './generation.js';
import { type Js, js } from './javascript.js';
import { type Operand, operand } from './operand.js';

/** Comparing with it takes no time worth counting. */
function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= maxCheapText;
}

// Arithmetic, comparison and logic: the common types in place, the others by the functions that closures use.

type Binary = Extract<Expression, { kind: 'binary' }>;

export function generateBinary(generation: Generation, expression: Binary, scope: Scope): Operand {
  const { emitter } = generation;
  const { operator } = expression;
  switch (operator) {
    case '&&':
    case '||':
      return generateLogic(generation, expression, scope);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      const left = generation.expression(expression.left, scope);
      return generateArithmetic(
        emitter,
        operator,
        left,
        generation.expression(expression.right, scope),
      );
    }
    default: {
      const left = generation.expression(expression.left, scope);
      const right = generation.expression(expression.right, scope);
      if (operator === '==') return generateEquality(emitter, left, right);
      if (operator === '!=') {
        const { code } = generateEquality(emitter, left, right);
        return operand(emitter.temporary(js`!${code}`), 'bool');
      }
      return generateOrder(emitter, operator, left, right);
    }
  }
}

function generateLogic(generation: Generation, expression: Binary, scope: Scope): Operand {
  const { emitter } = generation;
  const result = emitter.declare();
  generateTruth(emitter, result, generation.expression(expression.left, scope));
  emitter.emit(expression.operator === '&&' ? js`if (${result}) {` : js`if (!${result}) {`);
  const { pending } = emitter;
  generateTruth(emitter, result, generation.expression(expression.right, scope));
  emitter.settle(pending);
  emitter.emit(js`}`);
  return operand(result, 'bool');
}

function generateTruth(emitter: Emitter, result: Js, { code, known }: Operand): void {
  emitter.emit(js`${result} = ${code};`);
  if (known === 'bool') return;
  emitter.emit(js`if (${result} !== true && ${result} !== false) {`);
  emitter.seldom(result, js`truth(${result})`);
  emitter.emit(js`}`);
}

function generateArithmetic(
  emitter: Emitter,
  operator: BinaryOperator,
  a: Operand,
  b: Operand,
): Operand {
  const result = emitter.declare();
  const isOf = (type: 'string' | 'number') =>
    [a, b].every(({ known }) => known === 'any' || known === type);
  if (operator === '+' && isOf('string')) {
    const length = emitter.declare();
    emitter.emit(
      js`if (typeof ${a.code} === "string" && typeof ${b.code} === "string" && (${length} = ${a.code}.length + ${b.code}.length) <= run.limits.stringLength) {`,
    );
    emitter.emit(
      js`if (${length} > 15) { if ((run.fuel -= ${length} >> 4) < 0) exhausted(run); if (${length} > ${maxSmallText}) run.holdText(${length}); } ${result} = ${a.code} + ${b.code};`,
    );
    emitter.emit(js`} else`);
  }
  const quick = isOf('number') ? quickArithmetic(operator, result, a.code, b.code) : undefined;
  if (quick !== undefined)
    emitter.emit(
      js`if (!(typeof ${a.code} === "number" && typeof ${b.code} === "number" && ${quick}))`,
    );
  emitter.emit(js`{`);
  emitter.seldom(result, js`arithmetic(${emitter.constant(operator)}, ${a.code}, ${b.code}, run)`);
  emitter.emit(js`}`);
  const known = a.known === b.known && (a.known === 'string' || a.known === 'number');
  return operand(result, known ? a.known : 'any');
}

/** A condition that sets the result where plain numbers are right. */
function quickArithmetic(operator: BinaryOperator, result: Js, a: Js, b: Js): Js {
  const exact = (value: Js) =>
    js`(isSafeInteger(${result} = ${value}) || !isSafeInteger(${a}) || !isSafeInteger(${b}))`;
  switch (operator) {
    case '+':
      return exact(js`${a} + ${b}`);
    case '-':
      return exact(js`${a} - ${b}`);
    case '*':
      return exact(js`${a} * ${b}`);
    case '/':
      return js`${b} !== 0 && ((${result} = ${a} / ${b}), true)`;
    default:
      return js`isSafeInteger(${a}) && isSafeInteger(${b}) && ${b} !== 0 && ((${result} = ${a} % ${b} + 0), true)`;
  }
}

/** Deep equality; literals say how much of it is needed. */
export function generateEquality(emitter: Emitter, a: Operand, b: Operand): Operand {
  const literal = b.constant?.value;
  if (typeof literal === 'boolean') return boolOperand(emitter, js`${a.code} === ${b.code}`);
  if (isShortText(a.constant?.value) || isShortText(literal)) {
    const other = isShortText(literal) ? a : b;
    // Bytes can equal a text.
    return boolOperand(
      emitter,
      js`${a.code} === ${b.code} || (typeof ${other.code} === "object" && equal(${a.code}, ${b.code}))`,
    );
  }
  if (b.constant !== undefined && literal === null)
    return boolOperand(emitter, js`${a.code} === null || ${a.code} === undefined`);
  if (a.constant?.value === null && a.constant !== undefined)
    return boolOperand(emitter, js`${b.code} === null || ${b.code} === undefined`);
  return boolOperand(
    emitter,
    js`typeof ${a.code} === "string" && typeof ${b.code} !== "object" && ${a.code}.length <= ${maxCheapText} ? ${a.code} === ${b.code} : (typeof ${a.code} === "number" && ${a.code} === ${b.code}) || equal(${a.code}, ${b.code})`,
  );
}

function generateOrder(
  emitter: Emitter,
  operator: BinaryOperator,
  a: Operand,
  b: Operand,
): Operand {
  const result = emitter.declare();
  const quick = {
    '<': js`${a.code} < ${b.code}`,
    '>': js`${a.code} > ${b.code}`,
    // NaN is neither above nor below another number.
    '<=': js`!(${a.code} > ${b.code})`,
    '>=': js`!(${a.code} < ${b.code})`,
  }[operator as '<'];
  emitter.emit(
    js`if (typeof ${a.code} === "number" && typeof ${b.code} === "number") ${result} = ${quick}; else {`,
  );
  emitter.seldom(result, js`comparison(${emitter.constant(operator)}, ${a.code}, ${b.code})`);
  emitter.emit(js`}`);
  return operand(result, 'bool');
}

export function generateNot(emitter: Emitter, value: Operand): Operand {
  if (value.known !== 'bool') {
    emitter.emit(js`if (typeof ${value.code} !== "boolean") {`);
    emitter.fail(() => js`notBool(${value.code})`);
    emitter.emit(js`}`);
  }
  return boolOperand(emitter, js`!${value.code}`);
}

export function generateNegation(emitter: Emitter, value: Operand): Operand {
  const result = emitter.declare();
  emitter.emit(
    js`if (typeof ${value.code} === "number") ${result} = ${value.code} === 0 ? 0 : -${value.code}; else {`,
  );
  emitter.seldom(result, js`negate(${value.code})`);
  emitter.emit(js`}`);
  return operand(result);
}

function boolOperand(emitter: Emitter, code: Js): Operand {
  return operand(emitter.temporary(code), 'bool');
}
