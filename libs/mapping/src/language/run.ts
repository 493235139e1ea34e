import type { Limits } from './limits.js';
import type { Meter } from './meter.js';
import { LimitError, RunError, toFailure } from './run-error.js';
import type { Value } from './values.js';

/** Steps between two looks at the clock: a few milliseconds. */
const sliceSteps = 20_000;

/** Shorter texts and arrays are paid for by the steps of what makes them. */
export const maxSmallText = 255;
export const maxSmallArray = 31;

/** How many texts a run remembers to have paid for: fewer than are kept, so that what it paid for is there. */
const maxMade = 100;
/** How many of them a run has for nothing, and how much each may take at most. */
const [maxFree, maxFreeSteps] = [32, 12_000];

/** The outside world, as far as a template can see it. */
export interface Surroundings {
  /** Epoch milliseconds. */
  now: () => number;
  /** A number from 0 up to 1. */
  random: () => number;
}

/** Runs a named template on a value. @returns what it made; `Nothing` when it assigned nothing. */
export type ApplyMap = (run: Run, name: string, target: Value) => Value;

/** The time, and chance that nobody can guess. */
export const systemSurroundings: Surroundings = {
  now: () => Date.now(),
  random: () => cryptoRandom(),
};

function cryptoRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32;
}

/** Fails every `.apply`, where there are no templates. */
export const noTemplates: ApplyMap = (_run, name) => {
  throw new RunError(`map ${name} was not found`);
};

/** State that most runs never need, so that they are made without it. */
interface SeldomState {
  /** Processor time at the first look at the clock, in microseconds; 0 before. */
  begun: number;
  /** Texts of which something was made in this run and paid for. */
  made: Set<string>;
  /** How many more of them cost nothing. */
  free: number;
}

/** The state of one run of a template. */
export class Run implements Meter {
  root: Value;
  /** Steps until the clock is looked at; {@link fuelLeft} says how many are left in all. */
  fuel: number;
  depth = 0;
  private reserve: number;
  private bytes: number;
  // Most templates have neither: both are made when somebody asks.
  private ownVariables: Map<string, Value> | undefined = undefined;
  private ownMetadata: Record<string, Value> | undefined = undefined;
  private ownSeldom: SeldomState | undefined = undefined;

  constructor(
    root: Value,
    readonly input: Value,
    readonly inputMetadata: Readonly<Record<string, Value>>,
    readonly limits: Limits,
    readonly surroundings: Surroundings,
    readonly apply: ApplyMap,
  ) {
    this.root = root;
    this.fuel = Math.min(limits.fuel, sliceSteps);
    this.reserve = limits.fuel - this.fuel;
    this.bytes = limits.bytes;
  }

  get fuelLeft(): number {
    return this.fuel + this.reserve;
  }

  get bytesLeft(): number {
    return this.bytes;
  }

  private get seldom(): SeldomState {
    return (this.ownSeldom ??= { begun: 0, made: new Set(), free: maxFree });
  }

  /** Goes on with what another run of the same budget has left. */
  continue(other: Run): void {
    this.fuel = other.fuel;
    this.reserve = other.reserve;
    this.bytes = other.bytes;
    this.ownSeldom = other.ownSeldom;
  }

  /** Variables that `let` has set. */
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

  /** Metadata of the output, for reading: that of the input while nothing was set. */
  get outputMetadata(): Readonly<Record<string, Value>> {
    return this.ownMetadata ?? this.inputMetadata;
  }

  /** Pays for work. @throws LimitError when there are no steps left, or the time is over */
  spend(steps: number): void {
    this.fuel -= steps;
    if (this.fuel < 0) this.refuel();
  }

  /** Begins the next slice of steps. @throws LimitError */
  refuel(): void {
    const left = this.fuelLeft;
    if (left < 0)
      throw new LimitError('fuel', `the template takes more than ${this.limits.fuel} steps`);
    this.fuel = Math.min(left, sliceSteps);
    this.reserve = left - this.fuel;
    const { user, system } = process.cpuUsage();
    const now = user + system;
    const { seldom } = this;
    if (seldom.begun === 0) seldom.begun = now;
    else if (now - seldom.begun > this.limits.deadlineMs * 1_000)
      throw new LimitError(
        'deadline',
        `the template takes more than ${this.limits.deadlineMs} ms of processor time`,
      );
  }

  /** Pays for memory. @throws LimitError */
  hold(bytes: number): void {
    this.bytes -= bytes;
    if (this.bytes < 0)
      throw new LimitError('bytes', `the template makes more than ${this.limits.bytes} bytes`);
  }

  /** Pays for a text that was made. @throws LimitError */
  holdText(length: number): void {
    if (length > maxSmallText) this.hold(2 * length);
  }

  /** Pays for an array that was made. @throws LimitError */
  holdArray(length: number): void {
    if (length > maxSmallArray) this.hold(8 * length);
  }

  /** Pays for fields of an object that was made. @throws LimitError */
  holdFields(count: number): void {
    if (count > maxSmallArray) this.hold(32 * count);
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

  /**
   * Pays for something that is made of a text and kept, such as a compiled pattern, unless this run has just paid for it: the price
   * does not depend on what other runs did. The first few are free, as templates name most of them and so have them compiled.
   */
  once(text: string, price: () => number): void {
    const { seldom } = this;
    const { made } = seldom;
    if (made.has(text)) return;
    const steps = price();
    if (seldom.free > 0 && steps <= maxFreeSteps) seldom.free -= 1;
    else this.spend(steps);
    if (made.size >= maxMade) made.clear();
    made.add(text);
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
  const failure = toFailure(error);
  if (failure instanceof RunError)
    return new RunError(`${prefix}: ${failure.message}`, failure.thrown);
  failure.context = prefix;
  return failure;
}
