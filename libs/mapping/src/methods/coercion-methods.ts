import { RunError } from '../language/run-error.js';
import type { Run } from '../language/run.js';
import type { Method } from '../language/specification.js';
import { isNumber, isObject, normalize, type Value, wrongType } from '../language/values.js';
import { textOf } from './text.js';
import { timestampOf } from './times/time-values.js';
import { deep, flat, free } from './costs.js';

const truths: Record<string, boolean> = {
  '1': true,
  t: true,
  T: true,
  TRUE: true,
  true: true,
  True: true,
  '0': false,
  f: false,
  F: false,
  FALSE: false,
  false: false,
  False: false,
};

/** A number out of a number or a text. */
export function numberOf(value: Value): number {
  if (isNumber(value)) return Number(value);
  const text =
    typeof value === 'string' ? value : value instanceof Uint8Array ? textOf(value) : undefined;
  if (text === undefined) throw wrongType('number', value);
  const number = Number(text);
  if (text.trim() !== text || text === '' || Number.isNaN(number))
    throw new RunError(`the text ${JSON.stringify(text.slice(0, 60))} is not a number`);
  return number;
}

function boolOf(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (isNumber(value)) return Number(value) !== 0;
  const text = typeof value === 'string' ? value : undefined;
  const known = text !== undefined && Object.hasOwn(truths, text) ? truths[text] : undefined;
  if (known === undefined) throw wrongType('bool', value);
  return known;
}

/** The text of a value, which costs as it is long. */
function written(value: Value, run: Run): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) run.string(value.length);
  const text = textOf(value);
  run.string(text.length);
  run.holdText(text.length);
  return text;
}

function notEmpty(value: Value): Value {
  const empty =
    typeof value === 'string'
      ? value === ''
      : Array.isArray(value)
        ? value.length === 0
        : isObject(value)
          ? Object.keys(value).length === 0
          : undefined;
  if (empty === undefined) throw wrongType('string, array or object', value);
  if (empty) throw new RunError(`${Array.isArray(value) ? 'array' : typeof value} value is empty`);
  return value;
}

/** No integer has more digits; reading many takes a time that grows with their square. */
const maxIntegerLength = 100;

/** An integer of so many bits out of a number or a text; the text may have a base prefix and underscores. */
function integer(bits: number, signed: boolean): (value: Value) => Value {
  const [least, most] = signed
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  return (value) => {
    let exact: bigint;
    if (typeof value === 'bigint') exact = value;
    else if (typeof value === 'number') {
      if (!Number.isInteger(value)) throw new RunError(`contains decimal: ${value}`);
      exact = BigInt(value);
    } else if (
      typeof value === 'string' &&
      value.length <= maxIntegerLength &&
      /^[-+]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][\d_]*)$/.test(value)
    ) {
      const sign = value.startsWith('-') ? -1n : 1n;
      const digits = value
        .replace(/^[-+]/, '')
        .replaceAll('_', '')
        .replace(/^0(?=\d)/, '0o');
      exact = sign * BigInt(digits);
    } else
      throw typeof value === 'string'
        ? new RunError(`the text ${JSON.stringify(value.slice(0, 60))} is not an integer`)
        : wrongType('number', value);
    if (exact < least || exact > most)
      throw new RunError(`value is out of range of ${signed ? '' : 'u'}int${bits}: ${exact}`);
    return bits === 64 && !signed
      ? exact <= BigInt(Number.MAX_SAFE_INTEGER)
        ? Number(exact)
        : exact
      : normalize(exact);
  };
}

const integers: Method[] = [8, 16, 32, 64].flatMap((bits) =>
  [true, false].map((signed) => {
    const convert = integer(bits, signed);
    return {
      name: `${signed ? '' : 'u'}int${bits}`,
      category: 'number',
      purity: 'pure',
      cost: free,
      returns: 'small',
      description: `An integer of ${bits} bits${signed ? '' : ' without sign'}.`,
      examples: [[`root = this.${signed ? '' : 'u'}int${bits}()`, '"0x7f"', '127']],
      run: (target: Value) => convert(target),
    } satisfies Method;
  }),
);

export const coercionMethods: readonly Method[] = [
  {
    name: 'string',
    category: 'coercion',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'part',
    inPlace: { form: 'same', type: 'string' },
    description: 'The value as text; objects as JSON.',
    examples: [['root.a = this.a.string()', '{"a":{"b":1}}', '{"a":"{\\"b\\":1}"}']],
    run: (target, _args, run) => written(target, run),
  },
  {
    name: 'bytes',
    category: 'coercion',
    purity: 'pure',
    cost: { ...deep, result: 'flat', own: 'size' },
    description: 'The value as bytes.',
    examples: [['root = this.bytes().length()', '"äa"', '3']],
    run: (target, _args, run) =>
      target instanceof Uint8Array ? target : Buffer.from(written(target, run)),
  },
  {
    name: 'number',
    category: 'coercion',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    inPlace: { form: 'same', type: 'number' },
    description: 'The value as a number; the default covers what is none.',
    parameters: [{ name: 'default', type: 'number', optional: true }],
    examples: [
      ['root.a = this.a.number() + 1', '{"a":"2.5"}', '{"a":3.5}'],
      ['root.a = this.a.number(7)', '{"a":"x"}', '{"a":7}'],
    ],
    run: (target) => numberOf(target),
  },
  {
    name: 'bool',
    category: 'coercion',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description: 'The value as a bool; the default covers what is none.',
    parameters: [{ name: 'default', type: 'bool', optional: true }],
    examples: [['root.a = this.a.bool()', '{"a":"true"}', '{"a":true}']],
    run: (target) => boolOf(target),
  },
  {
    name: 'timestamp',
    category: 'coercion',
    purity: 'pure',
    cost: flat,
    description: 'The value as a timestamp; the default covers what is none.',
    parameters: [{ name: 'default', type: 'timestamp', optional: true }],
    examples: [['root = this.timestamp()', '1577836800', '"2020-01-01T00:00:00Z"']],
    run: (target) => timestampOf(target),
  },
  {
    name: 'array',
    category: 'coercion',
    purity: 'pure',
    cost: free,
    returns: 'part',
    inPlace: { form: 'same', type: 'array' },
    description: 'The value in an array, unless it is one.',
    examples: [['root.a = this.a.array()', '{"a":1}', '{"a":[1]}']],
    run: (target) => (Array.isArray(target) ? (target as Value[]) : [target ?? null]),
  },
  {
    name: 'not_null',
    category: 'coercion',
    purity: 'pure',
    cost: free,
    returns: 'part',
    inPlace: { form: 'same', type: 'value' },
    description: 'Fails when the value is null.',
    examples: [['root = this.a.not_null().catch("none")', '{}', '"none"']],
    run: (target) => {
      if (target === null || target === undefined) throw new RunError('value is null');
      return target;
    },
  },
  {
    name: 'not_empty',
    category: 'coercion',
    purity: 'pure',
    cost: flat,
    returns: 'part',
    description: 'Fails when a text, array or object is empty.',
    examples: [['root = this.not_empty().catch(this)', '""', '"string value is empty"']],
    run: (target) => notEmpty(target),
  },
  {
    name: 'float64',
    category: 'number',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description: 'A double out of a number or text.',
    examples: [['root = this.float64()', '"2.5"', '2.5']],
    run: (target) => numberOf(target),
  },
  {
    name: 'float32',
    category: 'number',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description: 'Rounded to single precision.',
    examples: [['root = this.float32()', '0.1', '0.10000000149011612']],
    run: (target) => Math.fround(numberOf(target)),
  },
  ...integers,
];
