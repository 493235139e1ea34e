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

/** How much of a value a call walks: nothing; its own characters, elements or keys; or all that is in it. */
export type Walk = 'none' | 'flat' | 'deep';

/**
 * The price of a call beside its one step. The engine takes it: for the walks of target and arguments before the call, for the memory of
 * the result after it. The figures are measured by `npm run fuzz -- mapping --hostile`, and the pages of methods and functions are
 * written from them.
 */
export interface Cost {
  target: Walk;
  arguments: Walk;
  result: Walk;
  /** Further steps of each call. */
  steps: number;
  /** Nanoseconds for each character of a text that is walked. */
  nanoseconds: number;
  /** Growth of what the code pays besides, with `spend` of the run. */
  own?: OwnCost;
}

/**
 * Growth of the steps that a method or function pays itself: with the size of target or result, with the elements, or with n log n or the
 * square of them; a signature and a random number take the same number each.
 */
export type OwnCost = 'size' | 'elements' | 'sort' | 'square' | 'signature' | 'random';

/**
 * How large a result may be beside what it is made of: small, or as large as a part of the target; `made` and paid for by its size; the
 * target `joined` with the arguments; or `mapped`, with what a query makes of each element. Absent where nothing is certain: the size of
 * what a template makes of it is measured.
 */
export type Returns = 'small' | 'part' | 'made' | 'joined' | 'mapped';

/**
 * How generated code does without a call, where target and arguments allow it. It spends what the method spends.
 * - `same`: the target itself, if it is of the type
 * - `text`: a function for short texts; undefined, with nothing spent, for those that take more thought
 * - the others: as the generator has a form of code for them
 */
export type InPlace =
  | { form: 'same'; type: 'string' | 'number' | 'array' | 'value' }
  | { form: 'text'; change: (run: Run, text: string) => string | undefined }
  | { form: 'apply' | 'filter' | 'format' | 'index' | 'length' | 'map' | 'map_each' | 'replace' };

interface Common {
  name: string;
  description: string;
  purity: Purity;
  cost: Cost;
  returns?: Returns;
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
  inPlace?: InPlace;
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
