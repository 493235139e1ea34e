import { decodeHTML } from 'entities';
import { posix } from 'node:path';
import { payKeys, payText } from '../language/meter.js';
import type { Run } from '../language/run.js';
import { RunError } from '../language/run-error.js';
import type { Method } from '../language/specification.js';
import { asArray, asString, isObject, type Value, wrongType } from '../language/values.js';
import { decodeUri, escapeHtml, goQuote, goUnquote } from './escapes.js';
import { formatValues } from './format.js';
import { isAscii, onText, textOf, wellFormed } from './text.js';

const text = (name: string) => ({ name, type: 'string' }) as const;

function simple(
  name: string,
  description: string,
  change: (value: string) => string,
  examples: Method['examples'],
): Method {
  const apply = onText(change);
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description,
    examples,
    run: (target) => apply(target),
  };
}

// A letter whose other case needs two letters stays as it is, as in Go; a sigma is one wherever it stands.
const withoutUpper = /[^\xdfŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒΐῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗ]+/g;
const withoutLower = /[^İΣ]+/g;

const upper = (value: string): string =>
  isAscii(value)
    ? value.toUpperCase()
    : value.replace(withoutUpper, (letters) => letters.toUpperCase());
const lower = (value: string): string =>
  isAscii(value)
    ? value.toLowerCase()
    : value.replace(withoutLower, (letters) => letters.toLowerCase()).replaceAll('Σ', 'σ');

function length(target: Value): number {
  if (typeof target === 'string') {
    payText(target.length);
    return Buffer.byteLength(target);
  }
  if (target instanceof Uint8Array || Array.isArray(target)) return target.length;
  if (isObject(target)) {
    const { length: count } = Object.keys(target);
    payKeys(count);
    return count;
  }
  throw wrongType('string, array or object', target);
}

/** Half-open bounds, negative ones from the end. */
function bounds(size: number, low: Value, high: Value): [number, number] {
  const place = (given: number) => Math.max(0, Math.min(size, given < 0 ? size + given : given));
  const [from, to] = [
    place(Number(low)),
    high === undefined || high === null ? size : place(Number(high)),
  ];
  if (
    high !== undefined &&
    high !== null &&
    Number(low) >= Number(high) &&
    Number(low) < 0 === Number(high) < 0
  )
    throw new RunError(
      `lower slice bound ${Number(low)} must be lower than upper bound ${Number(high)}`,
    );
  return [from, Math.max(from, to)];
}

function slice(target: Value, low: Value, high: Value): Value {
  if (Array.isArray(target)) return (target as Value[]).slice(...bounds(target.length, low, high));
  if (target instanceof Uint8Array) return target.subarray(...bounds(target.length, low, high));
  if (typeof target !== 'string') throw wrongType('string, array or bytes', target);
  if (isAscii(target)) return target.slice(...bounds(target.length, low, high));
  const bytes = Buffer.from(target);
  return bytes.subarray(...bounds(bytes.length, low, high)).toString();
}

function letters(value: string, run: Run): string[] {
  if (value.length > 2 * run.limits.arrayLength) run.array(value.length >> 1);
  run.spend(value.length);
  return [...value];
}

function reverse(value: string): string {
  // Code units the other way round, whose surrogates then change places.
  const units = Buffer.from(value, 'utf16le').swap16().reverse().toString('utf16le');
  return units.replace(/([\udc00-\udfff])([\ud800-\udbff])/g, '$2$1');
}

function replaceAll(value: string, old: string, fresh: string): string {
  return old === ''
    ? [...value].map((rune) => fresh + rune).join('') + fresh
    : value.replaceAll(old, () => fresh);
}

/** Replaces after looking how long the text can become. */
function replaced(value: string, old: string, fresh: string, run: Run): string {
  if (old === '') run.spend(2 * value.length);
  const grows = fresh.length - old.length;
  const most = old === '' ? value.length + 1 : Math.floor(value.length / old.length);
  if (grows > 0 && most > 0) run.string(value.length + most * grows);
  return replaceAll(value, old, fresh);
}

function replaceMethod(name: string): Method {
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: 'result',
    description: 'Every occurrence of a text by another.',
    parameters: [text('old'), text('new')],
    examples: [[`root = this.${name}("a", "o")`, '"banana"', '"bonono"']],
    run: (target, [old, fresh], run) => {
      const [from, to] = [textOf(old), textOf(fresh)];
      return onText((value) => replaced(value, from, to, run))(target);
    },
  };
}

function replaceManyMethod(name: string): Method {
  return {
    name,
    category: 'string',
    purity: 'pure',
    cost: 'result',
    description: 'Pairs of texts, each replaced by the next.',
    examples: [[`root = this.${name}(["a", "b", "c", "d"])`, '"abc"', '"bbd"']],
    parameters: [{ name: 'values', type: 'array' }],
    run: (target, [values], run) => {
      const all = asArray(values).map((one) => asString(one));
      if (all.length % 2 !== 0) throw new RunError('the replacements must come in pairs');
      return onText((value) => {
        let result = value;
        for (let index = 0; index < all.length; index += 2) {
          run.spend(result.length >> 5);
          result = replaced(result, all[index] as string, all[index + 1] as string, run);
        }
        return result;
      })(target);
    },
  };
}

