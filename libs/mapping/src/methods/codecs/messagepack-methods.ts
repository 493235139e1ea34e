import type * as messagePack from '@msgpack/msgpack';
import { optionalPackage } from '../../language/optional-package.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { Timestamp } from '../../language/timestamp.js';
import {
  isObject,
  normalize,
  type ObjectValue,
  setKey,
  sortedKeys,
  type Value,
} from '../../language/values.js';
import { bytesOf } from '../text.js';
import { deep } from '../costs.js';

const library = optionalPackage<typeof messagePack>('@msgpack/msgpack', 3);

const int64 = 2n ** 63n;

/** Converts the result of the reader to values of the language. */
function read(value: unknown, run: Run): Value {
  run.spend(1);
  if (typeof value === 'bigint') return value < int64 ? normalize(value) : Number(value);
  if (Array.isArray(value)) return value.map((one) => read(one, run));
  if (value instanceof Date) return value.toISOString();
  if (!isObject(value)) return value ?? null;
  const result: ObjectValue = {};
  for (const key of Object.keys(value)) setKey(result, key, read(value[key], run));
  return result;
}

/** Values as MessagePack has them: times as texts, keys in order. */
function writable(value: Value, run: Run): unknown {
  run.spend(1);
  if (Array.isArray(value)) return value.map((one) => writable(one, run));
  if (value instanceof Timestamp) return value.toString();
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  for (const key of sortedKeys(value)) setKey(result, key, writable(value[key], run));
  return result;
}

export const messagePackMethods: readonly Method[] = [
  {
    name: 'parse_msgpack',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 100, own: 'size' },
    needs: library,
    description: 'The value of a MessagePack message.',
    examples: [['root = this.decode("hex").parse_msgpack()', '"81a16101"', '{"a":1}']],
    run: (target, _args, run) => {
      const bytes = bytesOf(target);
      run.spend(bytes.length);
      const { stringLength, arrayLength } = run.limits;
      let made: unknown;
      try {
        made = library.load().decode(bytes, {
          useBigInt64: true,
          maxStrLength: stringLength,
          maxBinLength: stringLength,
          // The reader sets an array aside before it has read the elements.
          maxArrayLength: Math.min(arrayLength, bytes.length),
          maxMapLength: Math.min(arrayLength, bytes.length),
        });
      } catch (error) {
        throw new RunError(`failed to parse value as MessagePack: ${(error as Error).message}`);
      }
      return read(made, run);
    },
  },
  {
    name: 'format_msgpack',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, own: 'size' },
    needs: library,
    description: 'The value as MessagePack, in bytes, keys in order.',
    examples: [['root = this.format_msgpack().encode("hex")', '{"a":1}', '"81a16101"']],
    run: (target, _args, run) => {
      const bytes = library
        .load()
        .encode(writable(target, run), { useBigInt64: true, maxDepth: 1_000 });
      run.string(bytes.length);
      return Buffer.from(bytes);
    },
  },
];
