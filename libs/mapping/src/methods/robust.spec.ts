import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formatJson,
  LimitError,
  Nothing,
  RunError,
  Timestamp,
  maxLimits,
  type Value,
  standardEnvironment,
} from '../index.js';
import { Run } from '../language/run.js';
import type { Parameter, ParameterType } from '../language/specification.js';

const { functions, methods } = standardEnvironment;

const words = fc.constantFrom(
  '',
  'a',
  'gzip',
  'hex',
  'base64',
  'sha256',
  'hmac_sha1',
  'UTC',
  'Europe/Berlin',
  '2006-01-02',
  '%Y-%m-%d',
  'P1Y',
  '1h',
  'a.b.*',
  '$..a',
  '(a+)+',
  '{"type":"object"}',
  '<a b="c">d</a>',
  '2020-01-01T00:00:00Z',
  '0x7f',
  '1e400',
  'constructor',
  '__proto__',
  '\ud800',
);
const text = fc.oneof(words, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -1, 1e21, -1e300, Infinity, Number.NaN, 2 ** 53),
  fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n),
);
const scalar: fc.Arbitrary<Value> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.bigInt(-62_167_219_200n, 253_402_300_799n).map((at) => new Timestamp(Number(at))),
);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('a', 'b', '__proto__', '-a', '#text'), text),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
}));

const byType: Record<ParameterType, fc.Arbitrary<Value>> = {
  string: fc.oneof(
    text,
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
  integer: number.filter((one) => typeof one === 'bigint' || Number.isFinite(one)),
  number,
  bool: fc.boolean(),
  array: fc.array(value, { maxLength: 4 }),
  object: fc.dictionary(text, value, { maxKeys: 3 }),
  timestamp: value,
  query: fc.func(value),
  any: value,
};

/** Arguments as a call of these parameters passes them. */
function argumentsOf(
  parameters: readonly Parameter[] = [],
  variadic?: ParameterType,
): fc.Arbitrary<Value[]> {
  const fixed = parameters.map(({ type, optional, default: usual }) =>
    optional || usual !== undefined ? fc.oneof(fc.constant(usual), byType[type]) : byType[type],
  );
  const rest = variadic ? fc.array(byType[variadic], { maxLength: 3 }) : fc.constant([]);
  return fc.tuple(fc.tuple(...fixed), rest).map(([some, more]) => [...some, ...more]);
}

const newRun = () =>
  new Run(
    Nothing,
    { a: 1 },
    { key: 'value' },
    { ...maxLimits, fuel: 200_000, stringLength: 100_000, arrayLength: 10_000 },
    { now: () => 1_577_836_800_123, random: () => 0.5 },
    () => {
      throw new RunError('there is no template');
    },
  );

/** Fails for what a template could neither catch nor is to blame for. */
function explained(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RunError || error instanceof LimitError)) throw error;
  }
}

describe('whatever it is given', () => {
  it.each([...methods.values()])('$name fails as templates fail, or not at all', (method) => {
    fc.assert(
      fc.property(value, argumentsOf(method.parameters, method.variadic), (target, given) => {
        explained(() => formatJson(method.run(target, given, newRun())));
      }),
      { numRuns: 60 },
    );
    expect.assertions(0);
  });

  it.each([...functions.values()])('$name() fails as templates fail, or not at all', (one) => {
    fc.assert(
      fc.property(value, argumentsOf(one.parameters, one.variadic), (self, given) => {
        explained(() => formatJson(one.run(given, newRun(), self)));
      }),
      { numRuns: 60 },
    );
    expect.assertions(0);
  });
});
