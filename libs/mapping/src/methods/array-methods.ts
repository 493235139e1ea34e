import { compareValues } from '../language/operators.js';
import { inContext, type Query, type Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Method } from '../language/specification.js';
import {
  asArray,
  asString,
  Deleted,
  equal,
  isNumber,
  isObject,
  Nothing,
  type ObjectValue,
  setKey,
  sortedKeys,
  typeName,
  type Value,
  wrongType,
} from '../language/values.js';
import { copy } from './copy.js';
import { textOf } from './text.js';

const test = [{ name: 'test', type: 'query' }] as const;
const query = [{ name: 'query', type: 'query' }] as const;

function eachBool(target: Value, inner: Query, run: Run, until: boolean): number {
  const list = asArray(target);
  run.spend(list.length);
  return list.findIndex((element, index) => {
    const holds = inner(element);
    if (typeof holds !== 'boolean')
      throw new RunError(
        `failed to process element ${index}: expected bool value, got ${typeName(holds)}`,
      );
    return holds === until;
  });
}

function mapEach(target: Value, inner: Query, run: Run): Value {
  if (Array.isArray(target)) {
    run.array(target.length);
    const result: Value[] = [];
    for (const [index, element] of (target as Value[]).entries()) {
      let value: Value;
      try {
        value = inner(element);
      } catch (error) {
        throw inContext(error, `failed to process element ${index}`);
      }
      if (value !== Deleted) result.push(value === Nothing ? element : value);
    }
    return result;
  }
  if (!isObject(target)) throw wrongType('array or object', target);
  const result: ObjectValue = {};
  for (const key of sortedKeys(target)) {
    run.spend(1);
    let value: Value;
    try {
      value = inner({ key, value: target[key] });
    } catch (error) {
      throw inContext(error, `failed to process element ${key}`);
    }
    if (value !== Deleted) setKey(result, key, value === Nothing ? target[key] : value);
  }
  return result;
}

function filter(target: Value, inner: Query, run: Run): Value {
  if (Array.isArray(target)) {
    run.spend(target.length);
    return (target as Value[]).filter((element) => inner(element) === true);
  }
  if (!isObject(target)) throw wrongType('array or object', target);
  const result: ObjectValue = {};
  for (const key of sortedKeys(target)) {
    run.spend(1);
    if (inner({ key, value: target[key] }) === true) setKey(result, key, target[key]);
  }
  return result;
}

function order(a: Value, b: Value): number {
  const result =
    (isNumber(a) && isNumber(b)) || (typeof a === 'string' && typeof b === 'string')
      ? compareValues(a, b)
      : undefined;
  if (result === undefined)
    throw new RunError(`sort element: cannot compare types ${typeName(a)} and ${typeName(b)}`);
  return result;
}

function sort(target: Value, compare: Query | undefined, run: Run): Value {
  const list = [...asArray(target)];
  run.array(list.length);
  run.spend((list.length * Math.ceil(Math.log2(list.length + 1))) >> 2);
  if (compare === undefined) return list.sort(order);
  return list.sort((left, right) => {
    run.spend(1);
    // Less means before; neither before the other keeps the sequence.
    if (compare({ left, right }) === true) return -1;
    return compare({ left: right, right: left }) === true ? 1 : 0;
  });
}

function numbers(target: Value): number[] {
  const list = asArray(target);
  return list.map((one) => {
    if (!isNumber(one)) throw wrongType('number', one);
    return Number(one);
  });
}

function extreme(name: 'min' | 'max'): Method {
  return {
    name,
    category: 'array and object',
    purity: 'pure',
    cost: 'linear',
    description: `The ${name === 'min' ? 'smallest' : 'largest'} of numbers.`,
    examples: [[`root = this.${name}()`, '[8,3,11]', name === 'min' ? '3' : '11']],
    run: (target) => {
      const list = numbers(target);
      if (list.length === 0) throw new RunError('the array was empty');
      return list.reduce((a, b) => Math[name](a, b));
    },
  };
}

