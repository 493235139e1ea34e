/**
 * A failure while a template runs, which `catch` and `|` absorb. No Error: making a stack costs twenty times the rest, and
 * templates fail on purpose.
 */
export class RunError {
  constructor(readonly message: string) {}
}

/** A limit was exceeded. Templates cannot catch it. */
export class LimitError extends Error {
  constructor(
    /** Which limit: fuel, depth, size, parts. */
    readonly limit: string,
    message: string,
  ) {
    super(message);
    this.name = 'LimitError';
  }
}
