import { isIP } from 'node:net';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { asString, type Value } from '../../language/values.js';
import { formatValues, readForm } from './format.js';
import { onText } from '../text.js';
import { deep, flat, formatNanoseconds } from '../costs.js';

function reverse(value: string): string {
  // Code units the other way round, whose surrogates then change places.
  const units = Buffer.from(value, 'utf16le').swap16().reverse().toString('utf16le');
  return units.replace(/([\udc00-\udfff])([\ud800-\udbff])/g, '$2$1');
}

function timesOf(count: Value): number {
  if (Number(count) >= 0) return Number(count);
  throw new RunError('invalid count, must be greater than or equal to zero');
}

/** The longest address has 45 characters, and a zone of its host may follow. */
const maxAddressLength = 128;

export const stringMethods: readonly Method[] = [
  {
    name: 'ip_version',
    category: 'string',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description:
      'The number 4 or 6 for the address of a host; null for a host name or another text.',
    examples: [
      ['root.ip = if this.ip_version() != null { this }', '"10.0.0.1"', '{"ip":"10.0.0.1"}'],
      [
        'root = this.map_each(one -> one.ip_version())',
        '["::1","10.0.0.0/8","db"]',
        '[6,null,null]',
      ],
    ],
    run: (target) => {
      const text = asString(target);
      return (text.length <= maxAddressLength && isIP(text)) || null;
    },
  },
  {
    name: 'repeat',
    check: ([count]) => void timesOf(count),
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 5, own: 'size' },
    description: 'The text that many times.',
    parameters: [{ name: 'count', type: 'integer' }],
    examples: [['root = this.repeat(3)', '"ab"', '"ababab"']],
    run: (target, [count], run) => {
      const times = timesOf(count);
      return onText((value) => {
        run.string(value.length * times);
        return value.repeat(times);
      })(target);
    },
  },
  {
    name: 'reverse',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 40 },
    description: 'The letters from last to first.',
    examples: [['root = this.reverse()', '"backwards"', '"sdrawkcab"']],
    run: (target) =>
      target instanceof Uint8Array ? Buffer.from(target).reverse() : reverse(asString(target)),
  },
  {
    name: 'format',
    category: 'string',
    purity: 'pure',
    cost: { ...deep, nanoseconds: formatNanoseconds, own: 'size' },
    returns: 'made',
    inPlace: { form: 'format' },
    description: 'Puts values into a text at verbs such as %s, %v, %d, %.2f.',
    variadic: 'any',
    examples: [
      ['root = "%s is %d".format(this.name, this.age)', '{"name":"Ann","age":30}', '"Ann is 30"'],
    ],
    run: (target, args, run) => formatValues(readForm(asString(target)), args, run),
    prepare: ({ target }) => {
      if (typeof target !== 'string') return undefined;
      const form = readForm(target);
      return (_target, args, run) => formatValues(form, args, run);
    },
  },
];
