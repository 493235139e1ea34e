import { dotPath } from '../../language/dot-path.js';
import { keySteps } from '../../language/meter.js';
import type { Run } from '../../language/run.js';
import { isObject, type ObjectValue, setKey, type Value } from '../../language/values.js';
import { copy } from './copy.js';
import { textOf } from '../text.js';

/** Places by the first segments of their paths; undefined is the place itself, with all below it. */
type Places = Map<string, Places | undefined>;

/** Reads the paths of `with` and `without`, which cost what they are long. */
export function paidPlaces(paths: readonly Value[], run: Run): Places {
  for (const path of paths) run.spend(1 + 2 * textOf(path).length);
  return placesOf(paths);
}

export function placesOf(paths: readonly Value[]): Places {
  const places: Places = new Map();
  for (const path of paths) {
    let at: Places | undefined = places;
    const segments = dotPath(textOf(path));
    for (const [index, segment] of segments.entries()) {
      if (at.has(segment) && at.get(segment) === undefined) break; // a longer path than one before says no more
      if (index === segments.length - 1) at.set(segment, undefined);
      else {
        const below: Places = at.get(segment) ?? new Map<string, Places | undefined>();
        at.set(segment, below);
        at = below;
      }
    }
  }
  return places;
}

/** Copies a value without what is at the places. */
export function without(value: Value, places: Places, run: Run): Value {
  run.spend(2);
  if (Array.isArray(value)) {
    run.holdArray(value.length);
    const placesIn = placesInArray(places, run);
    return (value as Value[]).flatMap((one, index) => {
      const { isWhole, below } = placesIn(index);
      return isWhole ? [] : [below.size === 0 ? one : without(one, below, run)];
    });
  }
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  const keys = Object.keys(value);
  run.spend(2 + keySteps(keys.length));
  run.holdFields(keys.length);
  for (const key of keys) {
    if (!places.has(key)) setKey(result, key, value[key]);
    else {
      const below = places.get(key);
      if (below !== undefined) setKey(result, key, without(value[key], below, run));
    }
  }
  return result;
}

/** Copies what is at the places of a value. */
export function only(value: Value, places: Places, run: Run): Value {
  run.spend(2);
  if (Array.isArray(value)) {
    run.holdArray(value.length);
    const placesIn = placesInArray(places, run);
    return (value as Value[]).flatMap((one, index) => {
      const { isWhole, below } = placesIn(index);
      if (isWhole) return [copy(one, run)];
      return below.size === 0 ? [] : [only(one, below, run)];
    });
  }
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  const keys = Object.keys(value);
  run.spend(2 + keySteps(keys.length));
  for (const key of keys) {
    const below = places.get(key);
    if (below !== undefined) setKey(result, key, only(value[key], below, run));
    else if (places.has(key)) setKey(result, key, copy(value[key], run));
  }
  return result;
}

interface ElementPlaces {
  /** Whether the element itself is one of the places. */
  isWhole: boolean;
  below: Places;
}

const isIndex = /^\d+$/;

/**
 * Returns the places within each element of an array. `a.*.b` and `a.b` are about every element, `a.1.b` about the second one alone;
 * `*` behind that is a second array within the first.
 */
function placesInArray(places: Places, run: Run): (index: number) => ElementPlaces {
  const shared: Places = new Map();
  let [isWhole, hasIndexes] = [false, false];
  for (const [segment, below] of places) {
    run.spend(1);
    if (segment === '*' && below === undefined) isWhole = true;
    else if (segment === '*') addPlaces(shared, below as Places, run);
    else if (isIndex.test(segment)) hasIndexes = true;
    else addPlaces(shared, new Map([[segment, below]]), run);
  }
  const every = { isWhole, below: shared };
  if (!hasIndexes || isWhole) return () => every;
  return (index) => {
    const segment = String(index);
    if (!places.has(segment)) return every;
    const own = places.get(segment);
    if (own === undefined) return { isWhole: true, below: shared };
    const below: Places = new Map();
    addPlaces(below, shared, run);
    addPlaces(below, own, run);
    return { isWhole: false, below };
  };
}

function addPlaces(to: Places, more: Places, run: Run): void {
  for (const [segment, below] of more) {
    run.spend(1);
    if (below === undefined) to.set(segment, undefined);
    else if (!to.has(segment)) to.set(segment, below);
    else {
      const known = to.get(segment);
      if (known === undefined) continue;
      const joined: Places = new Map();
      addPlaces(joined, known, run);
      addPlaces(joined, below, run);
      to.set(segment, joined);
    }
  }
}
