import type { Expression } from '../language/ast.js';
import { parseQuery, parseTemplate } from '../language/parse.js';
import { expressionsOf, partsOf } from '../language/walk.js';
import { standardEnvironment } from '../methods/standard-environment.js';

type Path = readonly string[];

interface Position {
  /** False where `this` is not the input, as in a query over elements. */
  isInput: boolean;
  parameters: readonly string[];
}

/** The paths of the input that templates and queries may read, those of maps and of applied templates left out: what they get is read. */
export function readPaths(templates: readonly string[], queries: readonly string[]): Path[] {
  const expressions = [
    ...templates.flatMap((text) => expressionsOf(parseTemplate(text).statements)),
    ...queries.map(parseQuery),
  ];
  return expressions.flatMap((one) => collect(one, { isInput: true, parameters: [] }));
}

/** Whether a path is read, not read, or something inside of it is. */
export function isRead(read: readonly Path[], path: Path): 'yes' | 'no' | 'inside' {
  const startsWith = (long: Path, short: Path) =>
    short.every((name, index) => long[index] === name);
  if (read.some((one) => startsWith(path, one))) return 'yes';
  return read.some((one) => startsWith(one, path)) ? 'inside' : 'no';
}

function collect(expression: Expression, at: Position): Path[] {
  const within = (parts: readonly Expression[], inner = at) =>
    parts.flatMap((part) => collect(part, inner));
  const path = pathOf(expression, at);
  if (path !== undefined) return at.isInput || path.isBare ? [path.names] : [];
  switch (expression.kind) {
    case 'this':
      return at.isInput ? [[]] : [];
    case 'lambda':
      return collect(expression.body, {
        ...at,
        parameters: [...at.parameters, expression.parameter],
      });
    case 'function':
      // json() and content() see the input.
      return [
        ...(['json', 'content'].includes(expression.name) ? [[]] : []),
        ...within(partsOf(expression)),
      ];
    case 'scoped':
      return [...collect(expression.target, at), ...collectInner(expression.body, at)];
    case 'method': {
      const parameters = standardEnvironment.methods.get(expression.name)?.parameters ?? [];
      return [
        ...collect(expression.target, at),
        ...expression.arguments.flatMap(({ name, value }, index) => {
          const parameter = parameters.find((one) => one.name === name) ?? parameters[index];
          const isQuery = parameter?.type === 'query' && expression.name !== 'or';
          return isQuery ? collectInner(value, at) : collect(value, at);
        }),
      ];
    }
    case 'match':
      if (expression.subject === undefined) return within(partsOf(expression));
      return [
        ...collect(expression.subject, at),
        ...expression.cases.flatMap(({ test, value }) =>
          [...(test ? [test] : []), value].flatMap((part) => collectInner(part, at)),
        ),
      ];
    default:
      return within(partsOf(expression));
  }
}

/** The paths of an expression that has a `this` of its own; a lambda names it instead. */
function collectInner(expression: Expression, at: Position): Path[] {
  return collect(expression, expression.kind === 'lambda' ? at : { ...at, isInput: false });
}

/** The path of `this.a.b` or `a.b`; undefined of other expressions. `*` ends it, as every element is read. */
function pathOf(
  expression: Expression,
  { parameters, isInput }: Position,
): { names: string[]; isBare: boolean } | undefined {
  const names: string[] = [];
  let at = expression;
  while (at.kind === 'field') {
    names.unshift(at.name);
    at = at.target;
  }
  const isName = at.kind === 'name' && !parameters.includes(at.name);
  if (at.kind === 'name' && isName) names.unshift(at.name);
  if (!isName && (at.kind !== 'this' || names.length === 0)) return undefined;
  const every = names.indexOf('*');
  return { names: every < 0 ? names : names.slice(0, every), isBare: isName && isInput };
}
