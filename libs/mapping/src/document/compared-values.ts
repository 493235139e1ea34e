import type { Expression, Statement } from '../language/ast.js';
import { parseTemplate } from '../language/parse.js';
import { expressionsOf, partsOf, someExpression } from '../language/walk.js';

/** A value of the input for which a template has a meaning: `this.state`, and the states that it knows. */
export interface ComparedValue {
  /** The expression of the value, as it is written. */
  expression: string;
  values: (string | number | boolean)[];
}

/** How a template uses the values of its input. */
export interface ValueUses {
  /** Values that are arms of a match, elements of a list, keys of an object, or compared one by one; at least two of each expression. */
  compared: ComparedValue[];
  /** Templates that are applied to anything but a literal. */
  applied: string[];
  /** Fields of the result that depend on the input. */
  assigned: string[];
}

/** Methods that give a text in another form, or a part of it. */
const forms: ReadonlySet<string> = new Set(['string', 'lowercase', 'uppercase', 'trim']);

/** Finds the values of the input that a template knows, in its maps too. @throws MappingError */
export function valueUsesOfTemplate(source: string): ValueUses {
  const { statements, maps } = parseTemplate(source);
  const bodies = [statements, ...maps.values()];
  const search = new Search(source, bodies);
  for (const body of bodies) for (const one of expressionsOf(body)) search.look(one, new Set());
  const assigned = statements.flatMap((one) =>
    one.kind === 'assign' && one.path[1] !== undefined && search.readsInput(one.value)
      ? [one.path[1]]
      : [],
  );
  return { compared: search.found, applied: [...search.applied], assigned: [...new Set(assigned)] };
}

class Search {
  readonly applied = new Set<string>();
  private readonly groups = new Map<string, Set<string | number | boolean>>();
  private readonly variables = new Map<string, Expression>();

  constructor(
    private readonly source: string,
    bodies: readonly (readonly Statement[])[],
  ) {
    for (const one of bodies.flat())
      if (one.kind === 'let') this.variables.set(one.name, one.value);
  }

  get found(): ComparedValue[] {
    return [...this.groups].flatMap(([expression, values]) =>
      values.size > 1 ? [{ expression, values: [...values] }] : [],
    );
  }

  look(one: Expression, parameters: ReadonlySet<string>): void {
    if (one.kind === 'match' && one.subject !== undefined)
      this.note(
        one.subject,
        one.cases.flatMap(({ test }) => (test ? [test] : [])),
        parameters,
      );
    if (one.kind === 'binary' && (one.operator === '==' || one.operator === '!='))
      this.note(one.left, [one.right], parameters);
    if (one.kind === 'method') this.method(one, parameters);
    const inner = one.kind === 'lambda' ? new Set([...parameters, one.parameter]) : parameters;
    for (const part of partsOf(one)) this.look(part, inner);
  }

  /** True of an expression whose value depends on the input. */
  readsInput(one: Expression, seen = new Set<string>()): boolean {
    return someExpression(one, (part) => {
      if (part.kind !== 'variable') return ['this', 'name', 'root'].includes(part.kind);
      const value = this.variables.get(part.name);
      if (value === undefined || seen.has(part.name)) return false;
      return this.readsInput(value, seen.add(part.name));
    });
  }

  private method(
    { target, name, arguments: [first] }: Expression & { kind: 'method' },
    parameters: ReadonlySet<string>,
  ): void {
    if (first === undefined) return;
    const { value } = first;
    if (name === 'apply' && target.kind !== 'literal' && value.kind === 'literal')
      this.applied.add(String(value.value));
    if (name === 'contains' && target.kind === 'array') this.note(value, target.items, parameters);
    if (name === 'get' && target.kind === 'object')
      this.note(
        value,
        target.entries.map(({ key }) => key),
        parameters,
      );
  }

  private note(
    subject: Expression,
    tests: readonly Expression[],
    parameters: ReadonlySet<string>,
  ): void {
    const value = valueIn(subject);
    if (!this.isOfInput(value, parameters)) return;
    const known = tests.flatMap((test) =>
      test.kind === 'literal' &&
      typeof test.value !== 'bigint' &&
      test.value !== null &&
      test.value !== ''
        ? [test.value]
        : [],
    );
    const expression = this.source.slice(value.start, value.end);
    this.groups.set(expression, new Set([...(this.groups.get(expression) ?? []), ...known]));
  }

  /** True of a field of the input or of an element of it, in any form, and false of what the template has made. */
  private isOfInput(
    one: Expression,
    parameters: ReadonlySet<string>,
    seen = new Set<string>(),
  ): boolean {
    switch (one.kind) {
      case 'this':
      case 'name':
      case 'metadata':
        return true;
      case 'variable': {
        const value = this.variables.get(one.name);
        if (value === undefined || seen.has(one.name)) return false;
        return this.isOfInput(value, parameters, seen.add(one.name));
      }
      case 'field': {
        const isKey =
          one.name === 'key' && one.target.kind === 'name' && parameters.has(one.target.name);
        return !isKey && this.isOfInput(one.target, parameters, seen);
      }
      case 'method':
        return (
          !['type', 'apply'].includes(one.name) && this.isOfInput(one.target, parameters, seen)
        );
      case 'binary':
        return (
          ['|', '+'].includes(one.operator) &&
          (this.isOfInput(one.left, parameters, seen) ||
            (one.operator === '+' && this.isOfInput(one.right, parameters, seen)))
        );
      default:
        return false;
    }
  }
}

/** The value without what stands in for it, and without its form: `state` of `(state | "").lowercase()`. */
function valueIn(one: Expression): Expression {
  if (one.kind === 'binary' && one.operator === '|') return valueIn(one.left);
  return one.kind === 'method' && forms.has(one.name) ? valueIn(one.target) : one;
}
