/**
 * A failure while a template runs, which `catch` and `|` absorb. No Error: making a stack costs twenty times the rest, and
 * templates fail on purpose.
 */
export class RunError {
  constructor(
    readonly message: string,
    /** The text of `throw("…")`, if the template has failed on purpose. */
    readonly thrown?: string,
  ) {}
}

/** A limit was exceeded. Templates cannot catch it: they would go on spending. */
export class LimitError extends Error {
  /** The text before the reason of the statement that was running, as {@link RunError} has it in its message. */
  context: string | undefined;

  constructor(
    /** Which limit: fuel, bytes, depth, size, deadline. */
    readonly limit: string,
    message: string,
  ) {
    super(message);
    this.name = 'LimitError';
  }
}

/** Converts any error to one that templates know: their own kinds stay, errors of the host become one of them. */
export function toFailure(error: unknown): RunError | LimitError {
  if (error instanceof RunError || error instanceof LimitError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/call stack/i.test(message))
    return new LimitError('depth', 'templates or values are nested too deep');
  if (/invalid (?:string|array|typed array) length|allocation failed|too large/i.test(message))
    return new LimitError('size', `a value is too large: ${message}`);
  return new RunError(`the value cannot be computed: ${message}`);
}
