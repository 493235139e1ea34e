export type Scalar = null | boolean | number | string;
/** JSON as it is read. */
export type Json = Scalar | Json[] | { [name: string]: Json };

/** A place of an answer: names and indexes. */
export type Path = readonly (string | number)[];

/** A change of one value, as vendors and customers make it. */
export interface Variant {
  name: string;
  /** @returns the value instead, or {@link absent}; undefined if the variant does not concern such values */
  of: (value: Json) => Json | typeof absent | undefined;
}

/** The value is not there at all. */
export const absent: unique symbol = Symbol('absent');
/** A text that no vendor has: an enumeration's new value. */
export const unknownText = 'Unheard-of value';
/** Stands for the integer that JavaScript's numbers cannot have, 2^53+1, until it is written as text. */
const bigMark = '@@9007199254740993@@';

/** Writes a value as JSON. */
export function writeJson(answer: Json): string {
  return JSON.stringify(answer).replaceAll(`"${bigMark}"`, '9007199254740993');
}

const isScalar = (value: Json) => typeof value !== 'object' || value === null;
const isTime = (value: Json): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value);

export const variants: readonly Variant[] = [
  { name: 'absent', of: () => absent },
  { name: 'null', of: (value) => (value === null ? undefined : null) },
  { name: 'an empty text', of: (value) => (typeof value === 'string' ? '' : undefined) },
  { name: 'an empty list', of: (value) => (value === null ? undefined : []) },
  {
    name: 'a number as text',
    of: (value) => (typeof value === 'number' ? String(value) : undefined),
  },
  { name: 'a text as number', of: (value) => (typeof value === 'string' ? 7 : undefined) },
  {
    name: 'one in place of a list',
    of: (value) => (Array.isArray(value) ? value[0] : undefined),
  },
  {
    name: 'a list in place of one',
    of: (value) => (Array.isArray(value) || value === null ? undefined : [value]),
  },
  {
    name: 'an unknown text',
    of: (value) => (typeof value === 'string' ? unknownText : undefined),
  },
  { name: '2^53+1', of: (value) => (typeof value === 'number' ? bigMark : undefined) },
  {
    name: 'a time in epoch seconds',
    of: (value) => (isTime(value) ? Math.floor(Date.parse(value) / 1000) : undefined),
  },
  {
    name: 'a time with an offset',
    of: (value) => (isTime(value) ? `${value.slice(0, 19)}.000+0000` : undefined),
  },
];

/** Nested names as one with dots: `{"a": {"b": 1}}` as `{"a.b": 1}`. */
export const dotted: unique symbol = Symbol('dotted');

/** The value instead of one. */
export type To = Json | typeof absent | typeof dotted;

/** A class of places: all that differ in the indexes of lists alone. */
export interface Place {
  /** With `*` for every index: `issues.*.fields.status`. */
  name: string;
  /** One path for each item of the outermost list: the first inside it. */
  paths: Path[];
}

/** Lists the places of an answer, its own value left out. */
export function placesOf(answer: Json): Place[] {
  const places = new Map<string, Map<string, Path>>();
  const visit = (value: Json, path: Path, name: string): void => {
    if (path.length > 0 && typeof path.at(-1) === 'string') {
      const known = places.get(name) ?? new Map<string, Path>();
      const outermost = String(path.find((part) => typeof part === 'number') ?? '');
      if (!known.has(outermost)) known.set(outermost, path);
      places.set(name, known);
    }
    if (isScalar(value)) return;
    if (Array.isArray(value))
      value.forEach((one, index) => visit(one, [...path, index], `${name}.*`));
    else
      for (const [key, one] of Object.entries(value as Record<string, Json>))
        visit(one, [...path, key], name === '' ? key : `${name}.${key}`);
  };
  visit(answer, [], '');
  return [...places].map(([name, known]) => ({ name, paths: [...known.values()] }));
}

/** Returns the value at a path. */
export function valueAt(answer: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (inside, part) => (inside as Record<string | number, Json> | null | undefined)?.[part],
    answer,
  );
}

/** Changes the value at a path of a copy of the answer. */
export function changeAt(answer: Json, path: Path, to: To): void {
  const last = path.at(-1) as string;
  const holder = valueAt(answer, path.slice(0, -1)) as Record<string, Json>;
  if (to === dotted) {
    const inner = holder[last] as Record<string, Json>;
    delete holder[last];
    for (const [name, value] of Object.entries(inner)) holder[`${last}.${name}`] = value;
  } else if (to === absent) delete holder[last];
  else holder[last] = to;
}

/** Lists the changes that concern a value. */
export function changesOf(value: Json): { name: string; to: To }[] {
  const changes = variants.flatMap(({ name, of }): { name: string; to: To }[] => {
    const to = of(value);
    return to === undefined ? [] : [{ name, to }];
  });
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // The text and the attributes of an element of XML have no name of an element.
  const isNamed = isObject && Object.keys(value).every((name) => /^[^#-]/.test(name));
  return isNamed ? [...changes, { name: 'dotted names', to: dotted }] : changes;
}
