import { LimitError, RunError } from './run-error.js';
import type { Value } from './values.js';

/** What a run may use. Templates come from strangers: each number has an end. */
export interface Limits {
  /** Steps of the interpreter; long results cost by their length. */
  fuel: number;
  /** Nested calls of apply. */
  depth: number;
  /** Characters of a string, bytes of bytes. */
  stringLength: number;
  /** Elements of an array. */
  arrayLength: number;
  /** Parts of values that are copied, compared or written out, and of the result: shared parts count each time. */
  parts: number;
}

export const usualLimits: Limits = {
  fuel: 5_000_000,
  depth: 500,
  stringLength: 8_388_608,
  arrayLength: 500_000,
  parts: 2_000_000,
};

/** What a template may ask of the outside. */
export interface Surroundings {
  /** Epoch milliseconds. */
  now: () => number;
  /** A number from 0 up to 1. */
  random: () => number;
}

/** Runs a named template on a value. @returns what it made; `Nothing` when it assigned nothing. */
export type ApplyMap = (run: Run, name: string, target: Value) => Value;

/** The time, and chance that nobody can guess. */
export const usualSurroundings: Surroundings = {
  now: () => Date.now(),
  random: () => cryptoRandom(),
};

function cryptoRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}

/** What `.apply` finds where there are no templates. */
export const noTemplates: ApplyMap = (_run, name) => {
  throw new RunError(`map ${name} was not found`);
};

/** The state of one run of a template. */
export class Run {
  root: Value;
  fuel: number;
  depth = 0;
  // Most templates have neither: both are made when somebody asks.
  private ownVariables: Map<string, Value> | undefined = undefined;
  private ownMetadata: Record<string, Value> | undefined = undefined;

  constructor(
    root: Value,
    readonly input: Value,
    readonly inputMetadata: Readonly<Record<string, Value>>,
    readonly limits: Limits,
    readonly surroundings: Surroundings,
    readonly apply: ApplyMap,
  ) {
    this.root = root;
    this.fuel = limits.fuel;
  }

  /** What `let` set. */
  get variables(): Map<string, Value> {
    return (this.ownVariables ??= new Map());
  }

  /** Metadata of the output: at first that of the input. */
  get metadata(): Record<string, Value> {
    return (this.ownMetadata ??= { ...this.inputMetadata });
  }

  set metadata(metadata: Record<string, Value>) {
    this.ownMetadata = metadata;
  }

  /** Pays for work. @throws LimitError when there is no fuel left. */
  spend(amount: number): void {
    this.fuel -= amount;
    if (this.fuel < 0)
      throw new LimitError('fuel', `the template takes more than ${this.limits.fuel} steps`);
  }

  /** Checks the length of a string before it is made. */
  string(length: number): void {
    if (length > this.limits.stringLength)
      throw new LimitError(
        'size',
        `a text of ${length} characters is longer than ${this.limits.stringLength}`,
      );
    this.spend(length >> 4);
  }

  /** Checks the length of an array before it is made. */
  array(length: number): void {
    if (length > this.limits.arrayLength)
      throw new LimitError(
        'size',
        `an array of ${length} elements is longer than ${this.limits.arrayLength}`,
      );
    this.spend(length);
  }

  /** Runs a named map one level deeper. */
  call(name: string, target: Value): Value {
    if (this.depth >= this.limits.depth)
      throw new LimitError(
        'depth',
        `templates apply each other more than ${this.limits.depth} deep`,
      );
    const { root, ownVariables } = this;
    this.depth += 1;
    this.ownVariables = undefined;
    try {
      return this.apply(this, name, target);
    } finally {
      this.depth -= 1;
      this.root = root;
      this.ownVariables = ownVariables;
    }
  }
}

/** A value that was given a name by a lambda. */
export interface Named {
  value: Value;
  outer: Named | null;
}

/** A compiled expression. @throws RunError for what templates can catch. */
export type Code = (run: Run, self: Value, named: Named | null) => Value;

/** A compiled expression that gets a value of its own beside the `this` around it. */
export type ArgumentCode = (run: Run, inner: Value, self: Value, named: Named | null) => Value;

/** An argument that is not evaluated before the call: the method gives it its `this`. */
export type Query = (self: Value) => Value;

/** A failure with the place it came from. */
export function inContext(error: unknown, prefix: string): unknown {
  return error instanceof RunError ? new RunError(`${prefix}: ${error.message}`) : error;
}
