import { NotGenerated } from './emitter.js';

/** Generates code; returns the closures for templates that are too large, and in processes that do not allow code to be generated. */
export function orClosures<T>(generate: () => T, closures: T): T {
  try {
    return generate();
  } catch (error) {
    if (error instanceof NotGenerated || error instanceof EvalError || error instanceof RangeError)
      return closures;
    throw error;
  }
}
