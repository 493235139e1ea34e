import { stringify } from 'yaml';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import type { Method } from '../../language/specification.js';
import { Timestamp } from '../../language/timestamp.js';
import {
  asString,
  isObject,
  normalize,
  type ObjectValue,
  setKey,
  sortedKeys,
  typeName,
  type Value,
} from '../../language/values.js';
import { YamlText, yamlLimits } from '../../yaml/read-yaml.js';
import { textOf } from '../text.js';
import { deep, flat } from '../costs.js';

const int64 = 2n ** 63n;

/** Converts the result of the YAML reader to values of the language. */
function valueOf(value: unknown, run: Run): Value {
  run.spend(1);
  if (typeof value === 'bigint')
    return value >= -int64 && value < int64 ? normalize(value) : Number(value);
  if (Array.isArray(value)) return value.map((one) => valueOf(one, run));
  if (value instanceof Date) return value.toISOString();
  if (!isObject(value)) return value ?? null;
  const result: ObjectValue = {};
  for (const key of Object.keys(value)) setKey(result, key, valueOf(value[key], run));
  return result;
}

function parseYaml(text: string, run: Run): Value {
  run.spend(text.length);
  const { stringLength: maxCharacters } = run.limits;
  const yaml = new YamlText(text, { intAsBigInt: true, hasTags: true, maxCharacters });
  const made = yaml.faults.length === 0 ? yaml.toPlain() : undefined;
  const [fault] = yaml.faults;
  if (fault) throw new RunError(`failed to parse value as YAML: ${fault.message}`);
  return valueOf(made, run);
}

/** Steps of writing a value: the library makes a node of each. */
const writeSteps = 60;

/** Values that YAML has no form for as the texts they are in JSON. */
function written(value: Value, run: Run): unknown {
  run.spend(writeSteps);
  if (Array.isArray(value)) return value.map((one) => written(one, run));
  if (value instanceof Timestamp || value instanceof Uint8Array) return textOf(value);
  if (!isObject(value)) return value;
  const result: ObjectValue = {};
  for (const key of sortedKeys(value)) setKey(result, key, written(value[key], run));
  return result;
}

/** The schema of a value; the elements of an array have one type. */
function infer(value: Value, path: string, run: Run): ObjectValue {
  run.spend(1);
  if (Array.isArray(value)) {
    const children = (value as Value[]).map((one, index) => infer(one, `${path}.${index}`, run));
    const [first] = children;
    const odd = children.findIndex(({ type }) => type !== first?.['type']);
    if (odd >= 0)
      throw new RunError(
        `${path}.${odd} mismatched array types, found ${String(first?.['type'])} and ${String(children[odd]?.['type'])}`,
      );
    return { type: 'ARRAY', ...(first ? { children: [first] } : {}) };
  }
  if (isObject(value)) {
    const children = sortedKeys(value).map((name) => ({
      ...(name === '' ? {} : { name }),
      ...infer(value[name], `${path}.${name}`, run),
    }));
    return { type: 'OBJECT', ...(children.length > 0 ? { children } : {}) };
  }
  if (typeof value === 'bigint' || Number.isInteger(value)) return { type: 'INT64' };
  const type = scalarTypes[typeName(value)];
  if (type === undefined) throw new RunError(`${path} unsupported data type: ${typeName(value)}`);
  return { type };
}

const scalarTypes: Readonly<Record<string, string>> = {
  string: 'STRING',
  number: 'FLOAT64',
  bool: 'BOOLEAN',
  null: 'NULL',
  bytes: 'BYTE_ARRAY',
};

const segmenters = {
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
};

/** The host takes a time for each segment that grows with the text: long texts go by pieces of this length. */
const maxPiece = 8_192;
/** Where a segment ends may depend on what follows: so much of a piece is read again with the next one. */
const pieceMargin = 1_024;

function segments(text: string, granularity: Value, run: Run): string[] {
  if (granularity !== 'grapheme' && granularity !== 'word' && granularity !== 'sentence')
    throw new RunError(
      `unknown segmentation ${textOf(granularity).slice(0, 60)}: use one of grapheme, word, sentence`,
    );
  const result: string[] = [];
  let size = maxPiece;
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + size);
    const isLast = from + size >= text.length;
    let end = 0;
    for (const { segment } of segmenters[granularity].segment(piece)) {
      if (!isLast && end + segment.length > piece.length - pieceMargin) break;
      end += segment.length;
      if (result.length >= run.limits.arrayLength) run.array(result.length + 1);
      result.push(segment);
    }
    // One segment is longer than the piece: it takes a longer one.
    size = end === 0 ? size * 2 : maxPiece;
    from += end;
  }
  run.spend(result.length);
  run.holdFields(result.length);
  return result;
}

export const schemaMethods: readonly Method[] = [
  {
    name: 'parse_yaml',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 3_000, steps: 200, own: 'size' },
    description: `The value of a YAML document of at most ${yamlLimits.maxTokens} tokens and ${yamlLimits.maxAliases} aliases.`,
    examples: [['root = this.parse_yaml()', '"a: [1, b]"', '{"a":[1,"b"]}']],
    run: (target, _args, run) => parseYaml(asString(target), run),
  },
  {
    name: 'format_yaml',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, nanoseconds: 100, steps: 500, own: 'size' },
    description: 'The value as YAML, in bytes, keys in order.',
    examples: [['root = this.format_yaml().string()', '{"b":1,"a":"x"}', '"a: x\\nb: 1\\n"']],
    run: (target, _args, run) => {
      const text = stringify(written(target, run), {
        indent: 4,
        lineWidth: 0,
        aliasDuplicateObjects: false,
      });
      run.string(text.length);
      run.spend(2 * text.length); // The library takes up to 200 ns for a character of many small keys.
      return Buffer.from(text);
    },
  },
  {
    name: 'infer_schema',
    category: 'parsing',
    purity: 'pure',
    cost: { ...deep, own: 'size' },
    description:
      'The schema of a value: its `type`, and the `children` of objects (with their `name`) and arrays (the one of their elements).',
    examples: [
      [
        'root = this.infer_schema()',
        '{"a":1}',
        '{"children":[{"name":"a","type":"INT64"}],"type":"OBJECT"}',
      ],
    ],
    run: (target, _args, run) => infer(target, '', run),
  },
  {
    name: 'unicode_segments',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 3_000, steps: 60, own: 'size' },
    description: 'The graphemes, words or sentences of a text (Unicode annex 29).',
    parameters: [{ name: 'segmentation_type', type: 'string' }],
    examples: [['root = this.unicode_segments("word")', '"hi you"', '["hi"," ","you"]']],
    run: (target, [granularity], run) => segments(asString(target), granularity, run),
  },
];
