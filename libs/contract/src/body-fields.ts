import { bodyFieldTable } from './generated/body-fields.js';
import type { OperationId } from './operations.js';

/** The fields a JSON body may have: true for a value, and where anything may stand; `*` for the items of a list and the values of a map. */
export type BodyFields = true | { readonly [name: string]: BodyFields };

/** What the contract knows of the JSON body of an operation of the management API; undefined where it takes none. */
export function bodyFields(id: OperationId): BodyFields | undefined {
  return bodyFieldTable[id] as BodyFields | undefined;
}
