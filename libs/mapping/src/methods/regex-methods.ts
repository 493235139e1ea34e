import type { Matcher, RE2JS } from 're2js';
import type { Run } from '../language/run.js';
import type { Arguments, Method } from '../language/specification.js';
import { asString, type ObjectValue, setKey } from '../language/values.js';
import { matcherOf, matchesPart, paidPattern, patternOf } from './patterns.js';
import { textOf } from './text.js';

/** Steps of a match beside reading the text. */
const matchSteps = 8;

function* matches(pattern: RE2JS, text: string, run: Run): Generator<Matcher> {
  const matcher = matcherOf(pattern, text, run);
  for (let found = 0; matcher.find(); found += 1) {
    if (found >= run.limits.arrayLength) run.array(found + 1);
    run.spend(matchSteps);
    yield matcher;
  }
}

/** The texts of all groups; the first is the whole match. */
function groups(matcher: Matcher, run: Run): string[] {
  const count = matcher.groupCount() + 1;
  run.spend(count);
  run.holdFields(count);
  return Array.from({ length: count }, (_one, index) => matcher.group(index) ?? '');
}

/** Group names, or indexes where a group has none. */
function named(names: ReadonlyMap<number, string>, matcher: Matcher, run: Run): ObjectValue {
  const result: ObjectValue = {};
  for (const [index, text] of groups(matcher, run).entries())
    setKey(result, names.get(index) ?? String(index), text);
  return result;
}

function groupNames(pattern: RE2JS): ReadonlyMap<number, string> {
  return new Map(Object.entries(pattern.namedGroups()).map(([name, index]) => [index, name]));
}

/** `$1`, `${1}` and `${name}`; what names no group is empty. */
function expand(template: string, pattern: RE2JS, matcher: Matcher): string {
  const indexes = pattern.namedGroups();
  return template.replace(
    /\$(?:\$|\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g,
    (all, braced?: string, bare?: string) => {
      if (all === '$$') return '$';
      const name = (braced ?? bare) as string;
      const index = /^\d+$/.test(name)
        ? Number(name)
        : Object.hasOwn(indexes, name)
          ? indexes[name]
          : undefined;
      return index === undefined || index > matcher.groupCount()
        ? ''
        : (matcher.group(index) ?? '');
    },
  );
}

const parameters = [{ name: 'pattern', type: 'string' }] as const;
const check = ([pattern]: Arguments): void => void patternOf(textOf(pattern));

function replacing(name: string): Method {
  return {
    name,
    category: 'regular expression',
    purity: 'pure',
    cost: 'result',
    description: 'Every match by a text, in which $1 and ${name} are groups.',
    parameters: [...parameters, { name: 'value', type: 'string' }],
    check,
    examples: [[`root = this.${name}("(a+)", "[$1]")`, '"baab"', '"b[aa]b"']],
    run: (target, [pattern, value], run) => {
      const regex = paidPattern(textOf(pattern), run);
      const text = asString(target);
      const form = textOf(value);
      let [result, last, paid] = ['', 0, 0];
      for (const matcher of matches(regex, text, run)) {
        run.spend(form.length);
        result += text.slice(last, matcher.start()) + expand(form, regex, matcher);
        last = matcher.end();
        run.string(result.length - paid);
        paid = result.length;
        if (paid > run.limits.stringLength) run.string(paid);
      }
      result += text.slice(last);
      run.holdText(result.length);
      return target instanceof Uint8Array ? Buffer.from(result) : result;
    },
  };
}

export const regexMethods: readonly Method[] = [
  {
    name: 're_match',
    category: 'regular expression',
    purity: 'pure',
    cost: 'linear',
    description: 'Whether the expression matches somewhere.',
    parameters,
    check,
    examples: [['root = this.re_match("^a.c$")', '"abc"', 'true']],
    run: (target, [pattern], run) => {
      return matchesPart(textOf(pattern), asString(target), run);
    },
  },
  {
    name: 're_find_all',
    category: 'regular expression',
    purity: 'pure',
    cost: 'linear',
    description: 'Every match.',
    parameters,
    check,
    examples: [['root = this.re_find_all("\\\\d+")', '"a1b22"', '["1","22"]']],
    run: (target, [pattern], run) =>
      Array.from(
        matches(paidPattern(textOf(pattern), run), asString(target), run),
        (matcher) => matcher.group() as string,
      ),
  },
  {
    name: 're_find_all_submatch',
    category: 'regular expression',
    purity: 'pure',
    cost: 'linear',
    description: 'Every match with its groups.',
    parameters,
    check,
    examples: [
      ['root = this.re_find_all_submatch("a(x*)b")', '"-axxb-ab-"', '[["axxb","xx"],["ab",""]]'],
    ],
    run: (target, [pattern], run) =>
      Array.from(matches(paidPattern(textOf(pattern), run), asString(target), run), (matcher) =>
        groups(matcher, run),
      ),
  },
  {
    name: 're_find_object',
    category: 'regular expression',
    purity: 'pure',
    cost: 'linear',
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
      for (const matcher of matches(regex, asString(target), run))
        return named(groupNames(regex), matcher, run);
      return {};
    },
  },
  {
    name: 're_find_all_object',
    category: 'regular expression',
    purity: 'pure',
    cost: 'linear',
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
      const names = groupNames(regex);
      return Array.from(matches(regex, asString(target), run), (matcher) =>
        named(names, matcher, run),
      );
    },
  },
  replacing('re_replace_all'),
  replacing('re_replace'),
];
