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

interface Common {
  name: string;
  description: string;
  parameters?: readonly Parameter[];
  /** Takes any number of arguments of this type after its parameters. */
  variadic?: ParameterType;
  examples?: readonly Example[];
}

/** Arguments by position: values, `Query` for query parameters, undefined where an optional one is absent. */
export type Arguments = readonly Value[];

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
  /** Gets failures of its target too. */
  run: (target: Value, args: Arguments, run: Run) => Value;
}

/** One function. */
export interface Function extends Common {
  run: (args: Arguments, run: Run, self: Value) => Value;
}

/** Names that are refused when a template is compiled, with the reason. */
export type Refused = Readonly<Record<string, string>>;
