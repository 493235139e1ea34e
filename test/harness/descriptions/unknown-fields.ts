type Schema = Record<string, unknown>;

/**
 * Lists the fields of a value that none of its schemas has, by their places, such as `/users/0/name`. An object is not looked into if no schema
 * names its fields, or one allows others.
 * @param resolve returns the schema that a reference names, and others as they are
 */
export function unknownFields(
  value: unknown,
  schemas: readonly unknown[],
  resolve: (schema: unknown) => Schema | undefined,
): string[] {
  const found = new Set<string>();
  const visit = (inside: unknown, given: readonly unknown[], place: string) => {
    if (typeof inside !== 'object' || inside === null) return;
    const all = given.flatMap((one) => alternativesOf(one, resolve));
    if (Array.isArray(inside)) {
      const items = all.flatMap(({ items: inner }) => (inner === undefined ? [] : [inner]));
      for (const one of inside) visit(one, items, `${place}/*`);
      return;
    }
    const named = all.flatMap(({ properties }) => (properties === undefined ? [] : [properties]));
    const isOpen = named.length === 0 || all.some(allowsOthers);
    for (const [name, one] of Object.entries(inside)) {
      const inner = named.flatMap((properties) => (properties as Schema)[name] ?? []);
      if (inner.length > 0) visit(one, inner, `${place}/${name}`);
      else if (!isOpen) found.add(`${place}/${name}`);
    }
  };
  visit(value, schemas, '');
  return [...found];
}

/** A schema with all that it is made of, at any depth. */
function alternativesOf(
  schema: unknown,
  resolve: (schema: unknown) => Schema | undefined,
  seen = new Set<unknown>(),
): Schema[] {
  const own = resolve(schema);
  if (own === undefined || seen.has(own)) return [];
  seen.add(own);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as unknown[]);
  return [own, ...parts.flatMap((part) => alternativesOf(part, resolve, seen))];
}

function allowsOthers({ additionalProperties, patternProperties }: Schema): boolean {
  const isDeclared = additionalProperties !== undefined && additionalProperties !== false;
  return isDeclared || patternProperties !== undefined;
}
