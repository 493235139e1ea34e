import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { nativePattern } from './native-pattern.js';
import { parsePattern, type PatternNode } from './parse-pattern.js';
import { hasUnit } from '../text/code-units.js';
import { patternWork } from './pattern-work.js';

/** Patterns of a few letters: those that are hard for one engine are found among small ones. */
const anyPattern = fc.letrec<{ choice: string; sequence: string; repeated: string; atom: string }>(
  (tie) => ({
    choice: fc
      .tuple(tie('sequence'), fc.option(tie('sequence'), { freq: 2 }))
      .map(([one, other]) => (other === null ? one : `${one}|${other}`)),
    sequence: fc.array(tie('repeated'), { maxLength: 4 }).map((parts) => parts.join('')),
    repeated: fc
      .tuple(
        tie('atom'),
        fc.constantFrom(
          '',
          '',
          '',
          '',
          '',
          '',
          '',
          '*',
          '+',
          '?',
          '{2}',
          '{1,3}',
          '{2,}',
          '*?',
          '+?',
          '??',
        ),
      )
      .map((parts) => parts.join('')),
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', '-', '.', '[ab]', '[^a]', '\\d', '\\w', '\\s', '\\S', '[^\\w-]'),
      fc.constantFrom('^', '$', '\\b', '\\B', '\\.', '[[:alpha:]]', 'é', '\\x41', '[a-c]'),
      tie('choice').map((inner) => `(${inner})`),
      tie('choice').map((inner) => `(?:${inner})`),
    ),
  }),
).choice;
const anyFlags = fc.constantFrom('', '', '(?i)', '(?s)', '(?is)');
const anyText = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', '-', 'A', ' ', '1', '\n', 'é', 'K', '.'),
    maxLength: 40,
  }),
  fc.tuple(fc.constantFrom('a', 'ab', '-', 'a '), fc.nat(60)).map(([one, n]) => one.repeat(n)),
);

/** The matches of both engines, with their groups. */
function linearMatches(pattern: RE2JS, text: string): (string | null)[][] {
  const matcher = pattern.matcher(text);
  const all: (string | null)[][] = [];
  while (matcher.find())
    all.push(Array.from({ length: matcher.groupCount() + 1 }, (_one, at) => matcher.group(at)));
  return all;
}

/** Counts the looks of a backtracking search for all matches, without any of an engine's savings. */
function countLooks(pattern: PatternNode, text: string): number {
  let looks = 0;
  type Next = (at: number) => number;
  const isWord = (at: number) => /\w/.test(text.charAt(at));
  const match = (node: PatternNode, at: number, next: Next): number => {
    switch (node.kind) {
      case 'set':
        looks += 1;
        return at < text.length && hasUnit(node.units, text.charCodeAt(at)) ? next(at + 1) : -1;
      case 'assertion': {
        looks += 1;
        const isBoundary = isWord(at - 1) !== isWord(at);
        const holds = {
          '^': at === 0,
          $: at === text.length,
          '\\b': isBoundary,
          '\\B': !isBoundary,
        }[node.code];
        return holds ? next(at) : -1;
      }
      case 'group':
        return match(node.body, at, next);
      case 'sequence': {
        const from = (index: number, place: number): number => {
          const part = node.parts[index];
          return part ? match(part, place, (end) => from(index + 1, end)) : next(place);
        };
        return from(0, at);
      }
      case 'choice':
        for (const option of node.options) {
          const end = match(option, at, next);
          if (end >= 0) return end;
        }
        return -1;
      case 'loop': {
        const round = (count: number, place: number): number => {
          const more = () =>
            count < node.max ? match(node.body, place, (end) => round(count + 1, end)) : -1;
          const leave = () => (count >= node.min ? next(place) : -1);
          const [first, second] = node.isLazy ? [leave, more] : [more, leave];
          const end = first();
          return end >= 0 ? end : second();
        };
        return round(0, at);
      }
    }
  };
  for (let at = 0; at <= text.length;) {
    const end = match(pattern, at, (place) => place);
    at = end > at ? end : at + 1;
  }
  return looks;
}

describe('patterns on the host’s engine', () => {
  it('match, and replace, what they match on the linear engine', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyFlags, anyPattern, anyText, (flags, inner, text) => {
        const pattern = flags + inner;
        let linear: RE2JS;
        try {
          linear = RE2JS.compile(pattern);
        } catch {
          return;
        }
        const native = nativePattern(pattern);
        if (native?.stepsFor(text) === undefined) return;
        compared += 1;
        expect([pattern, text, native.matches(text)]).toEqual([
          pattern,
          text,
          linear.matcher(text).find(),
        ]);
        const [finder, grouped] = [native.finder(), native.groupFinder()];
        const wanted = linearMatches(linear, text);
        if (finder)
          expect([pattern, text, [...text.matchAll(finder)].map(([all]) => all)]).toEqual([
            pattern,
            text,
            wanted.map(([all]) => all),
          ]);
        if (grouped)
          expect(
            [...text.matchAll(grouped)].map((one) => [...one].map((part) => part ?? null)),
          ).toEqual(wanted);
      }),
      { numRuns: 4_000 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  it('never take more looks than are paid for', () => {
    let counted = 0;
    fc.assert(
      fc.property(anyPattern, anyText, (pattern, text) => {
        const node = parsePattern(pattern);
        if (node === undefined || nativePattern(pattern) === undefined) return;
        const work = patternWork(node);
        if (work === undefined) return;
        counted += 1;
        const attempts = work.isAnchored ? 1 : text.length + 1;
        // A search looks at each place at least once, also where no match can begin.
        const paid = 1 + text.length * 4 + attempts * (work.start + (text.length + 1) * work.run);
        const looks = countLooks(node, text);
        expect({ pattern, text, paid, looks: Math.min(looks, 2 * paid) }).toEqual({
          pattern,
          text,
          paid,
          looks,
        });
      }),
      { numRuns: 6_000 },
    );
    expect(counted).toBeGreaterThan(100);
  });

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(a|ab)*c',
    '(?:a?){20}a{20}',
    '(.*)(.*)(.*)b',
    'a*a*b',
    '(a*)*b',
    '(\\w+\\s?)*$',
    '(a+b?)+c',
    '[ab]*a[ab]*b$',
  ])('do not include %s, which would go back again and again', (pattern) => {
    expect(nativePattern(pattern)).toBeUndefined();
  });

  it.each([
    ['a+$', 'a'.repeat(500)],
    ['<[^>]*>', '<'.repeat(500)],
    ['\\s+$', `${' '.repeat(500)}x`],
  ])('leave %s to the linear engine where the text begins it often', (pattern, text) => {
    expect(nativePattern(pattern)?.stepsFor(text)).toBeUndefined();
    expect(nativePattern(pattern)?.stepsFor('<a> x')).toEqual(expect.any(Number));
  });

  it.each(['\\pL', '(?m)^a', '\\Qa\\E', '(?U)a+', '(?i)é', '\\C'])(
    'do not include %s, which only RE2 knows',
    (pattern) => {
      expect(nativePattern(pattern)).toBeUndefined();
    },
  );

  it('leave texts with surrogates to the linear engine', () => {
    expect(nativePattern('^.$')?.stepsFor('😀')).toBeUndefined();
  });
});