export const arrayMethods: readonly Method[] = [
  {
    name: 'map_each',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description:
      'Each element by what a query makes of it; deleted() drops it. Of objects, the query sees key and value.',
    parameters: query,
    examples: [
      ['root = this.map_each(v -> v * 2)', '[1,2]', '[2,4]'],
      ['root = this.map_each(item -> item.value + 1)', '{"a":1}', '{"a":2}'],
    ],
    run: (target, [inner], run) => mapEach(target, inner as Query, run),
  },
  {
    name: 'filter',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'The elements for which a query is true.',
    parameters: test,
    examples: [['root = this.filter(v -> v > 1)', '[1,2]', '[2]']],
    run: (target, [inner], run) => filter(target, inner as Query, run),
  },
  {
    name: 'any',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'Whether a query is true for an element.',
    parameters: test,
    examples: [['root = this.any(v -> v > 2)', '[1,3]', 'true']],
    run: (target, [inner], run) => eachBool(target, inner as Query, run, true) >= 0,
  },
  {
    name: 'all',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'Whether a query is true for every element; false of none.',
    parameters: test,
    examples: [['root = this.all(v -> v > 2)', '[1,3]', 'false']],
    run: (target, [inner], run) =>
      asArray(target).length > 0 && eachBool(target, inner as Query, run, false) < 0,
  },
  {
    name: 'find_by',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'The index of the first element for which a query is true; -1 when there is none.',
    parameters: query,
    examples: [['root = this.find_by(v -> v != "bar")', '["bar","foo"]', '1']],
    run: (target, [inner], run) => eachBool(target, inner as Query, run, true),
  },
  {
    name: 'find_all_by',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'The indexes of the elements for which a query is true.',
    parameters: query,
    examples: [['root = this.find_all_by(v -> v != "bar")', '["foo","bar","baz"]', '[0,2]']],
    run: (target, [inner], run) => {
      const list = asArray(target);
      run.spend(list.length);
      return list.flatMap((element, index) => ((inner as Query)(element) === true ? [index] : []));
    },
  },
  {
    name: 'find',
    category: 'array and object',
    purity: 'pure',
    cost: 'linear',
    description: 'The index of the first element that equals a value; -1 when there is none.',
    parameters: [{ name: 'value', type: 'any' }],
    examples: [['root = this.find("bar")', '["foo","bar","baz"]', '1']],
    run: (target, [value], run) => {
      run.spend(asArray(target).length);
      return asArray(target).findIndex((element) => equal(element, value));
    },
  },
  {
    name: 'find_all',
    category: 'array and object',
    purity: 'pure',
    cost: 'linear',
    description: 'The indexes of the elements that equal a value.',
    parameters: [{ name: 'value', type: 'any' }],
    examples: [['root = this.find_all("bar")', '["foo","bar","bar"]', '[1,2]']],
    run: (target, [value], run) => {
      run.spend(asArray(target).length);
      return asArray(target).flatMap((element, index) => (equal(element, value) ? [index] : []));
    },
  },
  {
    name: 'fold',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'One value out of all elements; the query sees tally and value.',
    parameters: [
      { name: 'initial', type: 'any' },
      { name: 'query', type: 'query' },
    ],
    examples: [['root = this.fold(0, item -> item.tally + item.value)', '[1,2,3]', '6']],
    run: (target, [initial, inner], run) => {
      let tally: Value = copy(initial, run);
      for (const value of asArray(target)) {
        run.spend(1);
        tally = (inner as Query)({ tally, value });
      }
      return tally;
    },
  },
  {
    name: 'sort',
    category: 'array and object',
    purity: 'pure',
    cost: 'sort',
    description: 'In order; a query that sees left and right says what comes first.',
    parameters: [{ name: 'compare', type: 'query', optional: true }],
    examples: [
      ['root = this.sort()', '[3,1,2]', '[1,2,3]'],
      ['root = this.sort(item -> item.left > item.right)', '[1,3,2]', '[3,2,1]'],
    ],
    run: (target, [compare], run) => sort(target, compare as Query | undefined, run),
  },
  {
    name: 'sort_by',
    category: 'array and object',
    purity: 'pure',
    cost: 'sort',
    description: 'In the order of what a query makes of each element.',
    parameters: query,
    examples: [
      ['root = this.sort_by(v -> v.id)', '[{"id":"b"},{"id":"a"}]', '[{"id":"a"},{"id":"b"}]'],
    ],
    run: (target, [inner], run) => {
      const list = asArray(target);
      run.array(list.length);
      return list
        .map((element) => ({ element, key: (inner as Query)(element) }))
        .sort((a, b) => order(a.key, b.key))
        .map(({ element }) => element);
    },
  },
  {
    name: 'unique',
    category: 'array and object',
    purity: 'pure',
    cost: 'elements',
    description: 'Each text or number once; a query says what to compare.',
    parameters: [{ name: 'emit', type: 'query', optional: true }],
    examples: [['root = this.unique()', '["a","b","a"]', '["a","b"]']],
    run: (target, [emit], run) => {
      const list = asArray(target);
      run.spend(list.length);
      const seen = new Set<Value>();
      return list.filter((element) => {
        const key = emit === undefined ? element : (emit as Query)(element);
        if (typeof key !== 'string' && !isNumber(key)) throw wrongType('string or number', key);
        return seen.has(key) ? false : seen.add(key);
      });
    },
  },
  {
    name: 'append',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'With further elements.',
    variadic: 'any',
    examples: [['root = this.append("c")', '["a","b"]', '["a","b","c"]']],
    run: (target, args, run) => {
      run.array(asArray(target).length + args.length);
      return [...asArray(target), ...args];
    },
  },
  {
    name: 'concat',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'With the elements of further arrays.',
    variadic: 'array',
    examples: [['root = this.concat([3], [4, 5])', '[1,2]', '[1,2,3,4,5]']],
    run: (target, args, run) => {
      const all = [asArray(target), ...args.map((one) => asArray(one))];
      run.array(all.reduce((sum, one) => sum + one.length, 0));
      return all.flat(1);
    },
  },
  {
    name: 'flatten',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'With the elements of inner arrays in their place, one level.',
    examples: [['root = this.flatten()', '["foo",["bar","baz"]]', '["foo","bar","baz"]']],
    run: (target, _args, run) => {
      run.array(
        asArray(target).reduce(
          (sum: number, one) => sum + (Array.isArray(one) ? one.length : 1),
          0,
        ),
      );
      return asArray(target).flat(1);
    },
  },
  {
    name: 'index',
    category: 'array and object',
    purity: 'pure',
    cost: 'constant',
    description: 'The element at an index; negative from the end.',
    parameters: [{ name: 'index', type: 'integer' }],
    examples: [['root = this.index(-1)', '["rachel","stevens"]', '"stevens"']],
    run: (target, [index]) => {
      const list = target instanceof Uint8Array ? target : asArray(target);
      const place =
        Number(index) < 0 ? list.length + Math.trunc(Number(index)) : Math.trunc(Number(index));
      if (place < 0 || place >= list.length)
        throw new RunError(
          `index '${String(index)}' was out of bounds for array size: ${list.length}`,
        );
      return list[place];
    },
  },
  {
    name: 'enumerated',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'Each element with its index.',
    examples: [['root = this.enumerated()', '["foo"]', '[{"index":0,"value":"foo"}]']],
    run: (target, _args, run) => {
      run.array(asArray(target).length);
      return asArray(target).map((value, index) => ({ index, value }));
    },
  },
  {
    name: 'join',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'The texts of an array as one, with a delimiter between.',
    parameters: [{ name: 'delimiter', type: 'string', optional: true }],
    examples: [['root = this.join(", ")', '["a","b"]', '"a, b"']],
    run: (target, [delimiter], run) => {
      const parts = asArray(target).map((one, index) => {
        if (typeof one !== 'string' && !(one instanceof Uint8Array))
          throw new RunError(
            `failed to join element ${index}: expected string value, got ${typeName(one)}`,
          );
        return asString(one);
      });
      const between = delimiter === undefined ? '' : textOf(delimiter);
      run.string(parts.reduce((sum, part) => sum + part.length + between.length, 0));
      return parts.join(between);
    },
  },
  {
    name: 'contains',
    category: 'array and object',
    purity: 'pure',
    cost: 'linear',
    description: 'Whether a text, an array or the values of an object contain a value.',
    parameters: [{ name: 'value', type: 'any' }],
    examples: [
      ['root = this.contains(2)', '[1,2]', 'true'],
      ['root = this.contains("b")', '"abc"', 'true'],
    ],
    run: (target, [value], run) => {
      if (typeof target === 'string' || target instanceof Uint8Array)
        return asString(target).includes(textOf(value));
      const list = isObject(target) ? Object.values(target) : asArray(target);
      run.spend(list.length);
      return list.some((one) => equal(one, value));
    },
  },
  {
    name: 'sum',
    category: 'array and object',
    purity: 'pure',
    cost: 'linear',
    description: 'The sum of numbers.',
    examples: [['root = this.sum()', '[1,2.5]', '3.5']],
    run: (target) => (isNumber(target) ? target : numbers(target).reduce((a, b) => a + b, 0)),
  },
  extreme('min'),
  extreme('max'),
  {
    name: 'zip',
    category: 'array and object',
    purity: 'pure',
    cost: 'result',
    description: 'Elements of arrays of one length side by side.',
    variadic: 'array',
    examples: [['root = this.zip(["x", "y"])', '[1,2]', '[[1,"x"],[2,"y"]]']],
    run: (target, args, run) => {
      const all = [asArray(target), ...args.map((one) => asArray(one))];
      const [first = []] = all;
      if (all.some((one) => one.length !== first.length))
        throw new RunError('the arrays to zip must have the same length');
      run.array(first.length * all.length);
      return first.map((_one, index) => all.map((list) => list[index]));
    },
  },
];
