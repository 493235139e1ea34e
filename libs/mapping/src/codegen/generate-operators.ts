import type { BinaryOperator, Expression } from '../language/ast.js';
import { maxSmallText } from '../language/run.js';
import { maxCheapText } from '../language/values.js';
import { Emitter } from './emitter.js';
import { type Js, js } from './javascript.js';
import { type Operand, operand } from './operand.js';

/** Where an expression stands: what `this` is, and what lambdas named. */
export interface Scope {
  self: Operand;
  names: { name: string; value: Operand; outer: Scope['names'] } | null;
}

/** Comparing with it takes no time worth counting. */
function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= maxCheapText;
}

type Binary = Extract<Expression, { kind: 'binary' }>;

/** Arithmetic, comparison and logic: the common types in place, the others by the functions that the closures use. */
export abstract class OperatorGenerator extends Emitter {
  abstract expression(expression: Expression, scope: Scope): Operand;

  protected binary(expression: Binary, scope: Scope): Operand {
    const { operator } = expression;
    switch (operator) {
      case '|':
        return this.alternative(expression.left, scope, () =>
          this.expression(expression.right, scope),
        );
      case '&&':
      case '||':
        return this.logic(expression, scope);
      case '+':
      case '-':
      case '*':
      case '/':
      case '%': {
        const left = this.expression(expression.left, scope);
        return this.arithmetic(operator, left, this.expression(expression.right, scope));
      }
      default: {
        const left = this.expression(expression.left, scope);
        const right = this.expression(expression.right, scope);
        if (operator === '==') return this.equality(left, right);
        if (operator === '!=') {
          const { code } = this.equality(left, right);
          return operand(this.temporary(js`!${code}`), 'bool');
        }
        return this.order(operator, left, right);
      }
    }
  }

  /** `a | b` and `a.or(b)`: b for what fails, is null, or is a mark. */
  protected abstract alternative(left: Expression, scope: Scope, right: () => Operand): Operand;

  private logic(expression: Binary, scope: Scope): Operand {
    const result = this.declare();
    this.truth(result, this.expression(expression.left, scope));
    this.emit(expression.operator === '&&' ? js`if (${result}) {` : js`if (!${result}) {`);
    const { pending } = this;
    this.truth(result, this.expression(expression.right, scope));
    this.settle(pending);
    this.emit(js`}`);
    return operand(result, 'bool');
  }

  private truth(result: Js, { code, known }: Operand): void {
    this.emit(js`${result} = ${code};`);
    if (known === 'bool') return;
    this.emit(js`if (${result} !== true && ${result} !== false) {`);
    this.seldom(result, js`truth(${result})`);
    this.emit(js`}`);
  }

  private arithmetic(operator: BinaryOperator, a: Operand, b: Operand): Operand {
    const result = this.declare();
    const isOf = (type: 'string' | 'number') =>
      [a, b].every(({ known }) => known === 'any' || known === type);
    if (operator === '+' && isOf('string')) {
      const length = this.declare();
      this.emit(
        js`if (typeof ${a.code} === "string" && typeof ${b.code} === "string" && (${length} = ${a.code}.length + ${b.code}.length) <= run.limits.stringLength) {`,
      );
      this.emit(
        js`if (${length} > 15) { if ((run.fuel -= ${length} >> 4) < 0) exhausted(run); if (${length} > ${maxSmallText}) run.holdText(${length}); } ${result} = ${a.code} + ${b.code};`,
      );
      this.emit(js`} else`);
    }
    const quick = isOf('number') ? this.quickly(operator, result, a.code, b.code) : undefined;
    if (quick !== undefined)
      this.emit(
        js`if (!(typeof ${a.code} === "number" && typeof ${b.code} === "number" && ${quick}))`,
      );
    this.emit(js`{`);
    this.seldom(result, js`arithmetic(${this.constant(operator)}, ${a.code}, ${b.code}, run)`);
    this.emit(js`}`);
    const known = a.known === b.known && (a.known === 'string' || a.known === 'number');
    return operand(result, known ? a.known : 'any');
  }

  /** A condition that sets the result where plain numbers are right. */
  private quickly(operator: BinaryOperator, result: Js, a: Js, b: Js): Js {
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
  protected equality(a: Operand, b: Operand): Operand {
    const literal = b.constant?.value;
    if (isShortText(a.constant?.value) || isShortText(literal) || typeof literal === 'boolean')
      return this.bool(js`${a.code} === ${b.code}`);
    if (b.constant !== undefined && literal === null)
      return this.bool(js`${a.code} === null || ${a.code} === undefined`);
    if (a.constant?.value === null && a.constant !== undefined)
      return this.bool(js`${b.code} === null || ${b.code} === undefined`);
    return this.bool(
      js`typeof ${a.code} === "string" && ${a.code}.length <= ${maxCheapText} ? ${a.code} === ${b.code} : (typeof ${a.code} === "number" && ${a.code} === ${b.code}) || equal(${a.code}, ${b.code})`,
    );
  }

  private order(operator: BinaryOperator, a: Operand, b: Operand): Operand {
    const result = this.declare();
    const quick = {
      '<': js`${a.code} < ${b.code}`,
      '>': js`${a.code} > ${b.code}`,
      // What is no number is neither above nor below another.
      '<=': js`!(${a.code} > ${b.code})`,
      '>=': js`!(${a.code} < ${b.code})`,
    }[operator as '<'];
    this.emit(
      js`if (typeof ${a.code} === "number" && typeof ${b.code} === "number") ${result} = ${quick}; else {`,
    );
    this.seldom(result, js`comparison(${this.constant(operator)}, ${a.code}, ${b.code})`);
    this.emit(js`}`);
    return operand(result, 'bool');
  }

  protected not(value: Operand): Operand {
    if (value.known !== 'bool') {
      this.emit(js`if (typeof ${value.code} !== "boolean") {`);
      this.fail(() => js`notBool(${value.code})`);
      this.emit(js`}`);
    }
    return this.bool(js`!${value.code}`);
  }

  protected negate(value: Operand): Operand {
    const result = this.declare();
    this.emit(
      js`if (typeof ${value.code} === "number") ${result} = ${value.code} === 0 ? 0 : -${value.code}; else {`,
    );
    this.seldom(result, js`negated(${value.code})`);
    this.emit(js`}`);
    return operand(result);
  }

  private bool(code: Js): Operand {
    return operand(this.temporary(code), 'bool');
  }
}
