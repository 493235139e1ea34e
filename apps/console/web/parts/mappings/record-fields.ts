import { plain, type Resolve, type Schema, typeOf } from '../../forms/schema.js';
import type { Completion } from '../completion.js';

/** The schema of the records that an operation returns, of what it answers. */
export function recordOf(response: Schema, resolve: Resolve): Schema | undefined {
  const { result } = plain(response, resolve).properties ?? {};
  if (result === undefined) return undefined;
  const schema = plain(result, resolve);
  return schema.items ? plain(schema.items, resolve) : schema;
}

/** Fields that the contract has at a path of a record. */
export function declaredFields(
  record: Schema,
  path: readonly string[],
  resolve: Resolve,
): Completion[] {
  let schema: Schema | undefined = plain(record, resolve);
  for (const step of path) {
    const inner: Schema | undefined = /^\d+$/.test(step) ? schema.items : schema.properties?.[step];
    if (inner === undefined) return [];
    schema = plain(inner, resolve);
  }
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const one = plain(given, resolve);
    const values = one.enum?.filter((value) => typeof value === 'string').join(', ');
    return {
      name,
      inserted: asStep(name),
      detail: typeOf(one) ?? 'any',
      ...(one.description === undefined ? {} : { description: one.description }),
      ...(values ? { example: values } : {}),
    };
  });
}

/** Fields that a record has at a path. */
export function actualFields(record: unknown, path: readonly string[]): Completion[] {
  let value = record;
  for (const step of path) value = (value as Record<string, unknown> | null | undefined)?.[step];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([name, one]) => ({
    name,
    inserted: asStep(name),
    detail: kindOf(one),
    description: 'A field of the record.',
    example: shortOf(one),
  }));
}

/** Each name once; what comes first is kept. */
export function merged(...lists: readonly (readonly Completion[])[]): Completion[] {
  return [
    ...new Map(
      lists
        .toReversed()
        .flat()
        .map((one) => [one.name, one]),
    ).values(),
  ];
}

function asStep(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const maxShown = 80;

function shortOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)} …`;
}
