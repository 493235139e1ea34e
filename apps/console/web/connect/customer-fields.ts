import type { Field } from '../forms/fields.js';
import { secretsIn } from '../forms/values.js';

/** Leaves out the shapes that a customer cannot use: secrets that agents of a bridge keep, and stored credentials. */
export function customerFields(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) => {
    if (field.kind === 'group') return { ...field, fields: customerFields(field.fields) };
    if (field.kind !== 'choice') return field;
    const variants = field.variants
      .filter(({ name, stored }) => name !== 'bridge' && stored === undefined)
      .map((one) => ({ ...one, fields: customerFields(one.fields) }));
    return { ...field, variants };
  });
}

/** The fields that are asked for again when the access is renewed: those with a secret, which nobody can read back. */
export function secretFields(fields: readonly Field[]): readonly Field[] {
  return fields
    .filter((field) => secretsIn([field]).length > 0)
    .map((field) => ({ ...field, isRequired: true }));
}
