import { payText } from '../../language/meter.js';
import type { Method } from '../../language/specification.js';
import { asString } from '../../language/values.js';
import { onText, textOf } from '../text.js';
import { textParameter } from '../text-method.js';
import { flat } from '../costs.js';
import { payForText } from '../in-place.js';

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

export const trimMethods: readonly Method[] = [
  {
    name: 'trim',
    category: 'string',
    purity: 'pure',
    cost: flat,
    returns: 'part',
    inPlace: {
      form: 'text',
      change: (run, text) => {
        payForText(run, text, flat.nanoseconds);
        return text.trim();
      },
    },
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
    cost: flat,
    returns: 'part',
    description: 'Without a beginning.',
    parameters: [textParameter('prefix')],
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
    cost: flat,
    returns: 'part',
    description: 'Without an ending.',
    parameters: [textParameter('suffix')],
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
    cost: flat,
    returns: 'small',
    description: 'Whether a text begins so.',
    parameters: [textParameter('value')],
    examples: [['root = this.has_prefix("ab")', '"abc"', 'true']],
    run: (target, [value]) => asString(target).startsWith(textOf(value)),
  },
  {
    name: 'has_suffix',
    category: 'string',
    purity: 'pure',
    cost: flat,
    returns: 'small',
    description: 'Whether a text ends so.',
    parameters: [textParameter('value')],
    examples: [['root = this.has_suffix("bar")', '"foobar"', 'true']],
    run: (target, [value]) => asString(target).endsWith(textOf(value)),
  },
];
