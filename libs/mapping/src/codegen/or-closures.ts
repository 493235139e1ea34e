import { NotGenerated } from './emitter.js';

/** What was generated; closures for templates that are too large, and in processes that forbid to make code of texts. */
export function orClosures<T>(generate: () => T, closures: T): T {
  try {
    return generate();
  } catch (error) {
    if (error instanceof NotGenerated || error instanceof EvalError || error instanceof RangeError)
      return closures;
    throw error;
  }
}
