import { hostileText, hostileValue } from './hostile-values.js';
import type { Random } from './random.js';

type Place = readonly (string | number)[];

/** Copies a JSON value with one place changed. */
export function mutateValue(random: Random, value: unknown): unknown {
  const place = random.pick(placesIn(value));
  return random.weighted<() => unknown>([
    [6, () => replaceAt(value, place, () => hostileValue(random))],
    [
      3,
      () =>
        replaceAt(value, place, (old) =>
          typeof old === 'string' ? hostileText(random) : hostileValue(random),
        ),
    ],
    [
      2,
      () =>
        replaceAt(value, place, (old) => withKey(old, hostileText(random), hostileValue(random))),
    ],
    [1, () => replaceAt(value, place, (old) => [old, old])],
    [1, () => replaceAt(value, place, (old) => ({ value: old }))],
    [1, () => removeAt(value, place)],
    [1, () => replaceAt(value, place, (old) => Array.from({ length: 300 }, () => old))],
  ])();
}

const maxDepth = 30;

/** Lists every place in a value up to a depth, the whole value first. */
export function placesIn(value: unknown, above: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || above.length > maxDepth) return [above];
  return [
    above,
    ...Object.entries(value).flatMap(([key, inside]) =>
      placesIn(inside, [...above, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A copy of a JSON value with each text changed, in one pass. @param change gets the text and its keys, joined by slashes */
export function mapTexts(
  value: unknown,
  change: (text: string, place: string) => string,
  place = '',
): unknown {
  if (typeof value === 'string') return change(value, place);
  if (typeof value !== 'object' || value === null) return value;
  const inside = (key: string | number, one: unknown) =>
    mapTexts(one, change, place === '' ? String(key) : `${place}/${key}`);
  if (Array.isArray(value)) return value.map((one: unknown, index) => inside(index, one));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(key, one)]));
}

export function replaceAt(
  value: unknown,
  [key, ...rest]: Place,
  change: (old: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (index === key ? replaceAt(one, rest, change) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      name === key ? replaceAt(one, rest, change) : one,
    ]),
  );
}

export function removeAt(value: unknown, place: Place): unknown {
  const key = place.at(-1);
  return replaceAt(value, place.slice(0, -1), (holder) => {
    if (Array.isArray(holder)) return (holder as unknown[]).filter((_one, index) => index !== key);
    if (typeof holder !== 'object' || holder === null) return undefined;
    return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key));
  });
}

function withKey(old: unknown, key: string, value: unknown): unknown {
  if (typeof old !== 'object' || old === null) return value;
  return Array.isArray(old)
    ? [...(old as unknown[]), value]
    : Object.fromEntries([...Object.entries(old), [key, value]]);
}
