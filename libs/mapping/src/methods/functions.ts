import {
  clone,
  Deleted,
  getKey,
  normalize,
  Nothing,
  type ObjectValue,
  type Value,
} from '../language/values.js';
import { dotPath, readDotPath } from '../language/dot-path.js';
import { formatJson } from '../language/json.js';
import type { Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Function, Refused } from '../language/specification.js';
import { Timestamp } from '../language/timestamp.js';
import { textOf } from './text.js';

const optionalKey = [{ name: 'key', type: 'string', default: '' }] as const;

function stringified(record: Readonly<ObjectValue>, key: Value): Value {
  if (key !== '') {
    const value = getKey(record, key as string);
    return value === null ? null : textOf(value);
  }
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));
}

function unixTime(divisor: bigint): (run: Run) => Value {
  return (run) => normalize((BigInt(run.surroundings.now()) * 1_000_000n) / divisor);
}

function randomBytes(run: Run, count: number): Buffer {
  return Buffer.from(
    Array.from({ length: count }, () => Math.floor(run.surroundings.random() * 256)),
  );
}

function uuid(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const nanoidAlphabet = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict';

function digits(bytes: Buffer, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = alphabet.charAt(Number(value % base)) + text;
    value /= base;
  }
  return text;
}

function timeBytes(milliseconds: number, count: number): Buffer {
  return Buffer.from(
    BigInt(milliseconds)
      .toString(16)
      .padStart(count * 2, '0'),
    'hex',
  );
}

