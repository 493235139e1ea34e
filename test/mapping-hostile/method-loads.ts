import { gzipSync } from 'node:zlib';
import { standardEnvironment } from '@onefold/mapping';
import { compressLz4 } from '../../libs/mapping/src/methods/codecs/lz4.js';
import { compressSnappy } from '../../libs/mapping/src/methods/codecs/snappy.js';
import type { Environment } from '../../libs/mapping/src/language/environment.js';
import type { Parameter } from '../../libs/mapping/src/language/specification.js';
import type { Value } from '../../libs/mapping/src/language/values.js';

const { functions, methods } = standardEnvironment;

/** A template and its input: one method with arguments on one kind of target. */
export interface Load {
  name: string;
  source: string;
  input: Value;
  /** The methods that it can call; the standard ones by default. */
  environment?: Environment;
}

/** Kinds of targets, `count` times as long as the shortest. */
export const targets: Readonly<Record<string, (count: number) => Value>> = {
  letters: (count) => 'x'.repeat(count),
  umlauts: (count) => 'ä'.repeat(count),
  emoji: (count) => '😀'.repeat(count >> 1),
  blanks: (count) => ' '.repeat(count),
  backslashes: (count) => '\\'.repeat(count),
  quoted: (count) => `"${'\\n'.repeat(count >> 1)}"`,
  controls: (count) => '\u0001'.repeat(count),
  markup: (count) => '<&>'.repeat(count / 3),
  entities: (count) => '&amp;'.repeat(count / 5),
  percents: (count) => '%41'.repeat(count / 3),
  'path segments': (count) => 'a/../'.repeat(count / 5),
  'form pairs': (count) => 'a=1&'.repeat(count >> 2),
  'form keys': (count) =>
    Array.from({ length: count / 10 }, (_one, index) => `key${index}=1`).join('&'),
  commas: (count) => ','.repeat(count),
  'csv rows': (count) => 'a,b\n'.repeat(count >> 2),
  'csv quotes': (count) => '"a""b",'.repeat(count / 7),
  'json arrays': (count) => `[${'[],'.repeat(count / 3)}0]`,
  'json keys': (count) =>
    `{${Array.from({ length: count / 12 }, (_one, index) => `"k${index}":1`).join(',')}}`,
  'json depth': (count) => '['.repeat(count >> 1) + ']'.repeat(count >> 1),
  'yaml lines': (count) => '- a: b\n'.repeat(count / 7),
  'yaml flow': (count) => `[${'[],'.repeat(count / 3)}0]`,
  'yaml depth': (count) => '['.repeat(count >> 1) + ']'.repeat(count >> 1),
  'xml elements': (count) => `<a>${'<b/>'.repeat(count >> 2)}</a>`,
  'xml attributes': (count) =>
    `<a ${Array.from({ length: count / 8 }, (_one, index) => `k${index}="1"`).join(' ')}/>`,
  'html elements': (count) => '<b>x</b>'.repeat(count >> 3),
  'markdown rows': (count) => `|a|b|\n|-|-|\n${'|x\n'.repeat(count / 3)}`,
  'markdown emphasis': (count) => '*a '.repeat(count / 3),
  'logfmt pairs': (count) => 'a="b\\"" '.repeat(count >> 3),
  digits: (count) => '1'.repeat(count),
  durations: (count) => '1h'.repeat(count >> 1),
  time: () => '2026-01-31T12:00:00.5+02:00',
  base64: (count) => 'QUFB'.repeat(count >> 2),
  hex: (count) => '41'.repeat(count >> 1),
  bytes: (count) => Buffer.alloc(count, 65),
  'gzip of zeros': (count) => gzipSync(Buffer.alloc(count * 10)),
  gzip: (count) => gzipSync(mixed(count)),
  lz4: (count) => compressLz4(mixed(count)),
  snappy: (count) => compressSnappy(mixed(count)),
  'messagepack arrays': (count) =>
    Buffer.concat([Buffer.from([0xdd, ...sizeOf(count)]), Buffer.alloc(count, 0x90)]),
  numbers: (count) => Array.from({ length: count >> 3 }, (_one, index) => index % 1000),
  texts: (count) => Array.from({ length: count >> 4 }, (_one, index) => `text ${index}`),
  'long texts': (count) =>
    Array.from({ length: 64 }, (_one, index) => `${'x'.repeat(count >> 6)}${index}`),
  arrays: (count) => Array.from({ length: count >> 4 }, () => [1, 2]),
  objects: (count) => Array.from({ length: count >> 5 }, (_one, index) => ({ a: index, b: 'x' })),
  'objects of one key each': (count) =>
    Array.from({ length: count >> 5 }, (_one, index) => ({ [`k${index}`]: [index] })),
  keys: (count) =>
    Object.fromEntries(
      Array.from({ length: count >> 5 }, (_one, index) => [`k${(index * 7919) % 1e6}`, index]),
    ),
  depth: (count) => {
    let value: Value = 1;
    for (let level = 0; level < Math.min(2_000, count >> 4); level += 1) value = { a: value };
    return value;
  },
  doubled: (count) => {
    let value: Value = [1];
    for (let length = 1; length < count >> 4; length *= 2) value = [value, value];
    return value;
  },
  'doubled objects': (count) => {
    let value: Value = { a: 'x' };
    for (let length = 1; length < count >> 5; length *= 2) value = { a: value, b: value };
    return value;
  },
  number: () => 1234.5678,
  'large integer': () => 9_007_199_254_740_993n,
  changes: (count) =>
    Array.from({ length: count >> 6 }, (_one, index) => ({
      Type: 'create',
      Path: [String(index)],
      From: null,
      To: 1,
    })),
};

