import { hasUnit, maxUnit, otherUnits, type Units } from '../text/code-units.js';
import { parsePattern, type PatternNode } from './parse-pattern.js';
import { patternSize } from './pattern-size.js';
import { patternWork, type PatternWork } from './pattern-work.js';

/** Larger patterns stay with the linear engine: what the host makes of them takes memory. */
const maxNativeSize = 500;
/** In longer texts the host remembers too many places to go back to. */
const maxNativeLength = 100_000;
/** Looks at a character for each character of a text, and beside them; what may need more is left to the linear engine. */
const [maxLooks, maxStart] = [64, 256];
/** A look takes two nanoseconds at most, and a step stands for 128. */
const lookBits = 6;

const surrogate = /[\ud800-\udfff]/;

/** A pattern on the host's engine, which is many times as fast: only one whose work is bounded, and which both engines read alike. */
export class NativePattern {
  private readonly test: RegExp;
  private found: RegExp | undefined;
  private grouped: RegExp | undefined;
  private readonly firsts: Uint8Array;

  constructor(
    private readonly node: PatternNode,
    private readonly work: PatternWork,
  ) {
    this.test = new RegExp(sourceOf(node, false));
    this.firsts = Uint8Array.from({ length: 256 }, (_one, unit) =>
      Number(hasUnit(work.first, unit)),
    );
  }

  /** Steps of a search through a text; undefined where the linear engine is to do it. */
  stepsFor(text: string): number | undefined {
    const { length } = text;
    if (length > maxNativeLength || surrogate.test(text)) return undefined;
    const { isAnchored, start, run } = this.work;
    const attempt = start + length * run;
    const limit = maxLooks * length + maxStart;
    let looks = length + (isAnchored ? attempt : length * attempt);
    if (looks > limit && !isAnchored)
      looks = length + attempt * this.attempts(text, limit / attempt);
    return looks > limit ? undefined : looks >> lookBits;
  }

  matches(text: string): boolean {
    return this.test.test(text);
  }

  /** The expression that finds all matches, without its groups; undefined when they may be empty, on which the engines differ. */
  finder(): RegExp | undefined {
    if (this.work.isNullable) return undefined;
    return (this.found ??= new RegExp(sourceOf(this.node, false), 'g'));
  }

  /** The expression that finds all matches with their groups; undefined for groups that are repeated, on which the engines differ. */
  groupFinder(): RegExp | undefined {
    if (this.work.isNullable || repeatsGroup(this.node, false)) return undefined;
    return (this.grouped ??= new RegExp(sourceOf(this.node, true), 'g'));
  }

  /** How often a match can begin, counted up to a limit. */
  private attempts(text: string, limit: number): number {
    let count = 0;
    for (let at = 0; at < text.length && count <= limit; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 255 || this.firsts[unit] === 1) count += 1;
    }
    return count;
  }
}

/** Makes a native pattern of one that RE2 has accepted; undefined where it is not certain that it does the same in bounded time. */
export function nativePattern(text: string): NativePattern | undefined {
  if (patternSize(text) > maxNativeSize) return undefined;
  const node = parsePattern(text);
  const work = node && patternWork(node);
  return work === undefined || work.start > maxStart
    ? undefined
    : new NativePattern(node as PatternNode, work);
}

function repeatsGroup(node: PatternNode, isRepeated: boolean): boolean {
  switch (node.kind) {
    case 'set':
    case 'assertion':
      return false;
    case 'group':
      return isRepeated || repeatsGroup(node.body, isRepeated);
    case 'loop':
      return repeatsGroup(node.body, isRepeated || node.max > 1);
    case 'sequence':
      return node.parts.some((one) => repeatsGroup(one, isRepeated));
    case 'choice':
      return node.options.some((one) => repeatsGroup(one, isRepeated));
  }
}

function sourceOf(node: PatternNode, withGroups: boolean): string {
  const inner = (one: PatternNode): string => sourceOf(one, withGroups);
  switch (node.kind) {
    case 'set':
      return setSource(node.units);
    case 'assertion':
      return node.code;
    case 'group':
      return withGroups ? `(${inner(node.body)})` : `(?:${inner(node.body)})`;
    case 'sequence':
      return node.parts
        .map((one) => (one.kind === 'choice' ? `(?:${inner(one)})` : inner(one)))
        .join('');
    case 'choice':
      return node.options.map(inner).join('|');
    case 'loop': {
      const { body, min, max, isLazy } = node;
      const isSingle = body.kind === 'set' || body.kind === 'group';
      const repeated = isSingle ? inner(body) : `(?:${inner(body)})`;
      return `${repeated}{${min},${max === Infinity ? '' : max}}${isLazy ? '?' : ''}`;
    }
  }
}

function setSource(units: Units): string {
  const [first = 0, last = 0] = units;
  if (units.length === 2 && first === last) return unitSource(first);
  const isMost = units.at(-1) === maxUnit;
  const shown = isMost ? otherUnits(units) : units;
  const ranges: string[] = [];
  for (let at = 0; at < shown.length; at += 2)
    ranges.push(`${unitSource(shown[at] as number)}-${unitSource(shown[at + 1] as number)}`);
  return `[${isMost ? '^' : ''}${ranges.join('')}]`;
}

/** A code unit in the notation that has no meaning of its own. */
function unitSource(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