function runeAt(value: string, at: number): string {
  return String.fromCodePoint(value.codePointAt(at) ?? 0);
}

function runeBefore(value: string, end: number): string {
  const pair = end > 1 ? (value.codePointAt(end - 2) ?? 0) : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : value.charAt(end - 1);
}

function trim(value: string, cutset: string | undefined): string {
  if (cutset === undefined) return value.trim();
  const set = new Set(cutset);
  let [from, to] = [0, value.length];
  for (let rune = runeAt(value, from); from < to && set.has(rune); rune = runeAt(value, from))
    from += rune.length;
  for (let rune = runeBefore(value, to); from < to && set.has(rune); rune = runeBefore(value, to))
    to -= rune.length;
  payText((from + value.length - to) << 4);
  return value.slice(from, to);
}

export const stringMethods: readonly Method[] = [
  simple('uppercase', 'In upper case.', upper, [['root = this.uppercase()', '"abc"', '"ABC"']]),
  simple('lowercase', 'In lower case.', lower, [['root = this.lowercase()', '"ABC"', '"abc"']]),
  simple(
    'capitalize',
    'The first letter of each word in upper case, the others in lower.',
    (value) =>
      value
        .toLowerCase()
        .replace(
          /(^|[^\p{L}\p{M}\p{N}'’])(\p{L})/gu,
          (_all, before: string, letter: string) => before + letter.toUpperCase(),
        ),
    [['root = this.capitalize()', '"the BIG day"', '"The Big Day"']],
  ),
  {
    name: 'length',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'Bytes of a text, elements of an array, keys of an object.',
    examples: [['root = this.map_each(v -> v.length())', '["äa",[1,2],{"a":1}]', '[3,2,1]']],
    run: (target) => length(target),
  },
  {
    name: 'slice',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'A part of a text or array, from low up to high; negative from the end.',
    parameters: [
      { name: 'low', type: 'integer' },
      { name: 'high', type: 'integer', optional: true },
    ],
    examples: [
      ['root = this.slice(1, 3)', '"hello"', '"el"'],
      ['root = this.slice(-2)', '[1,2,3]', '[2,3]'],
    ],
    run: (target, [low, high]) => slice(target, low, high),
  },
  {
    name: 'trim',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'Without blanks at both ends, or without the letters of the set.',
    parameters: [{ name: 'cutset', type: 'string', optional: true }],
    examples: [
      ['root = this.trim()', '"  a "', '"a"'],
      ['root = this.trim("!?")', '"?a!"', '"a"'],
    ],
    run: (target, [cutset]) =>
      onText((value) => trim(value, cutset === undefined ? undefined : textOf(cutset)))(target),
  },
  {
    name: 'trim_prefix',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'Without a beginning.',
    parameters: [text('prefix')],
    examples: [['root = this.trim_prefix("foobar_")', '"foobar_blobton"', '"blobton"']],
    run: (target, [prefix]) =>
      onText((value) =>
        value.startsWith(textOf(prefix)) ? value.slice(textOf(prefix).length) : value,
      )(target),
  },
  {
    name: 'trim_suffix',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'Without an ending.',
    parameters: [text('suffix')],
    examples: [['root = this.trim_suffix("_foobar")', '"blobton_foobar"', '"blobton"']],
    run: (target, [suffix]) =>
      onText((value) =>
        textOf(suffix) !== '' && value.endsWith(textOf(suffix))
          ? value.slice(0, -textOf(suffix).length)
          : value,
      )(target),
  },
  {
    name: 'has_prefix',
    category: 'string',
    purity: 'pure',
    cost: 'constant',
    description: 'Whether a text begins so.',
    parameters: [text('value')],
    examples: [['root = this.has_prefix("ab")', '"abc"', 'true']],
    run: (target, [value]) => asString(target).startsWith(textOf(value)),
  },
  {
    name: 'has_suffix',
    category: 'string',
    purity: 'pure',
    cost: 'constant',
    description: 'Whether a text ends so.',
    parameters: [text('value')],
    examples: [['root = this.has_suffix("bar")', '"foobar"', 'true']],
    run: (target, [value]) => asString(target).endsWith(textOf(value)),
  },
  {
    name: 'index_of',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'The byte at which a text first stands in the target; -1 when it does not.',
    parameters: [text('value')],
    examples: [['root = this.index_of("bar")', '"foobar"', '3']],
    run: (target, [value]) => {
      const place = asString(target).indexOf(textOf(value));
      return place < 0 ? -1 : Buffer.byteLength(asString(target).slice(0, place));
    },
  },
  {
    name: 'split',
    category: 'string',
    purity: 'pure',
    cost: 'result',
    description: 'The parts between delimiters; without one, the letters.',
    parameters: [text('delimiter'), { name: 'empty_as_null', type: 'bool', default: false }],
    examples: [['root = this.split(",")', '"a,b"', '["a","b"]']],
    run: (target, [delimiter, emptyAsNull], run) => {
      const value = asString(target);
      // One more than there may be is enough to know that there are too many.
      const most = run.limits.arrayLength + 1;
      const parts = delimiter === '' ? letters(value, run) : value.split(textOf(delimiter), most);
      run.array(parts.length);
      run.holdFields(parts.length);
      const shown = target instanceof Uint8Array ? parts.map((part) => Buffer.from(part)) : parts;
      return emptyAsNull === true ? shown.map((part) => (part.length === 0 ? null : part)) : shown;
    },
  },
  {
    name: 'repeat',
    category: 'string',
    purity: 'pure',
    cost: 'result',
    description: 'The text that many times.',
    parameters: [{ name: 'count', type: 'integer' }],
    examples: [['root = this.repeat(3)', '"ab"', '"ababab"']],
    run: (target, [count], run) => {
      const times = Number(count);
      if (times < 0) throw new RunError('invalid count, must be greater than or equal to zero');
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
    cost: 'linear',
    description: 'The letters from last to first.',
    examples: [['root = this.reverse()', '"backwards"', '"sdrawkcab"']],
    run: (target) =>
      target instanceof Uint8Array ? Buffer.from(target).reverse() : reverse(asString(target)),
  },
  replaceMethod('replace_all'),
  replaceMethod('replace'),
  replaceManyMethod('replace_all_many'),
  replaceManyMethod('replace_many'),
  {
    name: 'format',
    category: 'string',
    purity: 'pure',
    cost: 'result',
    description: 'Puts values into a text at verbs such as %s, %v, %d, %.2f.',
    variadic: 'any',
    examples: [
      ['root = "%s is %d".format(this.name, this.age)', '{"name":"Ann","age":30}', '"Ann is 30"'],
    ],
    run: (target, args, run) => formatValues(asString(target), args, run),
  },
  simple('escape_html', 'With HTML escapes.', escapeHtml, [
    ['root = this.escape_html()', '"foo & bar"', '"foo &amp; bar"'],
  ]),
  simple('unescape_html', 'Without HTML escapes.', (value) => decodeHTML(value), [
    ['root = this.unescape_html()', '"foo &amp; bar"', '"foo & bar"'],
  ]),
  simple(
    'escape_url_query',
    'As a part of a URL query.',
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%20/g, '+')
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    [['root = this.escape_url_query()', '"foo & bar"', '"foo+%26+bar"']],
  ),
  simple(
    'unescape_url_query',
    'Out of a part of a URL query.',
    (value) => decodeUri(value.replaceAll('+', ' ')),
    [['root = this.unescape_url_query()', '"foo+%26+bar"', '"foo & bar"']],
  ),
  simple(
    'escape_url_path',
    'As a part of a URL path.',
    (value) =>
      encodeURIComponent(wellFormed(value))
        .replace(/%(?:24|26|2B|3A|3D|40)/g, (code) => decodeURIComponent(code))
        .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    [['root = this.escape_url_path()', '"foo & bar/baz"', '"foo%20&%20bar%2Fbaz"']],
  ),
  simple('unescape_url_path', 'Out of a part of a URL path.', decodeUri, [
    ['root = this.unescape_url_path()', '"foo%20&%20bar"', '"foo & bar"'],
  ]),
  simple('quote', 'In quotes, with escapes.', goQuote, [
    ['root = this.quote()', '"foo\\nbar"', '"\\"foo\\\\nbar\\""'],
  ]),
  simple('unquote', 'Without quotes and escapes.', goUnquote, [
    ['root = this.unquote()', '"\\"foo\\\\nbar\\""', '"foo\\nbar"'],
  ]),
  {
    name: 'filepath_split',
    category: 'string',
    purity: 'pure',
    cost: 'constant',
    description: 'Folder and file of a path.',
    examples: [['root = this.filepath_split()', '"/foo/bar.txt"', '["/foo/","bar.txt"]']],
    run: (target) => {
      const value = asString(target);
      const cut = value.lastIndexOf('/') + 1;
      return [value.slice(0, cut), value.slice(cut)];
    },
  },
  {
    name: 'filepath_join',
    category: 'string',
    purity: 'pure',
    cost: 'linear',
    description: 'The parts of a path as one.',
    examples: [['root = this.filepath_join()', '["/foo/","bar.txt"]', '"/foo/bar.txt"']],
    run: (target) => {
      const parts = asArray(target)
        .map((one) => asString(one))
        .filter((one) => one !== '');
      return parts.length === 0 ? '' : posix.join(...parts).replace(/(.)\/$/, '$1');
    },
  },
];
