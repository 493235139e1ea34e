import type { Value } from '@onefold/mapping';

/** A place of records: names of fields, and `*` for each item of a list. */
export type Place = readonly string[];

type Holder = Record<string, Value>;

const separator = '\0';

/** Lists the places at which records have a value that is not null, the outer before the inner ones. */
export function placesOf(records: readonly Value[]): Place[] {
  const found = new Set<string>();
  const visit = (value: Value, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (one === null || one === undefined) continue;
      const name = Array.isArray(value) ? '*' : key;
      const place = path === '' ? name : path + separator + name;
      if (name !== '*') found.add(place);
      visit(one as Value, place);
    }
  };
  for (const record of records) visit(record, '');
  return [...found].map((place) => place.split(separator));
}

/** The values at a place, those of all items of its lists. */
export function valuesAt(record: Value, place: Place): Value[] {
  return holdersOf(record, place)
    .map((holder) => holder[place.at(-1) ?? ''])
    .filter((value) => value !== undefined && value !== null);
}

/** Changes the values at a place. @param change returns undefined to leave the field out */
export function changeAt(record: Value, place: Place, change: (value: Value) => Value): void {
  const last = place.at(-1) ?? '';
  for (const holder of holdersOf(record, place)) {
    const value = holder[last];
    if (value === undefined || value === null) continue;
    const changed = change(value);
    if (changed === undefined) delete holder[last];
    else holder[last] = changed;
  }
}

/** The objects that have the last field of a place. */
function holdersOf(record: Value, place: Place): Holder[] {
  return place.slice(0, -1).reduce<Holder[]>(
    (holders, name) =>
      holders.flatMap((holder) => {
        const inner = name === '*' ? Object.values(holder) : [holder[name]];
        return inner.filter((one): one is Holder => typeof one === 'object' && one !== null);
      }),
    [record as Holder],
  );
}

/** Whether a place is one that a document names: `fields.priority.name`, `emails.*.type`, `fields.*` for all inside, `*` for all. */
export function isNamed(place: Place, names: readonly string[]): boolean {
  const text = place.join('.');
  return names.some((name) => {
    if (name === '*') return true;
    if (name.endsWith('.*') && text.startsWith(name.slice(0, -1))) return true;
    if (name === text) return true;
    // The objects around a value are there, too; a list that holds it may be missing.
    return name.startsWith(`${text}.`) && !name.startsWith(`${text}.*.`);
  });
}