/** Bytes that pack to about half: short repetitions of what nobody foresees. */
function mixed(count: number): Buffer {
  return Buffer.from(
    Array.from({ length: count }, (_one, index) =>
      index % 7 < 3 ? 65 : Math.imul(index, 2_654_435_761) >>> 24,
    ),
  );
}

function sizeOf(count: number): number[] {
  return [(count >> 24) & 255, (count >> 16) & 255, (count >> 8) & 255, count & 255];
}

/** Arguments by the name of their parameter, as a template has them; other parameters go by their type. */
const byName: Readonly<Record<string, readonly string[]>> = {
  pattern: [
    '"x"',
    '"(x*y)?"',
    '"(a|b|.)*c"',
    '"(((x?y?z?){10}){10}){10}$"',
    '"\\\\s+"',
    '"(.)(.)?(.)?"',
  ],
  path: ['"a"', '"*"', '"*.*.*"', '"a.a.a.a"'],
  expression: ['"$..*"', '"$..a"', '"$[?(@.a > 1)]"', '"$..[?count($..*) > 1]"'],
  schema: [
    '"""{"type":"object","additionalProperties":{"type":"integer"}}"""',
    '"""{"items":{"enum":[1,2,3]},"uniqueItems":true}"""',
    '"""{"definitions":{"a":{"additionalProperties":{"$ref":"#/definitions/a"},"items":{"$ref":"#/definitions/a"}}},"$ref":"#/definitions/a"}"""',
    '"""{"pattern":"^(x+)+$"}"""',
  ],
  delimiter: ['","', '""', '"x"'],
  cutset: ['" "', '"x"'],
  low: ['1'],
  high: ['-1'],
  count: ['2'],
  old: ['"x"', '""', '"xx"'],
  new: ['"yyyy"'],
  values: ['["x", "yy", "y", "x"]'],
  scheme: ['"base64"', '"hex"', '"ascii85"', '"z85"', '"base64url"'],
  algorithm: [
    '"sha256"',
    '"md5"',
    '"crc32"',
    '"xxhash64"',
    '"fnv32"',
    '"gzip"',
    '"lz4"',
    '"snappy"',
    '"zlib"',
  ],
  format: [
    '"2006-01-02T15:04:05.999999999Z07:00"',
    '"MST MST MST MST"',
    '"%Y-%m-%dT%H:%M:%S"',
    '"%Z%Z%Z"',
  ],
  tz: ['"UTC"', '"America/New_York"'],
  duration: ['"P1Y2M"', '"1h"', '1000000000'],
  t2: ['"2026-01-31T12:00:00Z"'],
  segmentation_type: ['"grapheme"', '"word"', '"sentence"'],
  signing_secret: ['"k"'],
  mapping: ['"a"'],
  initial: ['0', '{}', '""'],
  index: ['0', '-1'],
  prefix: ['"x"'],
  suffix: ['"x"'],
  with: ['this', '{"a": [1]}'],
  other: ['this', '[]', '{}'],
  changelog: ['this.diff({})', '[]', 'this'],
  lang: ['"de"'],
  indent: ['"  "'],
  parse_header_row: ['true', 'false'],
  lazy_quotes: ['true'],
};

