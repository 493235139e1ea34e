import { bodyFieldTable } from './generated/body-fields.js';
import type { OperationId } from './operations.js';

/** The fields that a JSON body may have: true for a value or anything; `*` for the items of a list and the values of a map. */
export type BodyFields = true | { readonly [name: string]: BodyFields };

/** Returns the fields of the JSON body of a management operation; undefined for operations without a JSON body. */
export function bodyFields(id: OperationId): BodyFields | undefined {
  return bodyFieldTable[id] as BodyFields | undefined;
}
