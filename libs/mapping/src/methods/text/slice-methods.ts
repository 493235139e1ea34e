import { findText, splitText } from '../../language/find-text.js';
import { payKeys, payText } from '../../language/meter.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asString, isObject, type Value, wrongType } from '../../language/values.js';
import { isAscii, textOf } from '../text.js';
import { textParameter } from '../text-method.js';
import { flat, free } from '../costs.js';

function length(target: Value): number {
  if (typeof target === 'string') {
    payText(target.length);
    return Buffer.byteLength(target);
  }
  if (target instanceof Uint8Array || Array.isArray(target)) return target.length;
  if (isObject(target)) {
    const { length: count } = Object.keys(target);
    payKeys(count);
    return count;
  }
  throw wrongType('string, array or object', target);
}

/** @throws RunError for bounds between which nothing can be, however long the target is */
function checkBounds(low: Value, high: Value): void {
  if (
    high !== undefined &&
    high !== null &&
    Number(low) >= Number(high) &&
    Number(low) < 0 === Number(high) < 0
  )
    throw new RunError(
      `lower slice bound ${Number(low)} must be lower than upper bound ${Number(high)}`,
    );
}

/** Half-open bounds, negative ones from the end. */
function bounds(size: number, low: Value, high: Value): [number, number] {
  const place = (given: number) => Math.max(0, Math.min(size, given < 0 ? size + given : given));
  const [from, to] = [
    place(Number(low)),
    high === undefined || high === null ? size : place(Number(high)),
  ];
  checkBounds(low, high);
  return [from, Math.max(from, to)];
}

function slice(target: Value, low: Value, high: Value): Value {
  if (Array.isArray(target)) return (target as Value[]).slice(...bounds(target.length, low, high));
  if (target instanceof Uint8Array) return target.subarray(...bounds(target.length, low, high));
  if (typeof target !== 'string') throw wrongType('string, array or bytes', target);
  if (isAscii(target)) return target.slice(...bounds(target.length, low, high));
  const bytes = Buffer.from(target);
  return bytes.subarray(...bounds(bytes.length, low, high)).toString();
}

function letters(value: string, run: Run): string[] {
  if (value.length > 2 * run.limits.arrayLength) run.array(value.length >> 1);
  run.spend(value.length);
  return [...value];
}

export const sliceMethods: readonly Method[] = [
  {
    name: 'length',
    category: 'string',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'small',
    inPlace: { form: 'length' },
    description: 'Bytes of a text, elements of an array, keys of an object.',
    examples: [['root = this.map_each(v -> v.length())', '["äa",[1,2],{"a":1}]', '[3,2,1]']],
    run: (target) => length(target),
  },
  {
    name: 'slice',
    check: ([low, high]) => checkBounds(low, high),
    category: 'string',
    purity: 'pure',
    cost: flat,
    returns: 'part',
    description: 'A part of a text or array, from low up to high; negative from the end.',
    parameters: [
      { name: 'low', type: 'integer' },
      { name: 'high', type: 'integer', optional: true },
    ],
    examples: [
      ['root = this.slice(1, 3)', '"hello"', '"el"'],
      ['root = this.slice(-2)', '[1,2,3]', '[2,3]'],
    ],
    run: (target, [low, high]) => slice(target, low, high),
  },
  {
    name: 'index_of',
    category: 'string',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description: 'The byte at which a text first stands in the target; -1 when it does not.',
    parameters: [textParameter('value')],
    examples: [['root = this.index_of("bar")', '"foobar"', '3']],
    run: (target, [value]) => {
      const place = findText(asString(target), textOf(value));
      return place < 0 ? -1 : Buffer.byteLength(asString(target).slice(0, place));
    },
  },
  {
    name: 'split',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 10, own: 'size' },
    returns: 'made',
    description: 'The parts between delimiters; without one, the letters.',
    parameters: [
      textParameter('delimiter'),
      { name: 'empty_as_null', type: 'bool', default: false },
    ],
    examples: [['root = this.split(",")', '"a,b"', '["a","b"]']],
    run: (target, [delimiter, emptyAsNull], run) => {
      const value = asString(target);
      // One more than there may be is enough to know that there are too many.
      const maxParts = run.limits.arrayLength + 1;
      const parts =
        delimiter === '' ? letters(value, run) : splitText(value, textOf(delimiter), maxParts);
      run.array(parts.length);
      run.holdFields(parts.length);
      if (typeof target === 'string' && emptyAsNull !== true) return parts;
      const shown = target instanceof Uint8Array ? parts.map((part) => Buffer.from(part)) : parts;
      return emptyAsNull === true ? shown.map((part) => (part.length === 0 ? null : part)) : shown;
    },
  },
];
