import { type OperationId, recordFields } from '#contract';
import { suggestName } from '@onefold/mapping';
import type { Field, Fields } from '#query';
import type { DocumentReader, Path } from './document-reader.js';
import type { OperationSource } from './source.js';

/**
 * Returns what a list can be filtered and ordered by and its provider can fill: the fields of the contract, with what a document declares
 * of them.
 * @param filled the fields that its mapping fills; all when absent, as nothing is known then
 */
export function listFields(
  id: string,
  declared: OperationSource['fields'] = {},
  filled: readonly string[] = [],
): Fields {
  const { top = {} } = recordFields(id as OperationId) ?? {};
  const time = filled.includes('created_at') ? ['time'] : [];
  const known = filled.length === 0 ? top : pick(top, [...filled, ...time]);
  return {
    ...known,
    ...Object.fromEntries(
      Object.entries(declared).map(([name, one]) => [name, declaredField(id, name, one)]),
    ),
  };
}

function declaredField(
  id: string,
  name: string,
  { type, values, sortable, path }: NonNullable<OperationSource['fields']>[string],
): Field {
  const known = recordFields(id as OperationId)?.find(path ?? name);
  const allowed = values ?? known?.values;
  return {
    type: type ?? known?.type ?? 'string',
    ...(path === undefined ? {} : { path }),
    ...(allowed === undefined ? {} : { values: allowed }),
    ...(sortable === false || known?.orders === false ? { orders: false } : {}),
  };
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Checks that the contract has the fields that a list declares, and that each has a type. */
export function checkFields(
  reader: DocumentReader,
  place: Path,
  id: string,
  { fields = {} }: OperationSource,
): void {
  const known = recordFields(id as OperationId);
  for (const [name, { type, path = name }] of Object.entries(fields)) {
    const at = [...place, 'fields', name];
    // Below custom_fields the document knows more than the contract.
    const isFree = known === undefined || path.startsWith('custom_fields.');
    if (!isFree && known.find(path) === undefined)
      reader.fault(
        at,
        `the records of ${id} have no field "${path}" that can be compared`,
        suggestName(path, Object.keys(known.top)) ??
          `Its fields are ${Object.keys(known.top).join(', ')}.`,
      );
    else if (isFree && type === undefined)
      reader.fault(at, `the field "${name}" has no type`, 'Add type: string, or what it is.');
  }
}
