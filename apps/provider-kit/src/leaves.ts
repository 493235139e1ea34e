/** A value of JSON that has none inside. */
export interface Leaf {
  /** The names that lead to it, each behind a slash; `*` is any item of a list. */
  place: string;
  value: string | number | boolean | null;
}

/** Lists the leaves of a value of JSON. @param without names of fields that are left out, at any depth */
export function leavesOf(value: unknown, without: readonly string[] = [], place = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ place, value } as Leaf];
  return Object.entries(value).flatMap(([name, one]) =>
    without.includes(name)
      ? []
      : leavesOf(one, without, `${place}/${Array.isArray(value) ? '*' : name}`),
  );
}
