import type { Run } from '../../language/run.js';
import type { Arguments, Method } from '../../language/specification.js';
import { asString, type ObjectValue, setKey, type Value } from '../../language/values.js';
import type { NativePattern } from './native-pattern.js';
import {
  matcherOf,
  matchesPart,
  paidPattern,
  type Pattern,
  patternOf,
  payNative,
} from './patterns.js';
import { type Replacement, replacementOf, replaceNative } from './replacement.js';
import { textOf } from '../text.js';
import { free } from '../costs.js';

/** Steps of a match beside reading the text, and of each of its groups: a text is cut out and set. */
const [matchSteps, groupSteps] = [8, 2];

/** A match of either engine. */
interface Match {
  start(): number;
  end(): number;
  group(index: number): string | null | undefined;
}

function* matches(
  { linear, native }: Pattern,
  text: string,
  run: Run,
  withGroups = false,
): Generator<Match> {
  const finder = withGroups ? native?.groupFinder() : native?.finder();
  const all =
    finder !== undefined && payNative(native, text, run)
      ? nativeMatches(finder, text)
      : linearMatches(linear, text, run);
  let found = 0;
  for (const match of all) {
    if (found >= run.limits.arrayLength) run.array(found + 1);
    run.spend(matchSteps);
    yield match;
    found += 1;
  }
}

function* linearMatches(linear: Pattern['linear'], text: string, run: Run): Generator<Match> {
  const matcher = matcherOf(linear, text, run);
  while (matcher.find()) yield matcher;
}

function* nativeMatches(finder: RegExp, text: string): Generator<Match> {
  for (const found of text.matchAll(finder))
    yield {
      start: () => found.index,
      end: () => found.index + found[0].length,
      group: (index) => found[index],
    };
}

/** The texts of all groups; the first is the whole match. */
function groups(match: Match, { fields }: Pattern, run: Run): string[] {
  run.spend(groupSteps * fields.length);
  run.holdFields(fields.length);
  return fields.map((_field, index) => match.group(index) ?? '');
}

/** Group names, or indexes where a group has none. */
function named(match: Match, { fields }: Pattern, run: Run): ObjectValue {
  run.spend(groupSteps * fields.length);
  run.holdFields(fields.length);
  const result: ObjectValue = {};
  for (let index = 0; index < fields.length; index += 1)
    setKey(result, fields[index] as string, match.group(index) ?? '');
  return result;
}

const parameters = [{ name: 'pattern', type: 'string' }] as const;
const check = ([pattern]: Arguments): void => void patternOf(textOf(pattern));

function replacing(name: string): Method {
  return {
    name,
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'made',
    description: 'Every match by a text, in which $1 and ${name} are groups.',
    parameters: [...parameters, { name: 'value', type: 'string' }],
    check,
    examples: [[`root = this.${name}("(a+)", "[$1]")`, '"baab"', '"b[aa]b"']],
    run: (target, [pattern, value], run) => {
      const regex = paidPattern(textOf(pattern), run);
      return replaceAll(regex, target, replacementOf(textOf(value), regex.linear), run);
    },
    prepare: ({ args }) => {
      if (!args) return undefined;
      const [pattern, value] = args;
      const { linear, native } = patternOf(textOf(pattern));
      if (native === undefined) return undefined;
      const replacement = replacementOf(textOf(value), linear);
      return (target, given, run) => {
        if (typeof target === 'string') {
          const result = replaceNative(native, target, replacement, run);
          if (result !== undefined) return result;
        }
        return replaceAll(paidPattern(textOf(given[0]), run), target, replacement, run);
      };
    },
  };
}

function replaceAll(
  pattern: Pattern,
  target: Value,
  replacement: Replacement,
  run: Run,
): string | Buffer {
  const text = asString(target);
  const result =
    replaceNative(pattern.native, text, replacement, run) ??
    replaceLinear(pattern, text, replacement, run);
  return target instanceof Uint8Array ? Buffer.from(result) : result;
}

function replaceLinear(
  pattern: Pattern,
  text: string,
  { length, pieces, expand }: Replacement,
  run: Run,
): string {
  let [result, last, paid] = ['', 0, 0];
  for (const match of linearMatches(pattern.linear, text, run)) {
    run.spend(matchSteps + length + pieces);
    result += text.slice(last, match.start()) + expand((index) => match.group(index));
    last = match.end();
    run.string(result.length - paid);
    paid = result.length;
    if (paid > run.limits.stringLength) run.string(paid);
  }
  result += text.slice(last);
  run.holdText(result.length);
  return result;
}

function matchesNative(native: NativePattern, target: Value, given: Arguments, run: Run): boolean {
  const text = asString(target);
  return payNative(native, text, run)
    ? native.matches(text)
    : matchesPart(textOf(given[0]), text, run);
}

export const regexMethods: readonly Method[] = [
  {
    name: 're_match',
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'small',
    description: 'Whether the expression matches somewhere.',
    parameters,
    check,
    examples: [['root = this.re_match("^a.c$")', '"abc"', 'true']],
    run: (target, [pattern], run) => {
      return matchesPart(textOf(pattern), asString(target), run);
    },
    prepare: ({ args }) => {
      const native = args && patternOf(textOf(args[0])).native;
      return native && ((target, given, run) => matchesNative(native, target, given, run));
    },
  },
  {
    name: 're_find_all',
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    returns: 'made',
    description: 'Every match.',
    parameters,
    check,
    examples: [['root = this.re_find_all("\\\\d+")', '"a1b22"', '["1","22"]']],
    run: (target, [pattern], run) =>
      Array.from(
        matches(paidPattern(textOf(pattern), run), asString(target), run),
        (match) => match.group(0) as string,
      ),
  },
  {
    name: 're_find_all_submatch',
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    description: 'Every match with its groups.',
    parameters,
    check,
    examples: [
      ['root = this.re_find_all_submatch("a(x*)b")', '"-axxb-ab-"', '[["axxb","xx"],["ab",""]]'],
    ],
    run: (target, [pattern], run) => {
      const regex = paidPattern(textOf(pattern), run);
      return Array.from(matches(regex, asString(target), run, true), (match) =>
        groups(match, regex, run),
      );
    },
  },
  {
    name: 're_find_object',
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    description: 'The groups of the first match by name or index.',
    parameters,
    check,
    examples: [
      [
        'root = this.re_find_object("(?P<key>\\\\w+):\\\\s+(?P<value>\\\\w+)")',
        '"option1: value1"',
        '{"0":"option1: value1","key":"option1","value":"value1"}',
      ],
    ],
    run: (target, [pattern], run) => {
      const regex = paidPattern(textOf(pattern), run);
      for (const match of matches(regex, asString(target), run, true))
        return named(match, regex, run);
      return {};
    },
  },
  {
    name: 're_find_all_object',
    category: 'regular expression',
    purity: 'pure',
    cost: { ...free, own: 'size' },
    description: 'The groups of every match by name or index.',
    parameters,
    check,
    examples: [
      [
        'root = this.re_find_all_object("(?P<letter>[a-z])(\\\\d)")',
        '"a1 b2"',
        '[{"0":"a1","2":"1","letter":"a"},{"0":"b2","2":"2","letter":"b"}]',
      ],
    ],
    run: (target, [pattern], run) => {
      const regex = paidPattern(textOf(pattern), run);
      return Array.from(matches(regex, asString(target), run, true), (match) =>
        named(match, regex, run),
      );
    },
  },
  replacing('re_replace_all'),
  replacing('re_replace'),
];
