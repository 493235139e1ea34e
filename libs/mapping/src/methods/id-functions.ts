import type { Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Function } from '../language/specification.js';
import { Timestamp } from '../language/timestamp.js';
import { textOf } from './text.js';
import { deep, free } from './costs.js';

/** Steps of a random number: the host asks its own source for each. */
const randomSteps = 10;

function random(run: Run): number {
  run.spend(randomSteps);
  return run.surroundings.random();
}

function randomBytes(run: Run, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random(run) * 256)));
}

function uuid(bytes: Buffer, version: number): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
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

/** Functions that make ids, by the clock and the chance that the run is given. */
export const idFunctions: readonly Function[] = [
  {
    name: 'random_int',
    purity: 'random',
    cost: { ...free, own: 'random' },
    description: 'A random integer between min and max, both included.',
    parameters: [
      { name: 'seed', type: 'query', optional: true },
      { name: 'min', type: 'integer', default: 0 },
      { name: 'max', type: 'integer', default: Number.MAX_SAFE_INTEGER - 1 },
    ],
    examples: [['root = random_int(min: 3, max: 3)', '{}', '3']],
    run: ([, min, max], run) => {
      const [low, high] = [Number(min), Number(max)];
      if (high < low) throw new RunError(`min (${low}) must be smaller than max (${high})`);
      return low + Math.floor(random(run) * (high - low + 1));
    },
  },
  {
    name: 'uuid_v4',
    purity: 'random',
    cost: { ...free, own: 'random' },
    returns: 'small',
    description: 'A random UUID.',
    examples: [['root = uuid_v4().length()', '{}', '36']],
    run: (_args, run) => uuid(randomBytes(run, 16), 4),
  },
  {
    name: 'uuid_v7',
    purity: 'random',
    cost: { ...free, own: 'random' },
    description: 'A UUID that sorts by time.',
    parameters: [{ name: 'time', type: 'timestamp', optional: true }],
    examples: [['root = uuid_v7().length()', '{}', '36']],
    run: ([time], run) => {
      const now = time instanceof Timestamp ? time.epochMillisecond : run.surroundings.now();
      return uuid(Buffer.concat([timeBytes(now, 6), randomBytes(run, 10)]), 7);
    },
  },
  {
    name: 'ulid',
    purity: 'random',
    cost: { ...deep, own: 'random' },
    description: 'A ULID.',
    parameters: [
      { name: 'encoding', type: 'string', default: 'crockford' },
      { name: 'random_source', type: 'string', default: 'secure_random' },
    ],
    examples: [['root = ulid().length()', '{}', '26']],
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
    purity: 'random',
    cost: { ...free, own: 'random' },
    description: 'A KSUID.',
    examples: [['root = ksuid().length()', '{}', '27']],
    run: (_args, run) => {
      const seconds = Math.floor(run.surroundings.now() / 1000) - 1_400_000_000;
      return digits(Buffer.concat([timeBytes(seconds, 4), randomBytes(run, 16)]), base62, 27);
    },
  },
  {
    name: 'nanoid',
    purity: 'random',
    cost: { ...deep, own: 'random' },
    description: 'A nano id.',
    parameters: [
      { name: 'length', type: 'integer', optional: true },
      { name: 'alphabet', type: 'string', optional: true },
    ],
    examples: [['root = nanoid().length()', '{}', '21']],
    run: ([length, alphabet], run) => {
      const count = length === undefined ? 21 : Number(length);
      const letters = alphabet === undefined ? nanoidAlphabet : textOf(alphabet);
      if (count < 1 || count > 10_000 || letters === '')
        throw new RunError('a nano id has 1 to 10000 letters of a non-empty alphabet');
      run.string(count);
      return Array.from({ length: count }, () =>
        letters.charAt(Math.floor(random(run) * letters.length)),
      ).join('');
    },
  },
  {
    name: 'snowflake_id',
    purity: 'random',
    cost: { ...free, own: 'random' },
    description: 'A snowflake id.',
    parameters: [{ name: 'node_id', type: 'integer', default: 1 }],
    examples: [['root = snowflake_id().type()', '{}', '"string"']],
    run: ([node], run) => {
      const id = Math.trunc(Number(node));
      if (id < 0 || id > 1023) throw new RunError('node number must be between 0 and 1023');
      const time = BigInt(run.surroundings.now()) - 1_288_834_974_657n;
      return String((time << 22n) | (BigInt(id) << 12n) | BigInt(Math.floor(random(run) * 4096)));
    },
  },
];
