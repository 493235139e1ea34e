import { findText } from '../../language/find-text.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import {
  asArray,
  asString,
  equal,
  isNumber,
  isObject,
  typeName,
  type Value,
  wrongType,
} from '../../language/values.js';
import { textOf } from '../text.js';
import { deep, flat, free } from '../costs.js';

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
    cost: flat,
    returns: 'small',
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
    name: 'find',
    category: 'array and object',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'small',
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
    cost: { ...free, own: 'size' },
    description: 'The indexes of the elements that equal a value.',
    parameters: [{ name: 'value', type: 'any' }],
    examples: [['root = this.find_all("bar")', '["foo","bar","bar"]', '[1,2]']],
    run: (target, [value], run) => {
      run.spend(asArray(target).length);
      return asArray(target).flatMap((element, index) => (equal(element, value) ? [index] : []));
    },
  },
  {
    name: 'append',
    category: 'array and object',
    purity: 'pure',
    cost: { ...flat, arguments: 'none', own: 'size' },
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
    cost: { ...flat, own: 'size' },
    returns: 'joined',
    description: 'With the elements of further arrays.',
    variadic: 'array',
    examples: [['root = this.concat([3], [4, 5])', '[1,2]', '[1,2,3,4,5]']],
    run: (target, args, run) => {
      let length = asArray(target).length;
      for (const one of args) length += asArray(one).length;
      run.array(length);
      // The host copies two lists together in half of the time that it takes for more.
      if (args.length === 1) return [...(target as Value[]), ...(args[0] as Value[])];
      return (target as Value[]).concat(...(args as Value[][]));
    },
  },
  {
    name: 'flatten',
    category: 'array and object',
    purity: 'pure',
    cost: { ...flat, own: 'size' },
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
    cost: free,
    returns: 'part',
    inPlace: { form: 'index' },
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
    cost: { ...flat, own: 'size' },
    description: 'Each element with its index.',
    examples: [['root = this.enumerated()', '["foo"]', '[{"index":0,"value":"foo"}]']],
    run: (target, _args, run) => {
      run.array(asArray(target).length);
      run.spend(asArray(target).length);
      return asArray(target).map((value, index) => ({ index, value }));
    },
  },
  {
    name: 'join',
    category: 'array and object',
    purity: 'pure',
    cost: { ...deep, result: 'flat', own: 'size' },
    returns: 'made',
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
    cost: { ...flat, own: 'size' },
    returns: 'small',
    description: 'Whether a text, an array or the values of an object contain a value.',
    parameters: [{ name: 'value', type: 'any' }],
    examples: [
      ['root = this.contains(2)', '[1,2]', 'true'],
      ['root = this.contains("b")', '"abc"', 'true'],
    ],
    run: (target, [value], run) => {
      if (typeof target === 'string' || target instanceof Uint8Array)
        return findText(asString(target), textOf(value)) >= 0;
      const list = isObject(target) ? Object.values(target) : asArray(target);
      run.spend(list.length);
      return list.some((one) => equal(one, value));
    },
  },
  {
    name: 'sum',
    category: 'array and object',
    purity: 'pure',
    cost: flat,
    returns: 'small',
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
    cost: flat,
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
