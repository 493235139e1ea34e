import type { Expression } from '../language/ast.js';
import { OperatorGenerator, type Scope } from './generate-operators.js';
import { type Js, js } from './javascript.js';
import {
  eitherKnown,
  type Known,
  type Marked,
  moreMarked,
  type Operand,
  operand,
} from './operand.js';

/** Gathers the ways to one value. */
class Joined {
  private known: Known | undefined;
  private marked: Marked = 'never';

  constructor(readonly code: Js) {}

  add({ known, marked }: Operand): void {
    this.known = this.known === undefined ? known : eitherKnown(this.known, known);
    this.marked = moreMarked(this.marked, marked);
  }

  get operand(): Operand {
    return operand(this.code, this.known ?? 'any', this.marked);
  }
}

/** Everything that takes one of several ways: `if`, `match`, and what stands in for failures. */
export abstract class BranchGenerator extends OperatorGenerator {
  protected readonly nothing: Operand = operand(js`Nothing`, 'any', 'likely');

  /** An argument that gets a `this` of its own; a lambda names it instead. */
  protected argument(expression: Expression, inner: Operand, scope: Scope): Operand {
    if (expression.kind !== 'lambda')
      return this.expression(expression, { self: inner, names: scope.names });
    const { parameter, body } = expression;
    if (parameter === '_') return this.expression(body, scope);
    return this.expression(body, {
      self: scope.self,
      names: { name: parameter, value: inner, outer: scope.names },
    });
  }

  protected override alternative(left: Expression, scope: Scope, right: () => Operand): Operand {
    const joined = new Joined(this.declare());
    let first: Operand | undefined;
    this.attempt(
      () => {
        first = this.expression(left, scope);
        this.emit(js`${joined.code} = ${first.code};`);
      },
      () => this.take(joined, right()),
      { accepted: () => present(joined.code, first) },
    );
    if (first) joined.add({ ...first, marked: 'never' });
    return joined.operand;
  }

  protected caughtBy(target: Expression, fallback: Expression, scope: Scope): Operand {
    const joined = new Joined(this.declare());
    const message = isSilent(fallback) ? undefined : this.declare();
    const inner = operand(message ?? js`null`, 'string');
    this.attempt(
      () => this.take(joined, this.expression(target, scope)),
      () => this.take(joined, this.argument(fallback, inner, scope)),
      { message },
    );
    return joined.operand;
  }

  protected if(expression: Extract<Expression, { kind: 'if' }>, scope: Scope): Operand {
    const joined = new Joined(this.declare());
    const label = this.name('S');
    this.emit(js`${label}: {`);
    const { pending } = this;
    for (const { condition, value } of expression.branches) {
      const test = this.expression(condition, scope);
      this.emit(js`if (${test.code} === true) {`);
      this.arm(label, pending, () => this.take(joined, this.expression(value, scope)));
      this.emit(js`}`);
      if (test.known === 'bool') continue;
      this.emit(js`if (${test.code} !== false && ${test.code} !== null) {`);
      this.fail(() => js`notCondition(${test.code})`);
      this.emit(js`}`);
    }
    const { otherwise } = expression;
    this.take(joined, otherwise ? this.expression(otherwise, scope) : this.nothing);
    this.settle(pending);
    this.emit(js`}`);
    return joined.operand;
  }

  protected match(expression: Extract<Expression, { kind: 'match' }>, scope: Scope): Operand {
    const { subject, cases } = expression;
    const joined = new Joined(this.declare());
    const inner = subject ? this.expression(subject, scope) : scope.self;
    const label = this.name('S');
    this.emit(js`${label}: {`);
    const { pending } = this;
    let always = false;
    for (const [index, { test, value }] of cases.entries()) {
      const holds = test && this.fits(test, index, inner, subject !== undefined, scope);
      if (holds) this.emit(js`if (${holds}) {`);
      this.arm(label, pending, () => this.take(joined, this.argument(value, inner, scope)));
      if (holds) this.emit(js`}`);
      else {
        always = true;
        break;
      }
    }
    if (!always) this.take(joined, this.nothing);
    this.settle(pending);
    this.emit(js`}`);
    return joined.operand;
  }

  /** The condition of a case; undefined for one that always fits. */
  private fits(
    test: Expression,
    index: number,
    inner: Operand,
    hasSubject: boolean,
    scope: Scope,
  ): Js | undefined {
    if (test.kind === 'literal')
      return test.value === true && !hasSubject
        ? undefined
        : this.equality(this.expression(test, scope), inner).code;
    const result = this.declare();
    let holds: Operand = this.nothing;
    this.inContext(
      () => {
        holds = this.argument(test, inner, scope);
        this.emit(js`${result} = ${holds.code};`);
      },
      (error) => js`unchecked(${error}, ${index})`,
    );
    return hasSubject && holds.known !== 'bool'
      ? js`${result} === true || (typeof ${result} !== "boolean" && equal(${result}, ${inner.code}))`
      : js`${result} === true`;
  }

  private take(joined: Joined, value: Operand): void {
    this.emit(js`${joined.code} = ${value.code};`);
    joined.add(value);
  }

  /** One way, left with the account that all ways are left with; the account goes on as before it. */
  private arm(label: Js, pending: number, write: () => void): void {
    const before = this.pending;
    write();
    this.settle(pending);
    this.emit(js`break ${label};`);
    this.pending = before;
  }
}

/** The condition under which a value is neither null nor a mark; undefined when it always is. */
function present(code: Js, value: Operand | undefined): Js | undefined {
  const known = value?.known ?? 'any';
  if (known !== 'any' && known !== 'null' && value?.marked === 'never') return undefined;
  return value?.marked === 'never'
    ? js`${code} !== null && ${code} !== undefined`
    : js`${code} !== null && ${code} !== undefined && ${code} !== Deleted && ${code} !== Nothing`;
}

/** True for what does not look at the message of the failure it stands in for. */
function isSilent(expression: Expression): boolean {
  return (
    expression.kind === 'literal' ||
    (expression.kind === 'function' && expression.arguments.length === 0)
  );
}
