export type FieldType = 'string' | 'number' | 'boolean' | 'datetime' | 'enum' | 'list';

/** A field that can be filtered or ordered by. */
export interface Field {
  type: FieldType;
  /** The allowed values of an enum. */
  values?: readonly string[];
  /** False for fields that can be filtered by but not ordered by. */
  orders?: boolean;
  /** Where the value is in a record, with dots into objects; the name of the field when absent. */
  path?: string;
}

/** Fields by wire name; nested names are joined with dots. */
export type Fields = Readonly<Record<string, Field>>;

/** Suggests the field that was probably meant, or lists all fields. */
export function suggest(name: string, fields: Fields): string {
  const names = Object.keys(fields);
  const near = names.find(
    (known) => editDistance(known, name) <= Math.max(1, Math.floor(known.length / 4)),
  );
  return near ? `Did you mean "${near}"?` : `The fields are ${names.join(', ')}.`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
