import type { Argument, Expression } from '../language/ast.js';
import type { ArgumentCode, Named, Query, Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Arguments, Parameter, ParameterType } from '../language/specification.js';
import { isNumber, isObject, typeName, type Value } from '../language/values.js';

interface Callable {
  name: string;
  parameters?: readonly Parameter[];
  variadic?: ParameterType;
}

/** Why a call does not fit its method; the caller knows where it stands. */
export class ArgumentFault extends Error {}

/** How a method or function is written: `.replace_all(old, new)`. */
export function signatureOf(
  { name, parameters = [], variadic }: Callable,
  isMethod: boolean,
): string {
  const names = parameters.map((one) =>
    one.optional || one.default !== undefined ? `[${one.name}]` : one.name,
  );
  const all = [...names, ...(variadic === undefined ? [] : ['…'])].join(', ');
  return `${isMethod ? '.' : ''}${name}(${all})`;
}

type Bound = (run: Run, self: Value, named: Named | null) => Arguments;

/** Binds the arguments of a call to its parameters. @throws ArgumentFault, also for literals of the wrong type. */
export function bindArguments(
  { parameters = [], variadic }: Callable,
  given: readonly Argument[],
  compile: (expression: Expression) => ArgumentCode,
): Bound {
  const slots = placeArguments(parameters, variadic, given);
  const compiled = slots.map(({ parameter, value }) => {
    if (value === undefined) return undefined;
    if (parameter.type !== 'query' && value.kind === 'literal')
      checkType(parameter, value.value, (text) => new ArgumentFault(text));
    return compile(value);
  });
  if (slots.length === 0) return () => [];
  const [first, second] = slots;
  if (first && !second && compiled[0]) {
    // One argument is what most calls have: no walk over slots.
    const [code] = compiled;
    const { parameter } = first;
    if (parameter.type === 'query')
      return (run, self, named) => [(inner: Value) => code(run, inner, self, named)];
    return (run, self, named) => {
      const value = code(run, self, self, named);
      argumentTypeCheck(parameter, value);
      return [value];
    };
  }
  return (run, self, named) =>
    slots.map(({ parameter }, index) => {
      const code = compiled[index];
      if (code === undefined) return parameter.default;
      if (parameter.type === 'query')
        return ((inner: Value) => code(run, inner, self, named)) satisfies Query;
      const value = code(run, self, self, named);
      argumentTypeCheck(parameter, value);
      return value;
    });
}

/** Which argument each parameter gets; undefined where it has its default. @throws ArgumentFault */
export function placeArguments(
  parameters: readonly Parameter[],
  variadic: ParameterType | undefined,
  given: readonly Argument[],
): { parameter: Parameter; value: Expression | undefined }[] {
  if (given.some(({ name }) => name !== undefined)) {
    for (const { name } of given)
      if (!parameters.some((one) => one.name === name))
        throw new ArgumentFault(
          `unknown parameter ${name}${parameters.length > 0 ? `, the parameters are ${parameters.map((one) => one.name).join(', ')}` : ''}`,
        );
    return parameters.map((parameter) => ({
      parameter,
      value: required(parameter, given.find(({ name }) => name === parameter.name)?.value),
    }));
  }
  if (!variadic && given.length > parameters.length) throw wrongCount(parameters, given);
  const slots = parameters.map((parameter, index) => {
    const value = given[index]?.value;
    if (value === undefined && !parameter.optional && parameter.default === undefined)
      throw given.length === 0
        ? new ArgumentFault(`missing parameter: ${parameter.name}`)
        : wrongCount(parameters, given);
    return { parameter, value };
  });
  const rest = variadic ? given.slice(parameters.length) : [];
  return [
    ...slots,
    ...rest.map(({ value }) => ({
      parameter: { name: 'argument', type: variadic ?? 'any' },
      value,
    })),
  ];
}

function required(parameter: Parameter, value: Expression | undefined): Expression | undefined {
  if (value === undefined && !parameter.optional && parameter.default === undefined)
    throw new ArgumentFault(`missing parameter: ${parameter.name}`);
  return value;
}

function wrongCount(parameters: readonly Parameter[], given: readonly Argument[]): ArgumentFault {
  return new ArgumentFault(
    `wrong number of arguments, expected ${parameters.length}, got ${given.length}`,
  );
}

const runFailure = (text: string): RunError => new RunError(text);

const tests: Record<ParameterType, (value: Value) => boolean> = {
  string: (value) => typeof value === 'string' || value instanceof Uint8Array,
  integer: (value) =>
    typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)),
  number: isNumber,
  bool: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  timestamp: () => true,
  query: () => true,
  any: () => true,
};

/** Checks an argument that was evaluated. @throws RunError */
export function argumentTypeCheck(parameter: Parameter, value: Value): void {
  checkType(parameter, value, runFailure);
}

function checkType(parameter: Parameter, value: Value, failure: (text: string) => unknown): void {
  if (tests[parameter.type](value) || (value === null && parameter.optional)) return;
  const wanted = parameter.type === 'integer' ? 'number' : parameter.type;
  throw failure(
    `field ${parameter.name}: wrong argument type, expected ${wanted}, got ${typeName(value)}`,
  );
}
