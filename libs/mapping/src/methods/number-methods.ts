import { RunError } from '../language/run-error.js';
import type { Method } from '../language/specification.js';
import { asNumber, normalize } from '../language/values.js';
import { wholeOf } from '../language/whole-number.js';
import { free } from './costs.js';

type Example = readonly [input: string, output: string];

function method(
  name: string,
  description: string,
  apply: (value: number | bigint) => number | bigint,
  [input, output]: Example,
): Method {
  return {
    name,
    category: 'number',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description,
    examples: [[`root = this.${name}()`, input, output]],
    run: (target) => apply(asNumber(target)),
  };
}

function unary(
  name: string,
  description: string,
  apply: (value: number) => number,
  example: Example,
): Method {
  return method(name, description, (value) => apply(Number(value)), example);
}

/** An integer beyond 2^53 is whole already. */
function rounding(
  name: string,
  description: string,
  apply: (value: number) => number,
  example: Example,
): Method {
  const round = (value: number | bigint) => (typeof value === 'bigint' ? value : apply(value) + 0);
  return method(name, description, round, example);
}

function bitwise(name: string, apply: (a: bigint, b: bigint) => bigint, output: string): Method {
  return {
    name,
    category: 'number',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: `Bitwise ${name.slice(8)} of two integers.`,
    parameters: [{ name: 'value', type: 'integer' }],
    examples: [[`root = this.${name}(6)`, '12', output]],
    run: (target, [value]) => {
      return normalize(apply(wholeOf(asNumber(target)), wholeOf(value as number | bigint)));
    },
  };
}

export const numberMethods: readonly Method[] = [
  {
    name: 'abs',
    category: 'number',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'Without its sign.',
    examples: [['root.a = this.a.abs()', '{"a":-5.5}', '{"a":5.5}']],
    run: (target) => {
      const value = asNumber(target);
      if (typeof value === 'bigint')
        return value === -(2n ** 63n) ? 2n ** 63n - 1n : normalize(value < 0n ? -value : value);
      return Math.abs(value);
    },
  },
  rounding('ceil', 'The next integer above.', Math.ceil, ['5.3', '6']),
  rounding('floor', 'The next integer below.', Math.floor, ['5.7', '5']),
  rounding(
    'round',
    'The nearest integer, halves away from zero.',
    (value) => Math.sign(value) * Math.round(Math.abs(value)),
    ['-2.5', '-3'],
  ),
  unary('cos', 'Cosine of radians.', Math.cos, ['0', '1']),
  unary('sin', 'Sine of radians.', Math.sin, ['0', '0']),
  unary('tan', 'Tangent of radians.', Math.tan, ['0', '0']),
  unary('log', 'Natural logarithm.', Math.log, ['1', '0']),
  unary('log10', 'Decimal logarithm.', Math.log10, ['1000', '3']),
  {
    name: 'pow',
    category: 'number',
    purity: 'pure',
    cost: free,
    returns: 'small',
    description: 'To the power of.',
    parameters: [{ name: 'exponent', type: 'number' }],
    examples: [['root.a = this.a.pow(3)', '{"a":2}', '{"a":8}']],
    run: (target, [exponent]) => {
      const result = Number(asNumber(target)) ** Number(exponent);
      if (Number.isNaN(result)) throw new RunError('the power is not a number');
      return result;
    },
  },
  bitwise('bitwise_and', (a, b) => a & b, '4'),
  bitwise('bitwise_or', (a, b) => a | b, '14'),
  bitwise('bitwise_xor', (a, b) => a ^ b, '10'),
];
