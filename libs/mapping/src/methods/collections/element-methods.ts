import { inContext, type Query, type Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import {
  asArray,
  Deleted,
  isNumber,
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
import { flat, free } from '../costs.js';

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
    run.holdArray(target.length);
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
  const keys = sortedKeys(target);
  run.holdFields(2 * keys.length);
  for (const key of keys) {
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
    const result = (target as Value[]).filter((element) => inner(element) === true);
    run.holdArray(result.length);
    return result;
  }
  if (!isObject(target)) throw wrongType('array or object', target);
  const result: ObjectValue = {};
  const keys = sortedKeys(target);
  run.holdFields(2 * keys.length);
  for (const key of keys) {
    run.spend(1);
    if (inner({ key, value: target[key] }) === true) setKey(result, key, target[key]);
  }
  return result;
}

/** The methods that ask a query about each element. */
export const elementMethods: readonly Method[] = [
  {
    name: 'map_each',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'elements' },
    returns: 'mapped',
    inPlace: { form: 'map_each' },
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
    cost: { ...free, own: 'elements' },
    returns: 'part',
    inPlace: { form: 'filter' },
    description: 'The elements for which a query is true.',
    parameters: test,
    examples: [['root = this.filter(v -> v > 1)', '[1,2]', '[2]']],
    run: (target, [inner], run) => filter(target, inner as Query, run),
  },
  {
    name: 'any',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'elements' },
    returns: 'small',
    description: 'Whether a query is true for an element.',
    parameters: test,
    examples: [['root = this.any(v -> v > 2)', '[1,3]', 'true']],
    run: (target, [inner], run) => eachBool(target, inner as Query, run, true) >= 0,
  },
  {
    name: 'all',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'elements' },
    returns: 'small',
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
    cost: { ...free, own: 'elements' },
    returns: 'small',
    description: 'The index of the first element for which a query is true; -1 when there is none.',
    parameters: query,
    examples: [['root = this.find_by(v -> v != "bar")', '["bar","foo"]', '1']],
    run: (target, [inner], run) => eachBool(target, inner as Query, run, true),
  },
  {
    name: 'find_all_by',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'elements' },
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
    name: 'fold',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, steps: 20, own: 'elements' },
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
    name: 'unique',
    category: 'array and object',
    purity: 'pure',
    cost: { ...flat, target: 'deep', own: 'elements' },
    returns: 'part',
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
];
