import { findText } from '../../language/find-text.js';
import { type Matcher, MatcherInputBase, RE2JS } from 're2js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { kept } from '../collections/kept.js';
import { type NativePattern, nativePattern } from './native-pattern.js';
import { patternSize } from './pattern-size.js';

const maxPatternLength = 4_096;
/** Instructions of a compiled pattern: compiling one takes some microseconds, and a few hundred bytes. */
const maxPatternSize = 10_000;
/** Instructions by groups: the matcher keeps the places of all groups for each instruction. */
const maxPlaces = 500_000;
/** Steps of looking a pattern up, of compiling it, and of each instruction. */
const [lookupSteps, compileSteps, instructionSteps] = [4, 500, 60];

/** Checks a pattern before it is compiled. @throws RunError */
function sizeOf(text: string): number {
  if (text.length > maxPatternLength)
    throw new RunError(`the regular expression is longer than ${maxPatternLength} characters`);
  const size = patternSize(text);
  if (size > maxPatternSize)
    throw new RunError(
      `the regular expression is too large: its repetitions make about ${size} instructions of it, at most ${maxPatternSize} are allowed`,
    );
  return size;
}

/** A pattern of RE2's syntax. */
export interface Pattern {
  /** On an engine that takes linear time, whatever the pattern. */
  linear: RE2JS;
  /** On the host's engine, where that is certain to do the same in bounded time. */
  native: NativePattern | undefined;
  /** The names of its groups, or their indexes where they have none; the first is that of the whole match. */
  fields: readonly string[];
}

/** Compiles a pattern. @throws RunError */
export const patternOf = kept(
  (text: string): Pattern => {
    sizeOf(text);
    let pattern: RE2JS;
    try {
      pattern = RE2JS.compile(text);
    } catch (error) {
      throw new RunError(`the regular expression does not compile: ${(error as Error).message}`);
    }
    if (pattern.programSize() * (pattern.groupCount() + 1) > maxPlaces)
      throw new RunError(
        `the regular expression has too many groups for its size: ${pattern.groupCount()}`,
      );
    return { linear: pattern, native: nativePattern(text), fields: fieldsOf(pattern) };
  },
  {
    weigh: ({ linear }) => linear.programSize() * (1 + (linear.groupCount() >> 3)),
    maxWeight: 100_000,
  },
);

function fieldsOf(pattern: RE2JS): readonly string[] {
  const fields = Array.from({ length: pattern.groupCount() + 1 }, (_one, index) => String(index));
  for (const [name, index] of Object.entries(pattern.namedGroups())) fields[index] = name;
  return fields;
}

/** The pattern, paid for by its size where the run has not used it before. @throws RunError, LimitError */
export function paidPattern(text: string, run: Run): Pattern {
  run.spend(lookupSteps);
  run.once(text, () => compileSteps + instructionSteps * sizeOf(text));
  return patternOf(text);
}

/** Steps of beginning a search: the library prepares memory for places and instructions, however short the text is. */
const beginSteps = 80;

/** Begins to match a text, which pays for each character that is read of it. */
export function matcherOf(pattern: RE2JS, text: string, run: Run): Matcher {
  run.spend(beginSteps);
  return pattern.matcher(new PaidInput(new PaidText(text, readPrice(pattern, text), run)));
}

/** Pays for a search on the host's engine. @returns false, and pays nothing, where the linear one has to do it */
export function payNative(
  native: NativePattern | undefined,
  text: string,
  run: Run,
): native is NativePattern {
  const steps = native?.stepsFor(text);
  if (steps === undefined) return false;
  run.spend(steps);
  return true;
}

/** Whether a pattern matches a part of a text. */
export function matchesPart(pattern: string, text: string, run: Run): boolean {
  const { linear, native } = paidPattern(pattern, run);
  return payNative(native, text, run) ? native.matches(text) : matcherOf(linear, text, run).find();
}

/** Whether a pattern matches all of a text. */
export function matchesWhole(pattern: string, text: string, run: Run): boolean {
  return matcherOf(paidPattern(pattern, run).linear, text, run).matches();
}

/** Characters that are paid for together. */
const readsAtOnce = 16;
/** The library goes back over short texts with small patterns, and reads them once for each instruction then. */
const [maxBackSize, maxBackBits] = [500, 256 * 1024];

/** Steps for some reads of a text: each may look at all instructions, and keep the places of all groups for some of them. */
function readPrice(pattern: RE2JS, text: string): number {
  const size = pattern.programSize();
  const goesBack = size <= maxBackSize && text.length <= maxBackBits / size;
  const nanoseconds = goesBack ? 100 : 40 + size * (10 + pattern.groupCount() / 10);
  return Math.ceil((readsAtOnce * nanoseconds) / 100);
}

/** A text as the matcher reads it: how far it looks is known to it alone, and may be far beyond what it finds. */
class PaidText {
  readonly length: number;
  private free = 0;

  constructor(
    private readonly text: string,
    private readonly price: number,
    private readonly run: Run,
  ) {
    this.length = text.length;
  }

  /** The library takes it for a string. */
  get [Symbol.toStringTag](): string {
    return 'String';
  }

  charCodeAt(at: number): number {
    if (this.free === 0) this.pay();
    this.free -= 1;
    return this.text.charCodeAt(at);
  }

  indexOf(part: string, from: number): number {
    const at = findText(this.text, part, from);
    this.run.spend(1 + (((at < 0 ? this.length : at) - from) >> 6));
    return at;
  }

  substring(from: number, to: number): string {
    return this.text.slice(from, to);
  }

  toString(): string {
    return this.text;
  }

  private pay(): void {
    this.free = readsAtOnce;
    this.run.spend(this.price);
  }
}

class PaidInput extends MatcherInputBase {
  constructor(private readonly text: PaidText) {
    super();
  }

  override isUTF8Encoding(): boolean {
    return false;
  }

  override isUTF16Encoding(): boolean {
    return true;
  }

  override asCharSequence(): string {
    return this.text as unknown as string;
  }

  override length(): number {
    return this.text.length;
  }
}
