import { orClosures } from './or-closures.js';

/**
 * Making code costs as much as a hundred runs or more, and pays for templates that go on running: those that spent this much fuel,
 * which is a thousand runs of a template of forty fields.
 */
const defaultGenerateAfter = 100_000;

const maxGeneratedDepth = 16;

/** Runs by closures at first, and by generated code once it has run often. */
export class Adaptive<T> {
  private spent = 0;
  /** The way in which it runs now. */
  current: T;

  constructor(
    readonly closures: T,
    private readonly generate: () => T,
    private generateAfter = defaultGenerateAfter,
  ) {
    this.current = closures;
    this.note(0);
  }

  /** The way in which it runs at a depth of templates that apply each other: generated functions take more of the stack than closures. */
  at(depth: number): T {
    return depth > maxGeneratedDepth ? this.closures : this.current;
  }

  /** Counts the work of a run. */
  note(fuel: number): void {
    this.spent += fuel;
    if (this.spent >= this.generateAfter) this.promote();
  }

  private promote(): void {
    this.generateAfter = Infinity;
    this.current = orClosures(this.generate, this.closures);
  }
}
