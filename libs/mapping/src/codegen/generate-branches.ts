import type { Expression } from '../language/ast.js';
import type { Emitter } from './emitter.js';
import { generateEquality } from './generate-operators.js';
import { generateArgument, type Generation, type Scope } from './generation.js';
import { type Js, js } from './javascript.js';
import {
  eitherKnown,
  type Known,
  type Marked,
  moreMarked,
  nothingOperand,
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

/** `a | b` and `a.or(b)`: b stands in for what fails, is null or is a mark. */
export function generateAlternative(
  generation: Generation,
  left: Expression,
  scope: Scope,
  right: () => Operand,
): Operand {
  const { emitter } = generation;
  const joined = new Joined(emitter.declare());
  let first: Operand | undefined;
  emitter.attempt(
    () => {
      first = generation.expression(left, scope);
      emitter.emit(js`${joined.code} = ${first.code};`);
    },
    () => takeWay(emitter, joined, right()),
    { accepted: () => present(joined.code, first) },
  );
  if (first) joined.add({ ...first, marked: 'never' });
  return joined.operand;
}

/** `a.catch(b)`: b stands in for what fails, and may read the message. */
export function generateCatch(
  generation: Generation,
  target: Expression,
  fallback: Expression,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const joined = new Joined(emitter.declare());
  const message = isSilent(fallback) ? undefined : emitter.declare();
  const inner = operand(message ?? js`null`, 'string');
  emitter.attempt(
    () => takeWay(emitter, joined, generation.expression(target, scope)),
    () => takeWay(emitter, joined, generateArgument(generation, fallback, inner, scope)),
    { message },
  );
  return joined.operand;
}

export function generateIf(
  generation: Generation,
  expression: Extract<Expression, { kind: 'if' }>,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const joined = new Joined(emitter.declare());
  const label = emitter.name('S');
  emitter.emit(js`${label}: {`);
  const { pending } = emitter;
  for (const { condition, value } of expression.branches) {
    const test = generation.expression(condition, scope);
    emitter.emit(js`if (${test.code} === true) {`);
    generateWay(emitter, label, pending, () =>
      takeWay(emitter, joined, generation.expression(value, scope)),
    );
    emitter.emit(js`}`);
    if (test.known === 'bool') continue;
    emitter.emit(js`if (${test.code} !== false && ${test.code} !== null) {`);
    emitter.fail(() => js`notCondition(${test.code})`);
    emitter.emit(js`}`);
  }
  const { otherwise } = expression;
  takeWay(emitter, joined, otherwise ? generation.expression(otherwise, scope) : nothingOperand);
  emitter.settle(pending);
  emitter.emit(js`}`);
  return joined.operand;
}

export function generateMatch(
  generation: Generation,
  expression: Extract<Expression, { kind: 'match' }>,
  scope: Scope,
): Operand {
  const { emitter } = generation;
  const { subject, cases } = expression;
  const joined = new Joined(emitter.declare());
  const inner = subject ? generation.expression(subject, scope) : scope.self;
  const label = emitter.name('S');
  emitter.emit(js`${label}: {`);
  const { pending } = emitter;
  let always = false;
  for (const [index, { test, value }] of cases.entries()) {
    const holds =
      test && generateTest(generation, test, index, inner, subject !== undefined, scope);
    if (holds) emitter.emit(js`if (${holds}) {`);
    generateWay(emitter, label, pending, () =>
      takeWay(emitter, joined, generateArgument(generation, value, inner, scope)),
    );
    if (holds) emitter.emit(js`}`);
    else {
      always = true;
      break;
    }
  }
  if (!always) takeWay(emitter, joined, nothingOperand);
  emitter.settle(pending);
  emitter.emit(js`}`);
  return joined.operand;
}

/** The condition of a case; undefined for one that always fits. */
function generateTest(
  generation: Generation,
  test: Expression,
  index: number,
  inner: Operand,
  hasSubject: boolean,
  scope: Scope,
): Js | undefined {
  const { emitter } = generation;
  if (test.kind === 'literal')
    return test.value === true && !hasSubject
      ? undefined
      : generateEquality(emitter, generation.expression(test, scope), inner).code;
  const result = emitter.declare();
  let holds: Operand = nothingOperand;
  emitter.inContext(
    () => {
      holds = generateArgument(generation, test, inner, scope);
      emitter.emit(js`${result} = ${holds.code};`);
    },
    (error) => js`unchecked(${error}, ${index})`,
  );
  return hasSubject && holds.known !== 'bool'
    ? js`${result} === true || (typeof ${result} !== "boolean" && equal(${result}, ${inner.code}))`
    : js`${result} === true`;
}

function takeWay(emitter: Emitter, joined: Joined, value: Operand): void {
  emitter.emit(js`${joined.code} = ${value.code};`);
  joined.add(value);
}

/** One way, left with the account that all ways are left with; the account goes on as before it. */
function generateWay(emitter: Emitter, label: Js, pending: number, write: () => void): void {
  const before = emitter.pending;
  write();
  emitter.settle(pending);
  emitter.emit(js`break ${label};`);
  emitter.pending = before;
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
