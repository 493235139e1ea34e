import type { OptionalPackage } from './optional-package.js';
import type { Run } from './run.js';
import type { Value } from './values.js';

export type ParameterType =
  'string' | 'integer' | 'number' | 'bool' | 'array' | 'object' | 'timestamp' | 'query' | 'any';

export interface Parameter {
  name: string;
  type: ParameterType;
  optional?: true;
  default?: Value;
}

/** `[template, input, output]`: documents as JSON. */
export type Example = readonly [string, string, string];

/**
 * The inputs of a result beside target and arguments: none (`pure`), the time that the run is given, its random
 * numbers (and maybe the time), or on the rest of the run: its document, metadata, variables and templates.
 */
export type Purity = 'pure' | 'clock' | 'random' | 'run';

/**
 * The steps of a call: one; steps as the target is long; a query for each element; n log n of the elements; steps as the result
 * is long, whose size is checked before it is made; or as many as a signature.
 */
export type Cost = 'constant' | 'linear' | 'elements' | 'sort' | 'result' | 'signature';

interface Common {
  name: string;
  description: string;
  purity: Purity;
  cost: Cost;
  parameters?: readonly Parameter[];
  /** Takes any number of arguments of this type after its parameters. */
  variadic?: ParameterType;
  /** At least one; all run as tests. */
  examples: readonly Example[];
}

/** Arguments by position: values, `Query` for query parameters, undefined where an optional one is absent. */
export type Arguments = readonly Value[];

/** Literals of a call, known when a template is compiled: its target or all its arguments, where they are literals. */
export interface LiteralCall {
  target?: Value;
  args?: Arguments;
}

/** One method: everything that is to be known about it. */
export interface Method extends Common {
  category:
    | 'string'
    | 'number'
    | 'array and object'
    | 'coercion'
    | 'encoding'
    | 'time'
    | 'regular expression'
    | 'parsing'
    | 'general';
  /** Looks at arguments that are all literals, when the template is compiled. @throws RunError when no call fits them */
  check?: (args: Arguments) => void;
  run: (target: Value, args: Arguments, run: Run) => Value;
  /** The package that it calls: without it a template that calls the method does not compile. */
  needs?: OptionalPackage;
  /** The type that null is told not to be, for a method that has no other failure for null. */
  expects?: 'string' | 'timestamp';
  /** Steps that a call spends before it looks at its target; the environment knows them. */
  steps?: number;
  /**
   * Makes what runs a call with literals in place of `run`: the same results and failures, and charges that depend on nothing else.
   * Undefined where there is nothing faster. @throws RunError likewise
   */
  prepare?: (call: LiteralCall) => Method['run'] | undefined;
}

/** One function. */
export interface Function extends Common {
  run: (args: Arguments, run: Run, self: Value) => Value;
}

/** Names that are refused when a template is compiled, with the reason. */
export type Refused = Readonly<Record<string, string>>;
