import type { Expression, Statement, Template } from './ast.js';

/** The expressions an expression is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'this':
    case 'root':
    case 'name':
    case 'variable':
    case 'metadata':
      return [];
    case 'field':
      return [expression.target];
    case 'scoped':
      return [expression.target, expression.body];
    case 'method':
      return [expression.target, ...expression.arguments.map(({ value }) => value)];
    case 'function':
      return expression.arguments.map(({ value }) => value);
    case 'not':
    case 'negate':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'lambda':
      return [expression.body];
    case 'array':
      return expression.items;
    case 'object':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'if':
      return [
        ...expression.branches.flatMap(({ condition, value }) => [condition, value]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    case 'match':
      return [
        ...(expression.subject ? [expression.subject] : []),
        ...expression.cases.flatMap(({ test, value }) => (test ? [test, value] : [value])),
      ];
  }
}

/** True when a test holds for the expression or a part of it. */
export function someExpression(
  expression: Expression,
  test: (expression: Expression) => boolean,
): boolean {
  return test(expression) || partsOf(expression).some((part) => someExpression(part, test));
}

/** The places where an expression reads a variable. */
export function variableReads(expression: Expression): { name: string; start: number }[] {
  const inner = partsOf(expression).flatMap(variableReads);
  return expression.kind === 'variable' ? [expression, ...inner] : inner;
}

/** The names that `let` gives in a body, those inside of `if` included. */
export function variablesOf(statements: readonly Statement[]): Set<string> {
  return new Set(
    statements.flatMap((statement) => {
      if (statement.kind === 'let') return [statement.name];
      if (statement.kind !== 'if') return [];
      const bodies = [...statement.branches.map(({ body }) => body), statement.otherwise ?? []];
      return bodies.flatMap((body) => [...variablesOf(body)]);
    }),
  );
}

/** The calls of `.apply` in an expression whose template is named by a literal. */
export function appliedNames(expression: Expression): { name: string; at: number }[] {
  const inner = partsOf(expression).flatMap(appliedNames);
  if (expression.kind !== 'method' || expression.name !== 'apply') return inner;
  const value = expression.arguments[0]?.value;
  return value?.kind === 'literal' && typeof value.value === 'string'
    ? [{ name: value.value, at: value.start }, ...inner]
    : inner;
}

/** True when an expression looks at what was made so far. */
export function mentionsRoot(expression: Expression): boolean {
  return someExpression(expression, ({ kind }) => kind === 'root');
}

/** True when a body looks variables up by names that are known at run time only. */
export function usesDynamicVariables(statements: readonly Statement[]): boolean {
  return expressionsOf(statements).some((one) =>
    someExpression(one, (part) => part.kind === 'function' && part.name === 'var'),
  );
}

/** The expressions of statements, those inside of `if` included. */
export function expressionsOf(statements: readonly Statement[]): Expression[] {
  return statements.flatMap((statement) =>
    statement.kind === 'if'
      ? [
          ...statement.branches.flatMap(({ condition, body }) => [
            condition,
            ...expressionsOf(body),
          ]),
          ...expressionsOf(statement.otherwise ?? []),
        ]
      : [statement.value],
  );
}

/** The paths that statements put something into: what is assigned to them must be a copy. */
export function extendedPaths(
  statements: readonly Statement[],
  paths = new Set<string>(),
): Set<string> {
  for (const statement of statements) {
    if (statement.kind === 'if') {
      for (const { body } of statement.branches) extendedPaths(body, paths);
      extendedPaths(statement.otherwise ?? [], paths);
    } else if (statement.kind === 'assign')
      for (let length = 1; length < statement.path.length; length += 1)
        paths.add(statement.path.slice(1, length).join('\0'));
  }
  return paths;
}

const inputFunctions = new Set(['json', 'content']);

/** Whether a template may look at a field of its input. False is certain. */
export function mayRead({ statements, maps }: Template, field: string): boolean {
  return [statements, ...maps.values()].some((body) =>
    expressionsOf(body).some((one) => queryMayRead(one, field)),
  );
}

/**
 * Whether the result may depend on a field of the input in another way than that it is part of a whole that is passed on, as by
 * `root = this`. False is certain.
 */
export function mayObserve({ statements, maps }: Template, field: string): boolean {
  const bodies = [statements, ...maps.values()];
  const expressions = bodies.flatMap(expressionsOf);
  if (expressions.some(mentionsRoot)) return expressions.some((one) => queryMayRead(one, field));
  const observes = (body: readonly Statement[]): boolean =>
    body.some((statement) => {
      if (statement.kind === 'if')
        return (
          statement.branches.some(
            ({ condition, body: inner }) => queryMayRead(condition, field) || observes(inner),
          ) || observes(statement.otherwise ?? [])
        );
      const { kind, value } = statement;
      return queryMayRead(value, field) && !(kind === 'assign' && passesOn(value));
    });
  return bodies.some(observes);
}

/** `this`, or `this.without("…")`: no other part of it is looked at. */
function passesOn(value: Expression): boolean {
  if (value.kind === 'this') return true;
  if (value.kind !== 'method' || value.name !== 'without' || value.target.kind !== 'this')
    return false;
  return value.arguments.every(({ value: path }) => path.kind === 'literal');
}

/** Whether an expression may look at a field of its input. False is certain. */
export function queryMayRead(query: Expression, field: string): boolean {
  const looks = (expression: Expression): boolean => {
    switch (expression.kind) {
      case 'this':
        return true;
      case 'name':
        return expression.name === field;
      case 'function':
        // json() and content() see the input.
        return inputFunctions.has(expression.name) || partsOf(expression).some(looks);
      case 'field':
        return expression.target.kind === 'this'
          ? expression.name === field || expression.name === '*'
          : looks(expression.target);
      case 'method':
        return !leavesOut(expression, field) && partsOf(expression).some(looks);
      default:
        return partsOf(expression).some(looks);
    }
  };
  return looks(query);
}

/** Whether `this.without(…)` names the field, so that it gives the same for an input with the field as for one without it. */
function leavesOut(
  { name, target, arguments: given }: Extract<Expression, { kind: 'method' }>,
  field: string,
): boolean {
  const names = given.map(({ value }) => (value.kind === 'literal' ? value.value : undefined));
  return (
    name === 'without' &&
    target.kind === 'this' &&
    names.includes(field) &&
    !names.includes(undefined)
  );
}
