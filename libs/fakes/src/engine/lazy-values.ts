import type { Value } from '@onefold/mapping';
import { ExpressionFailure, type Query, type Scope } from '../document/expressions.js';

/**
 * The values of `this.let` in a request: constants, and queries of the route that are computed when they are first read, once.
 * So they can use records of `with`, and `with` can use them.
 */
export function lazyValues(
  constants: Readonly<Record<string, Value>>,
  queries: ReadonlyMap<string, Query>,
  scope: Scope,
): Record<string, Value> {
  const values: Record<string, Value> = { ...constants };
  for (const [name, query] of queries) {
    let isRunning = false;
    Object.defineProperty(values, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        if (isRunning) throw new ExpressionFailure(query.place, 'it needs itself');
        isRunning = true;
        const value = query.value(scope);
        Object.defineProperty(values, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return values;
}
