import * as client from '@onefold/client';
import type { OperationId } from '#contract';

/** Finds the method of the client for TypeScript that sends an operation. @throws Error if it has none */
export function methodOf(id: OperationId): { group: string; method: string; isList: boolean } {
  for (const [group, lines] of Object.entries(client as object))
    for (const [method, line] of Object.entries(lines as object) as [string, unknown][])
      if (typeof line === 'string' && line.startsWith(`${id} `))
        return { group, method, isList: / (?:cursor|after=)/.test(line) };
  throw new Error(`the client has no method for ${id}`);
}
