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

/** Maximum number of fields that an error message lists. */
const maxNames = 30;

/** A longer name is not a misspelled one, and comparing takes as long as both are. */
const maxNameLength = 100;

/** Suggests the field that was probably meant, or lists all fields. */
export function suggest(name: string, fields: Fields): string {
  const names = Object.keys(fields);
  const near = names.find(
    (known) =>
      name.length <= maxNameLength &&
      editDistance(known, name) <= Math.max(1, Math.floor(known.length / 4)),
  );
  if (near) return `Did you mean "${near}"?`;
  if (names.length === 0) return 'It has no fields for this.';
  const more = names.length - maxNames;
  return `The fields are ${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
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

/** Returns the names of the fields that filters and orders begin with, each once. */
export function namesOf(conditions: readonly string[]): string[] {
  return [...new Set(conditions.map((text) => /^\s*([A-Za-z_][\w.]*)/.exec(text)?.[1] ?? ''))];
}
