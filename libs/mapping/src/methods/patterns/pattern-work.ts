import { joinUnits, overlaps, type Units } from '../text/code-units.js';
import type { PatternNode } from './parse-pattern.js';

/**
 * The most work of a backtracking engine, in looks at a character: a search in a text of n characters with a attempts takes at most
 * `n + a * (start + n * run)`. There is one attempt for an anchored pattern, else one for each character that it can begin with.
 */
export interface PatternWork {
  isAnchored: boolean;
  start: number;
  run: number;
  /** The characters that a match can begin with. */
  first: Units;
  /** Whether a match can be empty. */
  isNullable: boolean;
}

/** Thrown for patterns whose work cannot be told, or is too much. */
class Unbounded extends Error {}

const maxPaths = 16;

/** Tells the work of searching for a pattern; undefined if it is not certainly bounded as {@link PatternWork} says. */
export function patternWork(pattern: PatternNode): PatternWork | undefined {
  const isAnchored = beginsAnchored(pattern);
  // Without a first character there is an attempt at each character.
  if (isNullable(pattern) && !isAnchored) return undefined;
  const walk = new Walk();
  try {
    walk.node(pattern, [], { isLast: true, isRepeated: false });
  } catch (error) {
    if (error instanceof Unbounded) return undefined;
    throw error;
  }
  const { paths, forks, loops, failingLoops, branches } = walk;
  // Which of two loops ends where would be tried for each place of the other.
  if (forks > 1 || (forks === 1 && loops > 1)) return undefined;
  const length = 1 + lengthOf(pattern);
  // Without forks each character is read once, and compared with what can follow there. Loops that nothing follows never fail.
  const run = forks === 1 ? length : failingLoops > 0 ? 1 + branches : 0;
  return {
    isAnchored,
    start: paths * length,
    run: paths * run,
    first: firstOf(pattern),
    isNullable: isNullable(pattern),
  };
}

interface Place {
  /** Whether the pattern has matched when this has. */
  isLast: boolean;
  /** Whether a loop around this repeats it. */
  isRepeated: boolean;
}

/**
 * Counts the choices that backtracking comes back to. Two ways that begin with different characters are none: one of them fails at
 * once. Within a loop there may be no others, outside each multiplies the paths.
 */
class Walk {
  paths = 1;
  /** Unbounded loops that may end at any of their rounds. */
  forks = 0;
  loops = 0;
  branches = 0;
  /** Unbounded loops behind which the pattern can fail. */
  failingLoops = 0;

  node(node: PatternNode, follow: Units, place: Place): void {
    switch (node.kind) {
      case 'set':
      case 'assertion':
        return;
      case 'group':
        return this.node(node.body, follow, place);
      case 'sequence':
        return this.sequence(node.parts, follow, place);
      case 'choice':
        return this.choice(node.options, follow, place);
      case 'loop':
        return this.loop(node, follow, place);
    }
  }

  private sequence(parts: readonly PatternNode[], follow: Units, place: Place): void {
    let behind = follow;
    let isLast = place.isLast;
    for (const part of [...parts].reverse()) {
      this.node(part, behind, { ...place, isLast });
      isLast = false;
      behind = isNullable(part) ? joinUnits(firstOf(part), behind) : firstOf(part);
    }
  }

  private choice(options: readonly PatternNode[], follow: Units, place: Place): void {
    const firsts = options.map((one) =>
      isNullable(one) ? joinUnits(firstOf(one), follow) : firstOf(one),
    );
    const isOpen =
      options.filter(isNullable).length > 1 ||
      firsts.some((one, index) => firsts.slice(index + 1).some((other) => overlaps(one, other)));
    if (isOpen) this.multiply(options.length, place);
    this.branches += options.length;
    for (const one of options) this.node(one, follow, place);
  }

  private loop(
    { body, min, max }: Extract<PatternNode, { kind: 'loop' }>,
    follow: Units,
    place: Place,
  ): void {
    if (isNullable(body)) throw new Unbounded();
    this.branches += 1;
    const isOpen = min < max && overlaps(firstOf(body), follow);
    if (max === Infinity) {
      this.loops += 1;
      if (!place.isLast || place.isRepeated) this.failingLoops += 1;
      if (isOpen && place.isRepeated) throw new Unbounded();
      if (isOpen) this.forks += 1;
    } else if (isOpen) this.multiply(max - min + 1, place);
    const isRepeated = place.isRepeated || max > 1;
    this.node(body, max > 1 ? joinUnits(follow, firstOf(body)) : follow, {
      isLast: place.isLast && max === 1,
      isRepeated,
    });
  }

  private multiply(ways: number, { isRepeated }: Place): void {
    if (isRepeated) throw new Unbounded();
    this.paths *= ways;
    if (this.paths > maxPaths) throw new Unbounded();
  }
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false;
    case 'assertion':
      return true;
    case 'group':
      return isNullable(node.body);
    case 'sequence':
      return node.parts.every(isNullable);
    case 'choice':
      return node.options.some(isNullable);
    case 'loop':
      return node.min === 0 || isNullable(node.body);
  }
}

function firstOf(node: PatternNode): Units {
  switch (node.kind) {
    case 'set':
      return node.units;
    case 'assertion':
      return [];
    case 'group':
    case 'loop':
      return firstOf(node.body);
    case 'choice':
      return joinUnits(...node.options.map(firstOf));
    case 'sequence': {
      const end = node.parts.findIndex((part) => !isNullable(part));
      return joinUnits(...node.parts.slice(0, end < 0 ? undefined : end + 1).map(firstOf));
    }
  }
}

/** The characters of the longest match, of unbounded loops as few as they need, and one for each look that fails. */
function lengthOf(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
    case 'assertion':
      return 1;
    case 'group':
      return lengthOf(node.body);
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + lengthOf(part), 0);
    case 'choice':
      return node.options.reduce((sum, one) => sum + lengthOf(one), 0);
    case 'loop': {
      const rounds = node.max === Infinity ? node.min + 1 : node.max;
      return rounds * lengthOf(node.body) + 1;
    }
  }
}

function beginsAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'loop':
      return false;
    case 'assertion':
      return node.code === '^';
    case 'group':
      return beginsAnchored(node.body);
    case 'sequence':
      return node.parts.length > 0 && beginsAnchored(node.parts[0] as PatternNode);
    case 'choice':
      return node.options.every(beginsAnchored);
  }
}
