import { sample } from './sample.js';
import { resolve, type Schema, type Side, variantOf, variantsOf } from './schemas.js';

type Place = readonly (string | number)[];

/** Where a body of this schema may hold a text that the contract says nothing about: JSON Pointers as lists of keys. */
export function textPlaces(
  side: Side,
  schema: Schema,
  at: Place = [],
  above: readonly string[] = [],
): Place[] {
  if (schema.$ref && above.includes(schema.$ref)) return [];
  const seen = schema.$ref ? [...above, schema.$ref] : above;
  const node = resolve(side, schema);
  if (node.const !== undefined || node.enum || node.format === 'date-time') return [];
  const variants = lookedAt(side, node);
  if (variants) return variants.flatMap((one) => textPlaces(side, one, at, seen));
  const types = [node.type ?? (node.properties ? 'object' : 'string')].flat();
  if (types.includes('object'))
    return Object.entries(node.properties ?? {}).flatMap(([key, value]) =>
      textPlaces(side, value, [...at, key], seen),
    );
  if (types.includes('array') && node.items) return textPlaces(side, node.items, [...at, 0], seen);
  return types.includes('string') ? [at] : [];
}

/** A copy of a body with a text at a place; what lies on the way there is the least its schema takes. */
export function withText(
  side: Side,
  schema: Schema,
  body: unknown,
  [key, ...rest]: Place,
  text: string,
): unknown {
  if (key === undefined) return text;
  const node = holding(side, schema, [key, ...rest]);
  if (typeof key === 'number') {
    const below = node.items ?? {};
    const first: unknown = Array.isArray(body) ? body[0] : undefined;
    const base = first ?? sample(side, holding(side, below, rest));
    return [withText(side, below, base, rest, text)];
  }
  const fields = {
    ...(sample(side, node) as object),
    ...(isFitting(side, node, body) ? body : {}),
  } as Record<string, unknown>;
  const below = node.properties?.[key] ?? {};
  const inside = fields[key] ?? (rest.length > 0 ? sample(side, holding(side, below, rest)) : '');
  return { ...fields, [key]: withText(side, below, inside, rest, text) };
}

/** The variant of a union that has the place; the schema itself where it is none. */
function holding(side: Side, schema: Schema, place: Place): Schema {
  const node = resolve(side, schema);
  const variants = lookedAt(side, node);
  if (!variants) return node;
  const wanted = place.join('/');
  const found = variants.find((one) =>
    textPlaces(side, one).some((path) => path.join('/') === wanted),
  );
  return holding(side, found ?? variants[0] ?? {}, place);
}

/** The variants of a union. Of the many providers' configurations one has every place for a credential that the others have. */
function lookedAt(side: Side, node: Schema): readonly Schema[] | undefined {
  const variants = variantsOf(node);
  return variants && variants.length > 8 ? [variantOf(side, variants, /jira$/)] : variants;
}

/** True when a value is of this variant: what belongs to another one would not fit in. */
function isFitting(side: Side, node: Schema, body: unknown): body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(node.properties ?? {}).every(([key, schema]) => {
    const { const: constant } = resolve(side, schema);
    return constant === undefined || (body as Record<string, unknown>)[key] === constant;
  });
}
