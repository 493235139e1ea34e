import type { Expression, Statement } from '../language/ast.js';

/** State of a field of the output: it is the field of the input, there is none yet, or nothing is known. */
type State = 'kept' | 'absent' | 'unknown';

/** The templates of a document in the order in which they run; one of `selected` runs. */
export interface TemplateSequence {
  pre: readonly (readonly Statement[])[];
  selected: readonly (readonly Statement[])[];
  post: readonly (readonly Statement[])[];
}

/**
 * True if a document certainly leaves a field of the record as it is: it copies the whole record, or this field, and writes it nowhere
 * else. Records may be dropped. False if that cannot be told before it runs.
 */
export function keepsField({ pre, selected, post }: TemplateSequence, field: string): boolean {
  const run = (state: State, statements: readonly Statement[]) =>
    after(state, statements, field, true);
  const before = pre.reduce<State>(run, 'absent');
  const ends = selected.map((statements) => post.reduce(run, run(before, statements)));
  return ends.every((state) => state === 'kept');
}

function after(
  before: State,
  statements: readonly Statement[],
  field: string,
  isLast: boolean,
): State {
  let state = before;
  for (const [index, statement] of statements.entries()) {
    const last = isLast && index === statements.length - 1;
    if (statement.kind === 'assign') state = assigned(state, statement, field, last);
    if (statement.kind !== 'if') continue;
    const bodies = [...statement.branches.map(({ body }) => body), statement.otherwise ?? []];
    const [first = state, ...others] = bodies.map((body) => after(state, body, field, last));
    state = others.every((one) => one === first) ? first : 'unknown';
  }
  return state;
}

function assigned(
  state: State,
  { path, value }: Extract<Statement, { kind: 'assign' }>,
  field: string,
  isLast: boolean,
): State {
  const keys = path[0] === 'root' ? path.slice(1) : path;
  if (keys.length === 0) {
    if (value.kind === 'this') return 'kept';
    // A dropped record has no fields; what a later statement would make of it is another question.
    return isLast && drops(value) ? state : 'unknown';
  }
  if (keys[0] !== field) return state;
  return keys.length === 1 && readsField(value, field) ? 'kept' : 'unknown';
}

function readsField(value: Expression, field: string): boolean {
  if (value.kind === 'name') return value.name === field;
  return value.kind === 'field' && value.target.kind === 'this' && value.name === field;
}

/** True for `deleted()`, and for an `if` that does this or nothing. */
function drops(value: Expression): boolean {
  if (value.kind === 'function') return value.name === 'deleted';
  return (
    value.kind === 'if' &&
    value.otherwise === undefined &&
    value.branches.every((branch) => drops(branch.value))
  );
}
