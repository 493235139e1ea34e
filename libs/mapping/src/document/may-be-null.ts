import type { Expression } from '../language/ast.js';
import { partsOf } from '../language/walk.js';

/** Facts that are known at the place of an expression. */
export interface Known {
  /** The values of variables. */
  lets: ReadonlyMap<string, Expression>;
  /** Paths that a condition around the place looks at, the innermost first. */
  tested?: { paths: ReadonlySet<string>; around: Known['tested'] } | undefined;
}

/** A path such as `this.a.b`, `$a.b` or `one.b` as one text; undefined of other expressions, and of `this` alone. */
export function pathKey(expression: Expression): string | undefined {
  const names: string[] = [];
  let at = expression;
  while (at.kind === 'field') {
    names.unshift(at.name);
    at = at.target;
  }
  if (at.kind === 'this') return names.length === 0 ? undefined : ['this', ...names].join('\0');
  if (at.kind === 'name') return [at.name, ...names].join('\0');
  if (at.kind === 'variable') return [`$${at.name}`, ...names].join('\0');
  if (at.kind === 'metadata') return [`@${at.key ?? ''}`, ...names].join('\0');
  return undefined;
}

/** Maximum number of parts of a condition, or of a value, that are looked at: texts of strangers repeat them in each other. */
const maxParts = 200;
/** Maximum number of conditions around a place. */
const maxConditions = 50;

/** Lists the paths in an expression, and those that they go through. */
export function pathsIn(expression: Expression): Set<string> {
  const paths = new Set<string>();
  const waiting = [expression];
  for (let count = 0; count < maxParts && waiting.length > 0; count += 1) {
    const one = waiting.pop() as Expression;
    const key = pathKey(one);
    if (key !== undefined) paths.add(key);
    waiting.push(...partsOf(one));
  }
  return paths;
}

/**
 * True if a value may be null as far as the text shows: a path that no condition around it looks at and for which nothing else is given.
 * Elements that lambdas name are there, and so is `this`.
 */
export function mayBeNull(
  expression: Expression,
  known: Known,
  budget = { parts: maxParts },
): boolean {
  budget.parts -= 1;
  if (budget.parts < 0) return false;
  const inner = (one: Expression) => mayBeNull(one, known, budget);
  switch (expression.kind) {
    case 'literal':
      return expression.value === null;
    case 'field':
    case 'variable': {
      const key = pathKey(expression);
      if (key === undefined || isTested(key, known.tested)) return false;
      if (expression.kind === 'field') return !key.startsWith('@path\0');
      const value = known.lets.get(expression.name);
      return value !== undefined && inner(value);
    }
    case 'binary':
      return expression.operator === '|' && inner(expression.right);
    case 'method': {
      const { name, target } = expression;
      const [other] = expression.arguments;
      if (name === 'or') return other !== undefined && inner(other.value);
      if (name === 'catch') return inner(target) || (other !== undefined && inner(other.value));
      return name === 'get';
    }
    case 'if': {
      const { branches, otherwise } = expression;
      const tested = new Set(branches.flatMap(({ condition }) => [...pathsIn(condition)]));
      const within = { ...known, tested: { paths: tested, around: known.tested } };
      return (
        otherwise === undefined ||
        [...branches.map(({ value }) => value), otherwise].some((one) =>
          mayBeNull(one, within, budget),
        )
      );
    }
    case 'match':
      return expression.cases.some(({ value }) => inner(value));
    default:
      return false;
  }
}

/** True for a list some of whose elements may be null. */
export function mayHoldNull(list: Expression, known: Known): boolean {
  if (list.kind === 'array') return list.items.some((one) => mayBeNull(one, known));
  if (list.kind !== 'method') return false;
  if (list.name === 'flatten' || list.name === 'concat')
    return [list.target, ...list.arguments.map(({ value }) => value)].some((one) =>
      mayHoldNull(one, known),
    );
  const [query] = list.arguments;
  if (list.name !== 'map_each' || query === undefined) return false;
  const { value } = query;
  return mayBeNull(value.kind === 'lambda' ? value.body : value, { lets: known.lets });
}

function isTested(key: string, tested: Known['tested']): boolean {
  let at = tested;
  for (let count = 0; count < maxConditions && at !== undefined; count += 1) {
    if (at.paths.has(key)) return true;
    at = at.around;
  }
  return false;
}
