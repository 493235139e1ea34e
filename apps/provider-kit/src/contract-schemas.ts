/** A schema of the contract, as far as it is described in words. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  readOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { mapping: Record<string, string> };
}

/** A field of an object, with its type in words. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  isReadOnly: boolean;
}

/** The schemas of one half of the contract, by their names. */
export class ContractSchemas {
  constructor(private readonly schemas: Readonly<Record<string, Schema>>) {}

  /** Follows a reference, and a union with null alone. */
  resolve(schema: Schema): Schema {
    const { $ref, anyOf } = schema;
    if ($ref !== undefined) return this.resolve(this.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    const [first, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
    return first !== undefined && others.length === 0 ? this.resolve(first) : schema;
  }

  /** Says what a value is: `string`, `list of string`, `time, RFC 3339`. */
  typeOf(schema: Schema): string {
    const whole = this.resolve(schema);
    const { type, items, format, properties, discriminator } = whole;
    if (whole.enum !== undefined)
      return whole.enum
        .filter((one) => one !== null)
        .map((one) => JSON.stringify(one))
        .join(' | ');
    // A union of the contract with a tag is a credential: its kinds, each of which may also be the id of a stored one.
    if (discriminator !== undefined) {
      const kinds = Object.keys(discriminator.mapping).filter((kind) => !kind.endsWith('_id'));
      return `credential: ${kinds.join(' or ')}`;
    }
    if (items !== undefined) return `list of ${this.typeOf(items)}`;
    const names = Object.keys(properties ?? {});
    if (names.length > 0) return `object of ${names.join(', ')}`;
    const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
    if (format === 'date-time') return 'time, RFC 3339';
    return types.length === 0 ? 'anything' : types.join(' or ');
  }

  /** The own fields of an object. */
  fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
    return Object.entries(properties).map(([name, one]) => ({
      name,
      type: this.typeOf(one),
      isRequired: required.includes(name),
      isReadOnly: one.readOnly === true,
    }));
  }
}

/** Writes a line for each field. */
export function showFields(fields: readonly Field[]): string[] {
  if (fields.length === 0) return ['  any fields'];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.map(({ name, type, isRequired, isReadOnly }) => {
    const notes = [...(isRequired ? ['required'] : []), ...(isReadOnly ? ['read-only'] : [])];
    return `  ${name.padEnd(width)}  ${type}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
  });
}
