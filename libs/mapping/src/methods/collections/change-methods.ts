import { formatJson } from '../../language/json.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import {
  asArray,
  asString,
  equal,
  getKey,
  isObject,
  type ObjectValue,
  sortedKeys,
  typeName,
  type Value,
} from '../../language/values.js';
import { copy } from './copy.js';
import { type Change, patchValue } from './patch-value.js';
import { deep } from '../costs.js';

/** Steps of writing an element as a text, and of finding it by that. */
const elementSteps = 8;

/** Finds the changes that make one value of another. */
class Comparison {
  readonly changes: Change[] = [];

  constructor(private readonly run: Run) {}

  compare(path: readonly string[], a: Value, b: Value): void {
    this.run.spend(1);
    if (isObject(a) && isObject(b)) this.objects(path, a, b);
    else if (Array.isArray(a) && Array.isArray(b)) this.arrays(path, a, b);
    else if (!equal(a, b)) {
      if (a !== null && b !== null && typeName(a) !== typeName(b))
        throw new RunError(
          `types do not match at ${path.join('.') || 'the root'}: ${typeName(a)} and ${typeName(b)}`,
        );
      this.add('update', path, a, b);
    }
  }

  add(kind: Change['kind'], path: readonly string[], from: Value, to: Value): void {
    this.run.array(this.changes.length + 1);
    this.changes.push({ kind, path, from, to });
  }

  /** Copies a path for a place below it, which takes long where values are deep. */
  private below(path: readonly string[], key: string): string[] {
    this.run.spend(path.length >> 4);
    return [...path, key];
  }

  private objects(path: readonly string[], a: ObjectValue, b: ObjectValue): void {
    for (const key of sortedKeys(a)) {
      const inner = this.below(path, key);
      if (Object.hasOwn(b, key)) this.compare(inner, a[key] ?? null, b[key] ?? null);
      else this.add('delete', inner, a[key], null);
    }
    for (const key of sortedKeys(b))
      if (!Object.hasOwn(a, key)) this.add('create', this.below(path, key), null, b[key]);
  }

  /** Arrays are compared as sets in which elements may repeat: only those without a partner are changes, by their index. */
  private arrays(path: readonly string[], a: readonly Value[], b: readonly Value[]): void {
    const partners = this.indexesByText(b);
    const onlyA = this.without(a, partners);
    const onlyB = new Set([...partners.values()].flat());
    for (const index of onlyA) {
      const inner = this.below(path, String(index));
      if (onlyB.delete(index)) this.compare(inner, a[index] ?? null, b[index] ?? null);
      else this.add('delete', inner, a[index], null);
    }
    for (const index of [...onlyB].sort((one, other) => one - other))
      this.add('create', this.below(path, String(index)), null, b[index]);
  }

  private indexesByText(list: readonly Value[]): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (const [index, element] of list.entries()) {
      const text = this.textOf(element);
      const known = found.get(text);
      if (known) known.push(index);
      else found.set(text, [index]);
    }
    for (const indexes of found.values()) indexes.reverse();
    return found;
  }

  /** The indexes of elements that have no partner left; each takes its own. */
  private without(list: readonly Value[], partners: Map<string, number[]>): number[] {
    return [...list.keys()].filter(
      (index) => partners.get(this.textOf(list[index]))?.pop() === undefined,
    );
  }

  private textOf(value: Value): string {
    const text = formatJson(value);
    this.run.spend(elementSteps + (text.length >> 4));
    return text;
  }
}

function diff(a: Value, b: Value, run: Run): Value {
  if (a === null || a === undefined) return null;
  const comparison = new Comparison(run);
  if (b !== null) comparison.compare([], a, b);
  else if (isObject(a)) comparison.compare([], a, {});
  else comparison.add('delete', [], a, null);
  return comparison.changes.map(({ kind, path, from, to }) => ({
    Type: kind,
    Path: path,
    From: copy(from, run),
    To: copy(to, run),
  }));
}

/** A change out of a changelog; the names of its fields may be in lower case. */
function readChange(value: Value, place: number): Change {
  const fault = (text: string) => new RunError(`change ${place} of the changelog: ${text}`);
  if (!isObject(value)) throw fault(`expected object value, got ${typeName(value)}`);
  const field = (name: string) => getKey(value, name) ?? getKey(value, name.toLowerCase());
  const kind = field('Type');
  if (kind !== 'create' && kind !== 'update' && kind !== 'delete')
    throw fault('its Type must be create, update or delete');
  const path = field('Path');
  if (!Array.isArray(path)) throw fault('its Path is not an array of keys and indexes');
  return { kind, path: path.map((one) => asString(one)), from: field('From'), to: field('To') };
}

export const changeMethods: readonly Method[] = [
  {
    name: 'diff',
    category: 'array and object',
    purity: 'pure',
    cost: { ...deep, own: 'square' },
    description:
      'The changes that make another value of this one: Type (create, update, delete), Path, From and To. Arrays are compared without regard to order.',
    parameters: [{ name: 'other', type: 'any' }],
    examples: [
      [
        'root = this.before.diff(this.after)',
        '{"before":{"a":1,"b":2},"after":{"a":3}}',
        '[{"From":1,"Path":["a"],"To":3,"Type":"update"},{"From":2,"Path":["b"],"To":null,"Type":"delete"}]',
      ],
    ],
    run: (target, [other], run) => diff(target, other, run),
  },
  {
    name: 'patch',
    category: 'array and object',
    purity: 'pure',
    cost: deep,
    description: 'The value after the changes of a changelog, as `diff` makes them.',
    parameters: [{ name: 'changelog', type: 'any' }],
    examples: [
      [
        'root = this.before.patch(this.before.diff(this.after))',
        '{"before":{"a":1,"b":[1,2]},"after":{"a":3,"b":[2,4]}}',
        '{"a":3,"b":[2,4]}',
      ],
    ],
    run: (target, [changelog], run) =>
      target === null || target === undefined
        ? null
        : patchValue(target, asArray(changelog).map(readChange), run),
  },
];
