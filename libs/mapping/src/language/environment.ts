import type { Function, Method, Refused } from './specification.js';

/** The methods and functions that templates can call. What an environment does not contain cannot be reached in any other way. */
export interface Environment {
  methods: ReadonlyMap<string, Method>;
  functions: ReadonlyMap<string, Function>;
  /** Known methods that are not available, with the reason. */
  refusedMethods: Refused;
  refusedFunctions: Refused;
}

/** Returns an environment with only some of the methods and functions. @param reason told to templates that call one of the others */
export function restrictEnvironment(
  { methods, functions, refusedMethods, refusedFunctions }: Environment,
  isAllowed: (callable: Method | Function) => boolean,
  reason: string,
): Environment {
  return {
    methods: new Map([...methods].filter(([, method]) => isAllowed(method))),
    functions: new Map([...functions].filter(([, one]) => isAllowed(one))),
    refusedMethods: { ...refusedMethods, ...refusals(methods, isAllowed, reason) },
    refusedFunctions: { ...refusedFunctions, ...refusals(functions, isAllowed, reason) },
  };
}

function refusals<T>(
  callables: ReadonlyMap<string, T>,
  isAllowed: (callable: T) => boolean,
  reason: string,
): Refused {
  const refused = [...callables].filter(([, callable]) => !isAllowed(callable));
  return Object.fromEntries(refused.map(([name]) => [name, reason]));
}
