import type { Fields } from '#query';
import type { OperationSource } from './source.js';

/** The fields by which a document says that a list can be filtered and ordered; undefined if it says nothing. */
export function declaredFields({ fields }: OperationSource): Fields | undefined {
  if (fields === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, values, sortable, path }]) => [
      name,
      {
        type,
        ...(path === undefined ? {} : { path }),
        ...(values === undefined ? {} : { values }),
        ...(sortable === false ? { orders: false } : {}),
      },
    ]),
  );
}
