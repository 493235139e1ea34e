type Schema = Record<string, unknown>;

/**
 * Copies a value without the fields that its JSON Schema does not know, which newer clients may send. Unused fields are
 * not stored, and a secret under a wrong name is not shown. Fields are kept where a schema allows any.
 * @param root document that references of the schema point into
 */
export function knownFields<T>(value: T, schema: Schema, root: Schema = schema): T {
  return keep(value, [schema], root, 0) as T;
}

/** Lists the paths of fields that a value has and its copy of known fields has not, the outermost only. */
export function droppedFields(value: unknown, kept: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || value === kept) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const at = [...path, name];
    const hasKept = typeof kept === 'object' && kept !== null && Object.hasOwn(kept, name);
    return hasKept ? droppedFields(one, (kept as Record<string, unknown>)[name], at) : [at];
  });
}

const maxDepth = 20;
const combining = ['allOf', 'anyOf', 'oneOf'];

function keep(value: unknown, schemas: readonly Schema[], root: Schema, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  const all = parts(schemas, root);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: one }) => asSchema(one));
    return items.length === 0 ? value : value.map((one) => keep(one, items, root, depth + 1));
  }
  const isOpen = !all.some(({ properties }) => properties !== undefined) || all.some(allowsAny);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const known = all.flatMap(({ properties = {} }) => {
        const fields = properties as Record<string, unknown>;
        return Object.hasOwn(fields, name) ? [fields[name]] : [];
      });
      if (known.length === 0) return isOpen ? [[name, one]] : [];
      return [[name, keep(one, known.flatMap(asSchema), root, depth + 1)]];
    }),
  );
}

/** Lists schemas with those that they combine, each once, because they may refer to each other. */
function parts(schemas: readonly Schema[], root: Schema): Schema[] {
  const all = new Set(schemas);
  for (const schema of all) {
    const { $ref, then, else: otherwise } = schema;
    const inner = [
      ...combining.flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [])),
      then,
      otherwise,
      typeof $ref === 'string' ? resolveReference(root, $ref) : undefined,
    ];
    for (const one of inner.flatMap(asSchema)) all.add(one);
  }
  return [...all];
}

function resolveReference(root: Schema, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, key) => (asSchema(at).some((one) => Object.hasOwn(one, key)) ? (at as Schema)[key] : {}),
      root,
    );
}

function allowsAny({ additionalProperties, patternProperties }: Schema): boolean {
  return (additionalProperties ?? false) !== false || patternProperties !== undefined;
}

function asSchema(value: unknown): Schema[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? [value as Schema]
    : [];
}
