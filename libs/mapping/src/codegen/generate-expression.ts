import type { Expression } from '../language/ast.js';
import { isConstant } from '../closures/fold-constants.js';
import { MethodGenerator } from './generate-methods.js';
import type { Scope } from './generate-operators.js';
import { js } from './javascript.js';
import { type Operand, operand } from './operand.js';

/** Every kind of expression as code. */
export abstract class ExpressionGenerator extends MethodGenerator {
  override expression(expression: Expression, scope: Scope): Operand {
    switch (expression.kind) {
      case 'literal':
        return this.literal(expression.value);
      case 'this': {
        const { self } = scope;
        return self.known === 'any' ? { ...self, code: js`(${self.code} ?? null)` } : self;
      }
      case 'root':
        return operand(this.temporary(js`run.root ?? null`), 'any', 'perhaps');
      case 'name':
        return this.named(expression.name, scope);
      case 'variable':
        return this.variable(expression.name);
      case 'metadata':
        return expression.key === undefined
          ? operand(this.temporary(js`metadataOf(run)`), 'object')
          : operand(this.temporary(js`metadata(run, ${this.constant(expression.key)})`));
      case 'field':
        return this.field(expression, scope);
      case 'scoped':
        return this.argument(expression.body, this.expression(expression.target, scope), scope);
      case 'not':
        return this.not(this.expression(expression.operand, scope));
      case 'negate':
        return this.negate(this.expression(expression.operand, scope));
      case 'array':
        return this.array(expression.items, scope);
      case 'object':
        return this.object(expression.entries, scope);
      case 'binary':
        if (
          isConstant(expression.left) &&
          isConstant(expression.right) &&
          expression.operator !== '|'
        )
          return this.literal(this.folded(expression));
        return this.binary(expression, scope);
      case 'lambda':
        return this.argument(expression, scope.self, scope);
      case 'if':
        return this.if(expression, scope);
      case 'match':
        return this.match(expression, scope);
      case 'method':
        return this.method(expression, scope);
      case 'function':
        return this.functionCall(expression, scope);
    }
  }

  /** What an operation on literals gives. */
  protected abstract readonly folded: (expression: Expression) => unknown;

  /** The value of a `let`. */
  protected abstract variable(name: string): Operand;

  /** A bare name: what a lambda named so, else a field of `this`. */
  private named(name: string, scope: Scope): Operand {
    for (let one = scope.names; one !== null; one = one.outer)
      if (one.name === name) return one.value;
    const { start, end } = { start: 0, end: 0 };
    return this.field(
      { kind: 'field', target: { kind: 'this', start, end }, name, start, end },
      scope,
    );
  }
}
