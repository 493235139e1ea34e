import type { Expression } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { expressionsOf, partsOf } from '../language/walk.js';

/** A field of the input that a text certainly means, such as `this.steps.list`: its names from the outside in, and their offsets. */
export interface InputField {
  names: readonly string[];
  offsets: readonly number[];
}

/**
 * Finds the fields of the input that a query reads. Arguments that have a `this` of their own are left out, as is what depends on values.
 * @throws MappingError
 */
export function inputFieldsOfQuery(source: string): InputField[] {
  return collect(parseQuery(source));
}

/** Finds the fields of the input that a template reads, except in its maps, which are applied to other values. @throws MappingError */
export function inputFieldsOfTemplate(source: string): InputField[] {
  return expressionsOf(parseTemplate(source).statements).flatMap((one) => collect(one));
}

/** @param parameters names of lambdas around the expression, which hide fields of the input */
function collect(expression: Expression, parameters: readonly string[] = []): InputField[] {
  const field = fieldOf(expression, parameters);
  if (field !== undefined) return [field];
  const within = (parts: readonly Expression[]) =>
    parts.flatMap((part) => collect(part, parameters));
  switch (expression.kind) {
    case 'lambda':
      return collect(expression.body, [...parameters, expression.parameter]);
    case 'method': {
      const { target, name, arguments: given } = expression;
      const seeing = given
        .map(({ value }) => value)
        .filter(({ kind }) => kind === 'lambda' || name === 'or');
      return within([target, ...seeing]);
    }
    case 'scoped':
      return within([expression.target]);
    case 'match':
      return within(expression.subject === undefined ? partsOf(expression) : [expression.subject]);
    default:
      return within(partsOf(expression));
  }
}

function fieldOf(expression: Expression, parameters: readonly string[]): InputField | undefined {
  const names: string[] = [];
  const offsets: number[] = [];
  let at = expression;
  while (at.kind === 'field') {
    names.unshift(at.name);
    offsets.unshift(at.target.end + 1);
    at = at.target;
  }
  if (at.kind === 'name' && !parameters.includes(at.name))
    return { names: [at.name, ...names], offsets: [at.start, ...offsets] };
  return at.kind === 'this' && names.length > 0 ? { names, offsets } : undefined;
}