const byType: Readonly<Record<Parameter['type'], readonly string[]>> = {
  string: ['"a"'],
  integer: ['1'],
  number: ['2.5'],
  bool: ['true'],
  array: ['this', '[1]'],
  object: ['{"a": 1}'],
  timestamp: ['"2026-01-31T12:00:00Z"'],
  query: ['v -> v'],
  any: ['this', '"x"', '1'],
};

/** Queries that fit a method better than its element as it is. */
const queries: Readonly<Record<string, readonly string[]>> = {
  any: ['v -> v == "?"'],
  all: ['v -> v != "?"'],
  filter: ['v -> v != "?"'],
  find_by: ['v -> v == "?"'],
  find_all_by: ['v -> v != "?"'],
  fold: [
    'item -> item.value',
    'item -> item.tally.merge(item.value)',
    'item -> item.tally + item.value',
  ],
  sort: ['item -> item.left > item.right'],
  sort_by: ['v -> v', 'v -> v.a'],
  unique: ['v -> v.string()'],
  map_each_key: ['key -> key + "x"'],
};

function argumentLists(
  name: string,
  parameters: readonly Parameter[] = [],
  variadic?: Parameter['type'],
): string[] {
  const choices = parameters.map((one) =>
    one.type === 'query' ? (queries[name] ?? byType.query) : (byName[one.name] ?? byType[one.type]),
  );
  const required = parameters.filter((one) => !one.optional && one.default === undefined).length;
  const maxChoices = Math.max(1, ...choices.map((one) => one.length));
  const lists = new Set<string>();
  for (let turn = 0; turn < maxChoices; turn += 1) {
    const all = choices.map((one) => one[turn % one.length] as string);
    lists.add(all.slice(0, required).join(', '));
    lists.add(all.join(', '));
    if (variadic)
      for (const one of byType[variadic])
        lists.add([...all.slice(0, required), one, one].join(', '));
  }
  return [...lists];
}

/** Methods that run another template, or end the run, or whose target is theirs to fail. */
const left = new Set(['apply', 'catch', 'or']);

function* calls(maxLists = Infinity): Generator<[name: string, call: string]> {
  for (const { name, parameters, variadic } of methods.values())
    if (!left.has(name))
      for (const list of argumentLists(name, parameters, variadic).slice(0, maxLists))
        yield [name, `this.${name}(${list})`];
}

/** Every method on every kind of long target, in one call. */
export function* largeLoads(count: number, only?: string, maxLists = Infinity): Generator<Load> {
  const made = Object.entries(targets).map(([kind, make]) => [kind, make(count)] as const);
  for (const [name, call] of calls(maxLists)) {
    if (only !== undefined && name !== only) continue;
    for (const [kind, input] of made)
      yield { name: `${call} of ${kind}`, source: `root = ${call}`, input };
  }
}

/** Every method and function on short targets, many times. */
export function* loopedLoads(times: number, only?: string): Generator<Load> {
  const made = Object.entries(targets).map(([kind, make]) => [kind, make(48)] as const);
  const loop = (call: string) =>
    `let input = this\nroot.n = range(0, ${times}).map_each(i -> $input.(${call}).catch(null)).length()`;
  for (const [name, call] of calls()) {
    if (only !== undefined && name !== only) continue;
    for (const [kind, input] of made)
      yield { name: `loop of ${call} of ${kind}`, source: loop(call), input };
  }
  for (const { name, parameters } of functions.values()) {
    if (only !== undefined && name !== only) continue;
    for (const list of argumentLists(name, parameters))
      yield { name: `loop of ${name}(${list})`, source: loop(`${name}(${list})`), input: {} };
  }
}
