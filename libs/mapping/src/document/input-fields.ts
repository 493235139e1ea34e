import type { Expression } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { expressionsOf, partsOf } from '../language/walk.js';

/** A field of the input that a text certainly means, such as `this.steps.list`: its names from the outside in, and their offsets. */
export interface InputField {
  names: readonly string[];
  offsets: readonly number[];
  /**
   * `value` if the field is the whole expression, `target` if a method that fails for null is certainly called on it and nothing catches
   * this, `other` for everything else, such as comparisons.
   */
  use: 'value' | 'target' | 'other';
}

interface Position {
  use: InputField['use'];
  /** True where a failure has no effect: it is caught, as on the left of `|`, or the expression may not run, as in a branch. */
  isHarmless: boolean;
  /** Names of lambdas around the expression, which hide fields of the input. */
  parameters: readonly string[];
}

/** Methods that have a result for null. */
const methodsOfNull: ReadonlySet<string> = new Set([
  'or',
  'catch',
  'get',
  'exists',
  'apply',
  'map',
  'type',
  'bool',
  'number',
  'string',
  'bytes',
  'array',
  'uuid_v5',
  'infer_schema',
  'format_json',
  'format_yaml',
  'format_msgpack',
]);
const outermost: Position = { use: 'value', isHarmless: false, parameters: [] };

/**
 * Finds the fields of the input that a query reads. Arguments that have a `this` of their own are left out, as is what depends on values.
 * @throws MappingError
 */
export function inputFieldsOfQuery(source: string): InputField[] {
  return collect(parseQuery(source), outermost);
}

/** Finds the fields of the input that a template reads, except in its maps, which are applied to other values. @throws MappingError */
export function inputFieldsOfTemplate(source: string): InputField[] {
  return parseTemplate(source).statements.flatMap((one) =>
    expressionsOf([one]).flatMap((expression) =>
      collect(expression, { ...outermost, use: 'other', isHarmless: one.kind === 'if' }),
    ),
  );
}

function collect(expression: Expression, at: Position): InputField[] {
  const field = fieldOf(expression, at);
  if (field !== undefined) return [field];
  const inner: Position = { ...at, use: 'other' };
  const perhaps: Position = { ...inner, isHarmless: true };
  const within = (parts: readonly Expression[], position = inner) =>
    parts.flatMap((part) => collect(part, position));
  switch (expression.kind) {
    case 'lambda':
      return collect(expression.body, {
        ...perhaps,
        parameters: [...at.parameters, expression.parameter],
      });
    case 'method': {
      const { target, name, arguments: given } = expression;
      const seeing = given
        .map(({ value }) => value)
        .filter(({ kind }) => kind === 'lambda' || name === 'or');
      return [...collect(target, positionOfTarget(name, inner)), ...within(seeing, perhaps)];
    }
    case 'scoped':
      return within([expression.target]);
    case 'binary': {
      const { operator, left, right } = expression;
      const isLazy = ['&&', '||', '|'].includes(operator);
      return [
        ...collect(left, operator === '|' ? perhaps : inner),
        ...collect(right, isLazy ? perhaps : inner),
      ];
    }
    case 'if':
      return within(partsOf(expression), perhaps);
    case 'match':
      return within(
        expression.subject === undefined ? partsOf(expression) : [expression.subject],
        perhaps,
      );
    default:
      return within(partsOf(expression));
  }
}

function positionOfTarget(method: string, { isHarmless, ...at }: Position): Position {
  if (method === 'or' || method === 'catch') return { ...at, isHarmless: true };
  const fails = !isHarmless && !methodsOfNull.has(method);
  return { ...at, isHarmless, use: fails ? 'target' : 'other' };
}

function fieldOf(expression: Expression, { use, parameters }: Position): InputField | undefined {
  const names: string[] = [];
  const offsets: number[] = [];
  let at = expression;
  while (at.kind === 'field') {
    names.unshift(at.name);
    offsets.unshift(at.target.end + 1);
    at = at.target;
  }
  if (at.kind === 'name' && !parameters.includes(at.name))
    return { names: [at.name, ...names], offsets: [at.start, ...offsets], use };
  return at.kind === 'this' && names.length > 0 ? { names, offsets, use } : undefined;
}
