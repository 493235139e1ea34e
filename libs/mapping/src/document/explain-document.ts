import { isStatement, type Trace } from '../closures/trace.js';
import type { Expression, Statement } from '../language/ast.js';
import { placeOf } from '../language/mapping-error.js';
import { type Value } from '../language/values.js';
import { partsOf, someExpression } from '../language/walk.js';
import { type DocumentCompileOptions, planOf, tracedPlan } from './compile-document.js';
import { flattened } from './locate-failure.js';
import { readDocument } from './read-document.js';
import {
  type DocumentOptions,
  type Mapped,
  MappingRunError,
  type Plan,
  runDocument,
} from './run-document.js';
import type { TemplatePart } from './template-part.js';

/** A statement that had a part in a field, with its place in the document. */
export interface ExplainedStatement {
  part: TemplatePart;
  line: number;
  column: number;
  /** The first line of a condition, all of another statement. */
  text: string;
  /** 0 for the templates of the document's sequence; one more for each template that was applied. */
  depth: number;
  /** The values that its expressions produced, from the inside out; those of a loop more than once. */
  values: { text: string; value: Value }[];
}

export interface Explanation {
  /** The statements in the order in which they ran. */
  statements: ExplainedStatement[];
  /** The result; undefined if the record was dropped, or if the run failed. */
  mapped: Mapped;
  failure: MappingRunError | undefined;
}

interface Ran {
  part: TemplatePart;
  statement: Statement;
  values: { node: Expression; value: Value }[];
  inner: Ran[];
}

/** Bounds of what is kept of a run: somebody reads it. */
const [maxStatements, maxValues] = [10_000, 500];

/**
 * Runs a document on a record and finds the statements that made a field of the result.
 * @param field names from the outside in, without `root`
 * @throws MappingError for a document that does not compile
 */
export function explainDocument(
  source: string,
  record: Value,
  field: readonly string[],
  options: DocumentCompileOptions & DocumentOptions = {},
): Explanation {
  const recorder = new Recorder();
  const parts = readDocument(source);
  const plan: Plan = {
    ...planOf(source, parts, options, (part) => recorder.of(part)),
    traced: () => tracedPlan(source, parts, options),
  };
  recorder.begin();
  let mapped: Mapped;
  let failure: MappingRunError | undefined;
  try {
    mapped = runDocument(plan, record, options);
  } catch (error) {
    if (!(error instanceof MappingRunError)) throw error;
    failure = error;
  }
  const seen = new Set<Ran>();
  const statements = recorder.ran.flatMap((one) => explain(one, recorder.ran, field, 0, seen));
  return { statements, mapped, failure };
}

/** Keeps what ran, each statement with the statements that ran inside of it. */
class Recorder {
  ran: Ran[] = [];
  private open: Ran[] = [];
  private count = 0;

  /** Forgets what was tried while the document was compiled. */
  begin(): void {
    this.ran = [];
    this.open = [];
    this.count = 0;
  }

  of(part: TemplatePart): Trace {
    const close = (node: Expression | Statement) => {
      if (isStatement(node)) this.open.pop();
    };
    return {
      enter: (node) => {
        if (!isStatement(node)) return;
        const one: Ran = { part, statement: node, values: [], inner: [] };
        const siblings = this.open.at(-1)?.inner ?? this.ran;
        this.count += 1;
        if (this.count <= maxStatements) siblings.push(one);
        this.open.push(one);
      },
      leave: (node, value) => {
        const current = this.open.at(-1);
        if (!isStatement(node) && current && current.values.length < maxValues)
          current.values.push({ node, value });
        close(node);
      },
      fail: close,
    };
  }
}

/**
 * The statements by which one that ran had a part in a field; none if it had not.
 * @param seen variables that are shown already
 */
function explain(
  ran: Ran,
  siblings: readonly Ran[],
  field: readonly string[],
  depth: number,
  seen: Set<Ran>,
): ExplainedStatement[] {
  const { statement } = ran;
  if (statement.kind === 'if') {
    const body = new Set(flattened([statement]));
    const own = ran.inner.filter((one) => body.has(one.statement));
    const inner = own.flatMap((one) => explain(one, [...siblings, ...own], field, depth, seen));
    return inner.length === 0 ? [] : [describe(ran, conditionsOf(statement), depth), ...inner];
  }
  if (statement.kind !== 'assign') return [];
  const path = statement.path.slice(1);
  const shared = Math.min(path.length, field.length);
  if (!path.slice(0, shared).every((name, index) => name === field[index])) return [];
  const { expression, rest } = inObject(statement.value, field.slice(path.length));
  return [
    ...variablesOf(expression, ran, siblings, depth, seen),
    describe(ran, [expression], depth),
    ...ran.inner.flatMap((one) => explain(one, ran.inner, rest, depth + 1, seen)),
  ];
}

/** Follows keys into an object, to the expression of the field. */
function inObject(
  expression: Expression,
  field: readonly string[],
): { expression: Expression; rest: readonly string[] } {
  const [name, ...rest] = field;
  if (expression.kind !== 'object' || name === undefined) return { expression, rest: field };
  const entry = expression.entries.find(
    ({ key }) => key.kind === 'literal' && String(key.value) === name,
  );
  return entry === undefined ? { expression, rest: field } : inObject(entry.value, rest);
}

/** The statements that set the variables which an expression reads. */
function variablesOf(
  expression: Expression,
  { part, statement }: Ran,
  siblings: readonly Ran[],
  depth: number,
  seen: Set<Ran>,
): ExplainedStatement[] {
  return siblings.flatMap((one) => {
    const { statement: other } = one;
    const isBefore = one.part === part && other.kind === 'let' && other.start < statement.start;
    if (!isBefore || seen.has(one)) return [];
    const isVariable = (node: Expression) => node.kind === 'variable' && node.name === other.name;
    if (!someExpression(expression, isVariable)) return [];
    seen.add(one);
    return [
      ...variablesOf(other.value, one, siblings, depth, seen),
      describe(one, [other.value], depth),
    ];
  });
}

function conditionsOf(statement: Extract<Statement, { kind: 'if' }>): Expression[] {
  return statement.branches.map(({ condition }) => condition);
}

/** @param expressions those whose values are shown */
function describe(
  { part, statement, values }: Ran,
  expressions: readonly Expression[],
  depth: number,
): ExplainedStatement {
  const { text, locate } = part.located;
  const { line, column } = placeOf(text, statement.start);
  const shown = text.slice(statement.start, statement.end);
  const isPart = (node: Expression): boolean =>
    expressions.some((one) => someExpression(one, (inner) => inner === node));
  return {
    part,
    ...locate(line, column),
    text: statement.kind === 'if' ? (shown.split('\n')[0] ?? '') : shown,
    depth,
    values: values
      .filter(({ node }) => !isConstant(node) && isPart(node))
      .map(({ node, value }) => ({ text: text.slice(node.start, node.end), value })),
  };
}

/** True for literals, and for `this` and `root` as a whole, which are the record. */
function isConstant(node: Expression): boolean {
  if (node.kind === 'literal' || node.kind === 'this' || node.kind === 'root') return true;
  return (node.kind === 'array' || node.kind === 'object') && partsOf(node).every(isConstant);
}
