import type { Operation } from '#contract';
import { resultFields } from '../bodies/schemas.js';
import { hostileText, hostileValue } from './hostile-values.js';
import { mutateText } from './mutate-text.js';
import type { Random } from './random.js';

const tokens = [
  '',
  '-',
  '0',
  '00',
  '01',
  '1',
  '-1',
  '1e0',
  '1.0',
  '0x0',
  '4294967295',
  '4294967296',
  '99999999999999999999',
  'length',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'call',
  'push',
  'then',
  '*',
  '~0',
  '~1',
  '~',
  '~2',
  ' ',
  '%2F',
  '\u0000',
  '\ud800',
  'é',
  'x'.repeat(2_000),
];

/** Returns a JSON Patch for records of an operation, valid by RFC 6902 or not. */
export function randomPatch(random: Random, operation: Operation): unknown[] {
  const fields = [...resultFields(operation), 'custom_fields', 'unmapped', 'labels', 'tags'];
  return random.weighted<() => unknown[]>([
    [5, () => [...benign(random, fields), ...steps(random, fields, random.below(2))]],
    [5, () => steps(random, fields, 1 + random.below(2))],
    [3, () => steps(random, fields, 2 + random.below(8))],
    [1, () => growing(random, fields)],
    [1, () => repeated(random, fields)],
  ])();
}

/** Operations that are valid for the majority of records. */
function benign(random: Random, fields: readonly string[]): unknown[] {
  const texts = ['fullname', 'description', 'summary', 'content', 'title'];
  const present = texts.filter((name) => fields.includes(name));
  return present.length === 0
    ? []
    : [{ op: 'add', path: `/${random.pick(present)}`, value: `text ${random.below(1_000)}` }];
}

function steps(random: Random, fields: readonly string[], count: number): unknown[] {
  return Array.from({ length: count }, () => step(random, fields));
}

function step(random: Random, fields: readonly string[]): unknown {
  const op = random.weighted([
    [4, 'add'],
    [4, 'replace'],
    [2, 'remove'],
    [2, 'move'],
    [2, 'copy'],
    [2, 'test'],
    [1, random.pick(['', 'ADD', 'merge', '__proto__', 'constructor', null, 1, ['add']])],
  ]);
  const one: Record<string, unknown> = { op, path: pointer(random, fields) };
  if (op === 'move' || op === 'copy' || random.chance(0.05)) one['from'] = pointer(random, fields);
  if (op === 'add' || op === 'replace' || op === 'test' || random.chance(0.1))
    one['value'] = random.chance(0.4) ? plain(random) : hostileValue(random);
  if (random.chance(0.05)) delete one[random.pick(Object.keys(one))];
  if (random.chance(0.05)) one[hostileText(random)] = hostileValue(random);
  return random.chance(0.02) ? hostileValue(random) : one;
}

function pointer(random: Random, fields: readonly string[]): unknown {
  if (random.chance(0.03)) return hostileValue(random);
  const depth = random.weighted([
    [1, 0],
    [6, 1],
    [4, 2],
    [2, 3],
    [1, 6],
  ]);
  const parts = Array.from({ length: depth }, (_, level) =>
    random.chance(level === 0 ? 0.8 : 0.3) ? random.pick(fields) : random.pick(tokens),
  );
  const text = parts.map((part) => `/${part}`).join('');
  return random.chance(0.1) ? mutateText(random, text) : text;
}

const plain = (random: Random) => random.pick<unknown>(['text', ['a', 'b'], { a: 1 }, 1, true]);

/** Copies of a field into itself, each of which doubles it. */
function growing(random: Random, fields: readonly string[]): unknown[] {
  const field = random.pick(fields);
  const seed = {
    op: 'add',
    path: `/${field}`,
    value: random.pick([{ a: ['x'.repeat(50)] }, ['a', 'b']]),
  };
  const count = 10 + random.below(60);
  return [
    seed,
    ...Array.from({ length: count }, (_, index) => ({
      op: 'copy',
      from: `/${field}`,
      path: `/${field}/${random.pick(['-', '0', `k${index}`])}`,
    })),
  ];
}

/** Four times what the body of a patch may have: a longer one is refused in the same way, and only takes longer to make. */
const maxRepeatedLength = 4_000_000;

function repeated(random: Random, fields: readonly string[]): unknown[] {
  const one = step(random, fields);
  const length = JSON.stringify(one)?.length ?? 1;
  const times = Math.min(random.pick([100, 1_001, 3_000]), Math.ceil(maxRepeatedLength / length));
  return Array.from({ length: times }, () => one);
}
