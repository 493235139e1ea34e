export type FieldType = 'string' | 'number' | 'boolean' | 'datetime' | 'enum' | 'list';

/** A field that can be filtered or ordered by. */
export interface Field {
  type: FieldType;
  /** The values of an enum. */
  values?: readonly string[];
  /** False for fields that filter but do not order. */
  orders?: boolean;
}

/** Fields by wire name; nested ones with dots. */
export type Fields = Readonly<Record<string, Field>>;

/** A hint at the field somebody may have meant, or all of them. */
export function suggest(name: string, fields: Fields): string {
  const names = Object.keys(fields);
  const near = names.find(
    (known) => distance(known, name) <= Math.max(1, Math.floor(known.length / 4)),
  );
  return near ? `Did you mean "${near}"?` : `The fields are ${names.join(', ')}.`;
}

function distance(a: string, b: string): number {
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
