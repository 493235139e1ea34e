import { sample } from './sample.js';
import { resolve, type Schema, type Side, variantOf, variantsOf } from './schemas.js';

type Place = readonly (string | number)[];

/** Returns the places where a body of this schema may contain free text: JSON Pointers as lists of keys. */
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
  const variants = relevantVariants(side, node);
  if (variants) return variants.flatMap((one) => textPlaces(side, one, at, seen));
  const types = [node.type ?? (node.properties ? 'object' : 'string')].flat();
  if (types.includes('object'))
    return Object.entries(node.properties ?? {}).flatMap(([key, value]) =>
      textPlaces(side, value, [...at, key], seen),
    );
  if (types.includes('array') && node.items) return textPlaces(side, node.items, [...at, 0], seen);
  return types.includes('string') ? [at] : [];
}

/** Copies a body with a text set at a place. Missing objects and arrays on the path get the minimum that the schema requires. */
export function withText(
  side: Side,
  schema: Schema,
  body: unknown,
  [key, ...rest]: Place,
  text: string,
): unknown {
  if (key === undefined) return text;
  const node = schemaHolding(side, schema, [key, ...rest]);
  if (typeof key === 'number') {
    const below = node.items ?? {};
    const first: unknown = Array.isArray(body) ? body[0] : undefined;
    const base = first ?? sample(side, schemaHolding(side, below, rest));
    return [withText(side, below, base, rest, text)];
  }
  const fields = {
    ...(sample(side, node) as object),
    ...(matchesVariant(side, node, body) ? body : {}),
  } as Record<string, unknown>;
  const below = node.properties?.[key] ?? {};
  const inside =
    fields[key] ?? (rest.length > 0 ? sample(side, schemaHolding(side, below, rest)) : '');
  return { ...fields, [key]: withText(side, below, inside, rest, text) };
}

/** Returns the variant of a union that contains the place; the schema itself if it is not a union. */
function schemaHolding(side: Side, schema: Schema, place: Place): Schema {
  const node = resolve(side, schema);
  const variants = relevantVariants(side, node);
  if (!variants) return node;
  const wanted = place.join('/');
  const found = variants.find((one) =>
    textPlaces(side, one).some((path) => path.join('/') === wanted),
  );
  return schemaHolding(side, found ?? variants[0] ?? {}, place);
}

/** Returns the variants of a union. For the union of all provider configurations one is enough, because it has every place for a credential. */
function relevantVariants(side: Side, node: Schema): readonly Schema[] | undefined {
  const variants = variantsOf(node);
  return variants && variants.length > 8 ? [variantOf(side, variants, /jira$/)] : variants;
}

/** True when a value matches the constants of this variant, so that its fields can be kept. */
function matchesVariant(side: Side, node: Schema, body: unknown): body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return Object.entries(node.properties ?? {}).every(([key, schema]) => {
    const { const: constant } = resolve(side, schema);
    return constant === undefined || (body as Record<string, unknown>)[key] === constant;
  });
}
