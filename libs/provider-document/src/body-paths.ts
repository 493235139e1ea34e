import { MappingError, readPaths } from '@onefold/mapping';
import type { OperationSource } from './source.js';

type Path = readonly string[];

/** Finds the parts of the body that the expressions of an operation may read: an empty path is all of it, as for a function that gets the whole input. */
export function bodyPaths({
  steps,
  checks = [],
  record,
  rows,
  result,
  then,
}: OperationSource): Path[] {
  if (steps.some((step) => step.function !== undefined)) return [[]];
  const templates = steps.flatMap(({ body, query, headers }) => [body, query, headers]);
  const queries = [
    ...steps.flatMap(({ when, each, url, path, poll, checks: own = [] }) => [
      when,
      each,
      url,
      poll?.until,
      poll?.failed,
      ...own.flatMap(({ that, message }) => [that, message]),
      ...expressionsIn(path),
    ]),
    ...checks.flatMap(({ that, message }) => [that, message]),
    record,
    rows,
    result,
    ...expressionsIn(then?.path),
  ];
  try {
    return readPaths(templates.filter(isText), queries.filter(isText)).flatMap(withinBody);
  } catch (error) {
    // A fault of an expression is reported where it is compiled.
    if (error instanceof MappingError) return [[]];
    throw error;
  }
}

const isText = (text: unknown): text is string => typeof text === 'string';

/** The whole input has the whole body in it. */
function withinBody([first, ...rest]: Path): Path[] {
  if (first === undefined) return [[]];
  return first === 'body' || first === 'changes' ? [rest] : [];
}

/** The expressions in braces of a path; where braces are within one, it is not an expression, and the whole body counts as read. */
function expressionsIn(path: string | undefined): string[] {
  return [...(path ?? '').matchAll(/\{([^{}]*)\}/g)].map(([, expression = '']) => expression);
}