/** All functions. */
export const functions: readonly Function[] = [
  {
    name: 'deleted',
    description: 'Removes what it is assigned to.',
    examples: [['root = this\nroot.a = deleted()', '{"a":1,"b":2}', '{"b":2}']],
    run: () => Deleted,
  },
  {
    name: 'nothing',
    description: 'Skips the assignment.',
    examples: [['root.a = nothing()\nroot.b = 1', '{}', '{"b":1}']],
    run: () => Nothing,
  },
  { name: 'pi', description: 'The number pi.', run: () => Math.PI },
  {
    name: 'throw',
    description: 'Fails with a text.',
    parameters: [{ name: 'why', type: 'string' }],
    examples: [['root.a = throw("no").catch(this)', '{}', '{"a":"no"}']],
    run: ([why]) => {
      throw new RunError(textOf(why));
    },
  },
  {
    name: 'var',
    description: 'A variable by its name.',
    parameters: [{ name: 'name', type: 'string' }],
    run: ([name], run) => {
      const value = run.variables.get(name as string);
      if (value === undefined) throw new RunError(`variable '${String(name)}' undefined`);
      return value;
    },
  },
  {
    name: 'range',
    description: 'Integers from start up to, not including, stop.',
    parameters: [
      { name: 'start', type: 'integer' },
      { name: 'stop', type: 'integer' },
      { name: 'step', type: 'integer', default: 1 },
    ],
    examples: [['root = range(0, 5, 2)', '{}', '[0,2]']],
    run: (args, run) => {
      const [start = 0, stop = 0, step = 1] = args.map((one) => Math.trunc(Number(one)));
      if (step === 0) throw new RunError('step must not be 0');
      if (step > 0 ? start >= stop : start <= stop)
        throw new RunError(
          step > 0
            ? 'with positive step arg stop must be greater than start'
            : 'with negative step arg stop must be less than start',
        );
      const count = Math.floor((stop - start) / step);
      run.array(count);
      return Array.from({ length: count }, (_one, index) => start + index * step);
    },
  },
  {
    name: 'bytes',
    description: 'That many zero bytes.',
    parameters: [{ name: 'length', type: 'integer' }],
    run: ([length], run) => {
      const count = Number(length);
      if (count < 0) throw new RunError('the length of bytes cannot be negative');
      run.string(count);
      return Buffer.alloc(count);
    },
  },
  {
    name: 'content',
    description: 'The input document as bytes.',
    run: (_args, run) =>
      typeof run.input === 'string' ? Buffer.from(run.input) : Buffer.from(formatJson(run.input)),
  },
  {
    name: 'json',
    description: 'A field of the input by its dot path, whatever `this` is.',
    parameters: [{ name: 'path', type: 'string', default: '' }],
    run: ([path], run) => clone(readDotPath(run.input, dotPath(path as string)) ?? null),
  },
  {
    name: 'metadata',
    description: 'A metadata value of the input.',
    parameters: optionalKey,
    run: ([key], run) =>
      key === '' ? clone(run.inputMetadata) : getKey(run.inputMetadata, key as string),
  },
  {
    name: 'meta',
    description: 'A metadata value of the input as text.',
    parameters: optionalKey,
    run: ([key], run) => stringified(run.inputMetadata, key),
  },
  {
    name: 'root_meta',
    description: 'A metadata value of the output as text.',
    parameters: optionalKey,
    run: ([key], run) => stringified(run.metadata, key),
  },
  {
    name: 'now',
    description: 'The time of the run in RFC 3339.',
    run: (_args, run) => new Timestamp(BigInt(run.surroundings.now()) * 1_000_000n).toString(),
  },
  {
    name: 'timestamp_unix',
    description: 'Seconds since 1970.',
    run: (_args, run) => unixTime(1_000_000_000n)(run),
  },
  {
    name: 'timestamp_unix_milli',
    description: 'Milliseconds since 1970.',
    run: (_args, run) => unixTime(1_000_000n)(run),
  },
  {
    name: 'timestamp_unix_micro',
    description: 'Microseconds since 1970.',
    run: (_args, run) => unixTime(1_000n)(run),
  },
  {
    name: 'timestamp_unix_nano',
    description: 'Nanoseconds since 1970.',
    run: (_args, run) => unixTime(1n)(run),
  },
  {
    name: 'random_int',
    description: 'A random integer between min and max, both included.',
    parameters: [
      { name: 'seed', type: 'query', optional: true },
      { name: 'min', type: 'integer', default: 0 },
      { name: 'max', type: 'integer', default: Number.MAX_SAFE_INTEGER - 1 },
    ],
    run: ([, min, max], run) => {
      const [low, high] = [Number(min), Number(max)];
      if (high < low) throw new RunError(`min (${low}) must be smaller than max (${high})`);
      return low + Math.floor(run.surroundings.random() * (high - low + 1));
    },
  },
  {
    name: 'uuid_v4',
    description: 'A random UUID.',
    run: (_args, run) => uuid(randomBytes(run, 16), 4),
  },
  {
    name: 'uuid_v7',
    description: 'A UUID that sorts by time.',
    parameters: [{ name: 'time', type: 'timestamp', optional: true }],
    run: ([time], run) => {
      const now =
        time instanceof Timestamp ? Number(time.nanoseconds / 1_000_000n) : run.surroundings.now();
      return uuid(Buffer.concat([timeBytes(now, 6), randomBytes(run, 10)]), 7);
    },
  },
  {
    name: 'ulid',
    description: 'A ULID.',
    parameters: [
      { name: 'encoding', type: 'string', default: 'crockford' },
      { name: 'random_source', type: 'string', default: 'secure_random' },
    ],
    run: ([encoding], run) => {
      const bytes = Buffer.concat([timeBytes(run.surroundings.now(), 6), randomBytes(run, 10)]);
      if (encoding === 'hex') return bytes.toString('hex');
      if (encoding !== 'crockford')
        throw new RunError(`invalid ulid encoding: ${textOf(encoding)}`);
      return digits(bytes, crockford, 26);
    },
  },
  {
    name: 'ksuid',
    description: 'A KSUID.',
    run: (_args, run) => {
      const seconds = Math.floor(run.surroundings.now() / 1000) - 1_400_000_000;
      return digits(Buffer.concat([timeBytes(seconds, 4), randomBytes(run, 16)]), base62, 27);
    },
  },
  {
    name: 'nanoid',
    description: 'A nano id.',
    parameters: [
      { name: 'length', type: 'integer', optional: true },
      { name: 'alphabet', type: 'string', optional: true },
    ],
    run: ([length, alphabet], run) => {
      const count = length === undefined ? 21 : Number(length);
      const letters = alphabet === undefined ? nanoidAlphabet : textOf(alphabet);
      if (count < 1 || count > 10_000 || letters === '')
        throw new RunError('a nano id has 1 to 10000 letters of a non-empty alphabet');
      run.string(count);
      return Array.from({ length: count }, () =>
        letters.charAt(Math.floor(run.surroundings.random() * letters.length)),
      ).join('');
    },
  },
  {
    name: 'snowflake_id',
    description: 'A snowflake id.',
    parameters: [{ name: 'node_id', type: 'integer', default: 1 }],
    run: ([node], run) => {
      const id = Math.trunc(Number(node));
      if (id < 0 || id > 1023) throw new RunError('node number must be between 0 and 1023');
      const time = BigInt(run.surroundings.now()) - 1_288_834_974_657n;
      return String(
        (time << 22n) | (BigInt(id) << 12n) | BigInt(Math.floor(run.surroundings.random() * 4096)),
      );
    },
  },
  { name: 'batch_index', description: 'Always 0: there is one document.', run: () => 0 },
  { name: 'batch_size', description: 'Always 1: there is one document.', run: () => 1 },
  { name: 'error', description: 'Always null: documents carry no failure.', run: () => null },
  { name: 'errored', description: 'Always false: documents carry no failure.', run: () => false },
  { name: 'error_source_label', description: 'Always null.', run: () => null },
  { name: 'error_source_name', description: 'Always null.', run: () => null },
  { name: 'error_source_path', description: 'Always null.', run: () => null },
  { name: 'tracing_id', description: 'Always empty.', run: () => '' },
  { name: 'tracing_span', description: 'Always null.', run: () => null },
];

export const refusedFunctions: Refused = {
  count: 'it counts across all templates of the process',
  counter: 'it keeps state between runs',
  env: 'templates do not read the environment',
  fake: 'mappings map what is there',
  file: 'templates do not read files',
  file_rel: 'templates do not read files',
  hostname: 'templates do not read the environment',
};
