/** A place in a document: an index of an array, or a field of an object. It may be empty. */
export type Place = { list: unknown[]; index: number } | { object: object; key: string };

/** Array indexes as in RFC 6901: no sign, no leading zero, no exponent. */
const indexPattern = /^(?:0|[1-9]\d{0,14})$/;

/**
 * Finds the place of a pointer. It follows only own properties of plain objects and indexes of arrays, so that nothing inherited, and
 * nothing shared with other records, is ever read or written.
 * @returns undefined when a value on the path is missing or is not an object or array
 */
export function findPlace(document: unknown, pointer: readonly string[]): Place | undefined {
  const last = pointer.at(-1);
  if (last === undefined) return undefined;
  let value = document;
  for (const token of pointer.slice(0, -1)) {
    const place = placeIn(value, token);
    if (place === undefined || !isTaken(place)) return undefined;
    value = valueAt(place);
  }
  return placeIn(value, last);
}

/** True when the place contains a value. */
export function isTaken(place: Place): boolean {
  return 'list' in place ? place.index < place.list.length : Object.hasOwn(place.object, place.key);
}

/** Returns the value at a place that contains one. */
export function valueAt(place: Place): unknown {
  return 'list' in place
    ? place.list[place.index]
    : (place.object as Record<string, unknown>)[place.key];
}

/** Writes a value to a place; in an array it is inserted before the current item. */
export function insertAt(place: Place, value: unknown): void {
  if ('list' in place) place.list.splice(place.index, 0, value);
  else define(place.object, place.key, value);
}

/** Replaces the value at a place that contains one. */
export function replaceAt(place: Place, value: unknown): void {
  if ('list' in place) place.list[place.index] = value;
  else define(place.object, place.key, value);
}

/** Removes the value at a place that contains one. */
export function removeAt(place: Place): void {
  if ('list' in place) place.list.splice(place.index, 1);
  else Reflect.deleteProperty(place.object, place.key);
}

/** True for plain objects as JSON.parse creates them, of any realm. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function placeIn(value: unknown, token: string): Place | undefined {
  if (Array.isArray(value)) {
    const index = token === '-' ? value.length : indexPattern.test(token) ? Number(token) : NaN;
    return index <= value.length ? { list: value, index } : undefined;
  }
  // A field of this name survives JSON, but its first assignment would change the prototype.
  if (!isPlainObject(value) || token === '__proto__') return undefined;
  return { object: value, key: token };
}

/** An assignment would call an inherited setter. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
