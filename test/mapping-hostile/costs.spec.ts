import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { standardEnvironment } from '@onefold/mapping';
import { parseTemplate } from '../../libs/mapping/src/language/parse.js';
import { isObject, type Value } from '../../libs/mapping/src/language/values.js';
import type { Expression } from '../../libs/mapping/src/language/ast.js';
import { expressionsOf, partsOf } from '../../libs/mapping/src/language/walk.js';
import { kept, measureTemplate } from './measure.js';
import { targets } from './method-loads.js';

// The pages of methods and functions say what each costs: their lines are read here, and compared with what calls of two sizes spend.

type Walk = 'none' | 'flat' | 'deep';
interface Stated {
  steps: number;
  target: Walk;
  result: Walk;
  nanoseconds: number;
  /** Growth of the steps that it pays besides. */
  more: string | undefined;
}

const folder = new URL('../../../docs/mapping/', import.meta.url);
const [ofMethods, ofFunctions] = ['methods.md', 'functions.md'].map(
  (name) =>
    new Map(
      [
        ...readFileSync(fileURLToPath(new URL(name, folder)), 'utf8').matchAll(
          /^### (\w+)\n(?:(?!^###)[^])*?; cost: ([^_]*?)(?:; needs [^_]*)?_$/gm,
        ),
      ].map(([, one = '', line = '']) => [one, readLine(line)] as const),
    ),
) as [Map<string, Stated>, Map<string, Stated>];

function readLine(line: string): Stated {
  const walks = (/walks ([^;]*)/.exec(line)?.[1] ?? '').split(', ');
  const walkOf = (part: string): Walk => {
    if (walks.includes(`all in the ${part}`)) return 'deep';
    return walks.includes(`the ${part}`) ? 'flat' : 'none';
  };
  return {
    steps: Number(/^(\d+) steps?/.exec(line)?.[1] ?? (line.startsWith('no step') ? 0 : NaN)),
    target: walkOf('target'),
    result: walkOf('result'),
    nanoseconds: Number(/(\d+) ns a character/.exec(line)?.[1] ?? 2),
    more: /; (more .*)$/.exec(line)?.[1],
  };
}

/** Sizes are multiples of what the shapes divide by. */
const [small, large] = [1_680, 3_360];
/** The steps of a larger call may be so many times as many; n log n of the elements is not more, and their square is. */
const maxGrowth = (1.5 * large) / small;
const field = (size: number): Value => ({ id: 1, value: targets['numbers']?.(size) });
const shapes = [
  'letters',
  'quoted',
  'markup',
  'csv rows',
  'json arrays',
  'form pairs',
  'base64',
  'bytes',
  'digits',
  'time',
  'numbers',
  'texts',
  'arrays',
  'objects',
  'keys',
].map((name) => [name, targets[name] as (size: number) => Value] as const);

/** Calls of a method on any target, with the arguments of its examples. */
function callsOf(name: string): string[] {
  const calls = (standardEnvironment.methods.get(name)?.examples ?? []).flatMap(([source]) =>
    expressionsOf(parseTemplate(source).statements)
      .flatMap(withParts)
      .flatMap((one) =>
        one.kind === 'method' && one.name === name
          ? [`root = this${source.slice(one.target.end, one.end)}`]
          : [],
      ),
  );
  return [...new Set(calls)];
}

const withParts = (one: Expression): Expression[] => [one, ...partsOf(one).flatMap(withParts)];

const stepsOf = (source: string) => measureTemplate(source, 1, { collects: false }).steps;
const [stepsOfTarget, stepsOfValue] = ['root = this', 'root = 1'].map(stepsOf) as [number, number];
/** With a default they are compiled as `or`, without the step of a call. */
const conversions = /\.(number|bool|timestamp)\([^)]/;

it('has a cost for every method and function', () => {
  const { functions, methods } = standardEnvironment;
  expect([...ofMethods.keys()].sort()).toEqual([...methods.keys()].sort());
  expect([...ofFunctions.keys()].sort()).toEqual([...functions.keys()].sort());
});

it.each([...ofMethods])('a call of %s spends what the page says', (name, cost) => {
  const found: string[] = [];
  let hasMore = false;
  for (const source of callsOf(name))
    for (const [shape, make] of [...shapes, ['an object with a list', field] as const]) {
      const minSteps = conversions.test(source) ? cost.steps - 1 : cost.steps;
      const [less, more] = [small, large].map(
        (size) => spend(source, make(size), cost) - stepsOfTarget,
      ) as [number, number];
      if (!isStated(less, more, minSteps, cost))
        found.push(`${source} of ${shape}: ${less}, ${more}`);
      if (more > less) hasMore = true;
    }
  expect({ found, hasMore }).toEqual({ found: [], hasMore: cost.more !== undefined });
});

it.each([...ofFunctions])('a call of %s() spends what the page says', (name, cost) => {
  const found: string[] = [];
  for (const [source] of standardEnvironment.functions.get(name)?.examples ?? []) {
    if (!new RegExp(`^root = ${name}\\([^()]*\\)$`).test(source)) continue;
    const [less, more] = [small, large].map(
      (size) => spend(source, field(size), cost) - stepsOfValue,
    ) as [number, number];
    if (!isStated(less, more, cost.steps, cost)) found.push(`${source}: ${less}, ${more}`);
  }
  expect(found).toEqual([]);
});

/** True for steps beside the walks that are as the line says: always as many, or growing as it says. */
function isStated(less: number, more: number, minSteps: number, cost: Stated): boolean {
  if (Math.min(less, more) < minSteps) return false;
  if (cost.more === undefined) return less === more;
  const growth = cost.more.includes('square') ? maxGrowth ** 2 : maxGrowth;
  return more - minSteps <= growth * (less - minSteps) + 64;
}

/** The steps of a run beside the walks over target and result that the line of its call names. */
function spend(source: string, target: Value, cost: Stated): number {
  const { outcome, steps } = measureTemplate(source, target, { collects: false });
  const result = outcome === 'made' ? resultSteps(kept, cost.result) : 0;
  return steps - walkSteps(target, cost.target, cost.nanoseconds) - result;
}

const keySteps = (count: number) => (count > 500 ? 5 : 2) * count;

function walkSteps(value: Value, walk: Walk, nanoseconds: number): number {
  if (walk === 'none') return 0;
  if (typeof value === 'string' || value instanceof Uint8Array)
    return Math.floor((value.length * nanoseconds) / 128);
  const parts = partsIn(value);
  if (parts === undefined) return 0;
  const inner = walk === 'deep' ? sum(parts.map((one) => walkSteps(one, walk, nanoseconds))) : 0;
  if (!Array.isArray(value)) return keySteps(parts.length) + 1 + inner;
  return (walk === 'deep' ? parts.length + 1 : Math.floor(parts.length / 8)) + inner;
}

function resultSteps(value: Value, walk: Walk): number {
  const parts = walk === 'none' ? undefined : partsIn(value);
  if (parts === undefined) return 0;
  const keys = Array.isArray(value) ? 0 : keySteps(parts.length);
  if (walk === 'flat') return keys;
  return keys + parts.length + 1 + sum(parts.map((one) => resultSteps(one, walk)));
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

/** The elements or fields of a value that has some. */
function partsIn(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value as Value[];
  return isObject(value) ? Object.values(value) : undefined;
}
