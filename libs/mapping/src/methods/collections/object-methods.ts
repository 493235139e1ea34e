import { dotPath, dotSegment, readDotPath } from '../../language/dot-path.js';
import { keySteps } from '../../language/meter.js';
import type { Query, Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import {
  asArray,
  asObject,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  sortedKeys,
  typeName,
  type Value,
  wrongType,
} from '../../language/values.js';
import { copy } from './copy.js';
import { only, paidPlaces, placesOf, without } from './kept-places.js';
import { textOf } from '../text.js';
import { deep, free } from '../costs.js';

const path = [{ name: 'path', type: 'string' }] as const;

type Collide = (left: Value, right: Value, run: Run) => Value;

/** Merges objects deep. `collide` says what becomes of two values that are not both objects. */
class Merger {
  /** Objects that this call made, which may change. */
  private readonly made = new Set<Value>();

  constructor(
    private readonly collide: Collide,
    private readonly run: Run,
  ) {}

  merge(left: Value, right: Value): Value {
    this.run.spend(1);
    if (!isObject(left) || !isObject(right)) return this.collide(left, right, this.run);
    const result = this.made.has(left) ? left : this.copied(left);
    const keys = Object.keys(right);
    this.paid(keys.length);
    for (const key of keys)
      setKey(
        result,
        key,
        Object.hasOwn(result, key)
          ? this.merge(result[key], right[key])
          : copy(right[key], this.run),
      );
    return result;
  }

  private copied(object: ObjectValue): ObjectValue {
    const result: ObjectValue = { ...object };
    this.paid(Object.keys(object).length);
    this.made.add(result);
    return result;
  }

  private paid(fields: number): void {
    this.run.spend(keySteps(fields));
    this.run.holdFields(fields);
  }
}

function together(left: Value, right: Value, run: Run): Value {
  const parts = [left, right].map((one) => (Array.isArray(one) ? (one as Value[]) : [one]));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  run.array(length);
  run.holdArray(length);
  return parts.flat(1);
}

function mergeMethod(target: Value, other: Value, collide: Collide, run: Run): Value {
  if (Array.isArray(target)) return together(target, other, run);
  if (!isObject(target)) throw wrongType('object or array', target);
  if (!isObject(other)) throw wrongType('object', other);
  return new Merger(collide, run).merge(target, other);
}

function collapse(value: Value, includeEmpty: boolean, run: Run): ObjectValue {
  const result: ObjectValue = {};
  const walk = (at: Value, way: string): void => {
    run.spend(1);
    const entries: [string, Value][] = Array.isArray(at)
      ? (at as Value[]).map((one, index) => [String(index), one])
      : isObject(at)
        ? sortedKeys(at).map((key) => [dotSegment(key), at[key]])
        : [];
    if (Array.isArray(at) || isObject(at)) {
      if (entries.length === 0 && includeEmpty && way !== '') setKey(result, way, at);
      for (const [key, inner] of entries) walk(inner, way === '' ? key : `${way}.${key}`);
    } else {
      run.string(way.length);
      run.holdText(way.length);
      setKey(result, way, at);
    }
  };
  walk(value, '');
  return result;
}

function explode(target: Value, way: string, run: Run): Value {
  const segments = dotPath(way);
  const inner = readDotPath(target, segments);
  const put = (value: Value): Value => {
    const whole = copy(target, run) as ObjectValue;
    let at = whole;
    for (const segment of segments.slice(0, -1)) at = at[segment] as ObjectValue;
    setKey(at, segments.at(-1) ?? '', copy(value, run));
    return whole;
  };
  if (Array.isArray(inner)) {
    run.array(inner.length * 4);
    return (inner as Value[]).map(put);
  }
  if (!isObject(inner))
    throw new RunError(
      `expected array or object value at path '${way}', found: ${typeName(inner)}`,
    );
  return Object.fromEntries(sortedKeys(inner).map((key) => [key, put(inner[key])]));
}

export const objectMethods: readonly Method[] = [
  {
    name: 'get',
    category: 'array and object',
    purity: 'pure',
    cost: free,
    returns: 'part',
    description: 'What lies at a dot path; null when nothing does.',
    parameters: path,
    examples: [['root = this.get("a.b")', '{"a":{"b":1}}', '1']],
    run: (target, [way]) => readDotPath(target, dotPath(textOf(way))) ?? null,
  },
  {
    name: 'exists',
    category: 'array and object',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'Whether something lies at a dot path, null included.',
    parameters: path,
    examples: [['root = this.exists("bar.baz")', '{"bar":{"baz":null}}', 'true']],
    run: (target, [way]) => readDotPath(target, dotPath(textOf(way))) !== undefined,
  },
  {
    name: 'keys',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, result: 'flat', own: 'sort' },
    description: 'The keys, sorted.',
    examples: [['root = this.keys()', '{"a":2,"b":1}', '["a","b"]']],
    run: (target) => sortedKeys(asObject(target)),
  },
  {
    name: 'values',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, result: 'flat', own: 'sort' },
    description: 'The values in the order of their keys.',
    examples: [['root = this.values()', '{"a":2,"b":1}', '[2,1]']],
    run: (target) => sortedKeys(asObject(target)).map((key) => asObject(target)[key]),
  },
  {
    name: 'key_values',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, result: 'flat', own: 'sort' },
    description: 'Keys and values in the order of the keys.',
    examples: [
      [
        'root = this.key_values()',
        '{"a":2,"b":1}',
        '[{"key":"a","value":2},{"key":"b","value":1}]',
      ],
    ],
    run: (target, _args, run) => {
      const keys = sortedKeys(asObject(target));
      run.spend(keys.length);
      run.holdFields(2 * keys.length);
      return keys.map((key) => ({ key, value: asObject(target)[key] }));
    },
  },
  {
    name: 'map_each_key',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'elements' },
    description: 'Each key by what a query makes of it.',
    parameters: [{ name: 'query', type: 'query' }],
    examples: [['root = this.map_each_key(key -> key.uppercase())', '{"a":1}', '{"A":1}']],
    run: (target, [inner], run) => {
      const object = asObject(target);
      const result: ObjectValue = {};
      const keys = sortedKeys(object);
      run.holdFields(keys.length);
      for (const key of keys) {
        run.spend(1);
        const fresh = (inner as Query)(key);
        if (fresh !== Nothing && typeof fresh !== 'string')
          throw new RunError(
            `unexpected result from key mapping, expected string, got ${typeName(fresh)}`,
          );
        setKey(result, typeof fresh === 'string' ? fresh : key, object[key]);
      }
      return result;
    },
  },
  {
    name: 'merge',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'size' },
    description: 'With another object, deep; values that collide become arrays.',
    parameters: [{ name: 'with', type: 'any' }],
    examples: [
      [
        'root = this.merge({"likes": "foos", "b": 2})',
        '{"a":1,"likes":"bars"}',
        '{"a":1,"b":2,"likes":["bars","foos"]}',
      ],
    ],
    run: (target, [other], run) => mergeMethod(target, other, together, run),
  },
  {
    name: 'assign',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'size' },
    description: 'With another object, deep; its values win.',
    parameters: [{ name: 'with', type: 'any' }],
    examples: [
      ['root = this.assign({"likes": "foos"})', '{"a":1,"likes":"bars"}', '{"a":1,"likes":"foos"}'],
    ],
    run: (target, [other], run) =>
      mergeMethod(target, other, (_left, right) => copy(right, run), run),
  },
  {
    name: 'squash',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'square' },
    description: 'The objects of an array as one.',
    examples: [['root = this.squash()', '[{"a":[1]},{"a":[2],"b":3}]', '{"a":[1,2],"b":3}']],
    run: (target, _args, run) => {
      const merger = new Merger(together, run);
      return asArray(target).reduce((all, one) => merger.merge(all, asObject(one)), {} as Value);
    },
  },
  {
    name: 'without',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'size' },
    returns: 'part',
    description:
      'Without what lies at these dot paths. In an array a number is an element, `*` or nothing stands for all.',
    variadic: 'string',
    examples: [
      ['root = this.without("a.b", "c")', '{"a":{"b":1,"d":2},"c":3}', '{"a":{"d":2}}'],
      ['root = this.without("a.*.b", "a.0")', '{"a":[{"b":1},{"b":2,"c":3}]}', '{"a":[{"c":3}]}'],
    ],
    run: (target, args, run) => without(asObject(target), paidPlaces(args, run), run),
    prepare: ({ args }) => {
      const places = args && placesOf(args);
      return places && ((target, _args, run) => without(asObject(target), places, run));
    },
  },
  {
    name: 'with',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'size' },
    returns: 'part',
    description:
      'Only what lies at these dot paths. In an array a number is an element, `*` or nothing stands for all.',
    variadic: 'string',
    examples: [
      [
        'root = this.with("inner.a", "d")',
        '{"d":3,"e":4,"inner":{"a":1,"b":2}}',
        '{"d":3,"inner":{"a":1}}',
      ],
      ['root = this.with("a.*.b")', '{"a":[{"b":1,"c":2},{"b":3}]}', '{"a":[{"b":1},{"b":3}]}'],
    ],
    run: (target, args, run) => only(asObject(target), paidPlaces(args, run), run),
    prepare: ({ args }) => {
      const places = args && placesOf(args);
      return places && ((target, _args, run) => only(asObject(target), places, run));
    },
  },
  {
    name: 'collapse',
    category: 'array and object',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 10, steps: 20, own: 'size' },
    description: 'A flat object keyed by dot paths.',
    parameters: [{ name: 'include_empty', type: 'bool', default: false }],
    examples: [
      [
        'root = this.collapse()',
        '{"foo":[{"bar":"1"},{"bar":"2"}]}',
        '{"foo.0.bar":"1","foo.1.bar":"2"}',
      ],
    ],
    run: (target, [includeEmpty], run) => {
      if (!isObject(target) && !Array.isArray(target)) throw wrongType('object or array', target);
      return collapse(target, includeEmpty === true, run);
    },
  },
  {
    name: 'explode',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 10, own: 'square' },
    description: 'One document per element at a dot path.',
    parameters: path,
    examples: [
      [
        'root = this.explode("value")',
        '{"id":1,"value":["foo","bar"]}',
        '[{"id":1,"value":"foo"},{"id":1,"value":"bar"}]',
      ],
    ],
    run: (target, [way], run) => explode(target, textOf(way), run),
  },
];
