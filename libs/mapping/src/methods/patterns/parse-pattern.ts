import {
  foldUnits,
  joinUnits,
  maxUnit,
  otherUnits,
  type Units,
  unitsOf,
} from '../text/code-units.js';

/** A regular expression, as far as both engines read it alike. */
export type PatternNode =
  | { kind: 'set'; units: Units }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; options: readonly PatternNode[] }
  | { kind: 'group'; body: PatternNode }
  | { kind: 'loop'; body: PatternNode; min: number; max: number; isLazy: boolean }
  | { kind: 'assertion'; code: '^' | '$' | '\\b' | '\\B' };

/** Thrown for what this parser does not know: such patterns stay with the linear engine. */
class Unknown extends Error {}

const digits: Units = [0x30, 0x39];
const words = joinUnits(digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]);
const spaces = joinUnits(unitsOf('\t\n\f\r '));
const classes: Readonly<Record<string, Units>> = {
  d: digits,
  D: otherUnits(digits),
  w: words,
  W: otherUnits(words),
  s: spaces,
  S: otherUnits(spaces),
};
const posix: Readonly<Record<string, Units>> = {
  alnum: joinUnits(digits, [0x41, 0x5a], [0x61, 0x7a]),
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  digit: digits,
  lower: [0x61, 0x7a],
  space: joinUnits([0x09, 0x0d], [0x20, 0x20]),
  upper: [0x41, 0x5a],
  xdigit: joinUnits(digits, [0x41, 0x46], [0x61, 0x66]),
};
const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Reads a pattern that RE2 has accepted; undefined for one that this parser does not know in full. */
export function parsePattern(text: string): PatternNode | undefined {
  try {
    return new PatternParser(text).pattern();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class PatternParser {
  private at = 0;
  private readonly ignoresCase: boolean;
  private readonly dotTakesAll: boolean;

  constructor(private readonly text: string) {
    const [all = '', flags = ''] = /^\(\?([is]+)\)/.exec(text) ?? [];
    this.at = all.length;
    this.ignoresCase = flags.includes('i');
    this.dotTakesAll = flags.includes('s');
  }

  pattern(): PatternNode {
    const made = this.choice();
    if (this.at < this.text.length) throw new Unknown();
    return made;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.takes('|')) options.push(this.sequence());
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.text.length && !'|)'.includes(this.peek)) {
      const atom = this.atom();
      parts.push(this.repeated(atom));
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
  }

  private repeated(body: PatternNode): PatternNode {
    const [all, sign, low, comma, high, lazy] =
      this.match(/([?*+]|\{(\d+)(?:(,)(\d+)?)?\})(\?)?/y) ?? [];
    if (all === undefined || sign === undefined) return body;
    if (body.kind === 'assertion') throw new Unknown();
    const min = low === undefined ? (sign === '+' ? 1 : 0) : Number(low);
    const max =
      low === undefined
        ? sign === '?'
          ? 1
          : Infinity
        : comma === undefined
          ? min
          : high === undefined
            ? Infinity
            : Number(high);
    return { kind: 'loop', body, min, max, isLazy: lazy !== undefined };
  }

  private atom(): PatternNode {
    const char = this.peek;
    if (char === '(') return this.group();
    if (char === '[') return { kind: 'set', units: this.class() };
    this.at += 1;
    if (char === '^' || char === '$') return { kind: 'assertion', code: char };
    if (char === '.')
      return { kind: 'set', units: this.dotTakesAll ? [0, maxUnit] : otherUnits([10, 10]) };
    if (char === '\\') return this.escaped();
    if ('?*+{'.includes(char)) throw new Unknown();
    return { kind: 'set', units: this.folded(unitOf(char)) };
  }

  private group(): PatternNode {
    const [all = '', inner = ''] = this.match(/\((\?:|\?P?<\w+>)?/y) ?? [];
    if (all === '(' && this.peek === '?') throw new Unknown();
    const body = this.choice();
    if (!this.takes(')')) throw new Unknown();
    return inner === '?:' ? body : { kind: 'group', body };
  }

  private escaped(): PatternNode {
    const letter = this.peek;
    if (letter === 'b' || letter === 'B') {
      this.at += 1;
      return { kind: 'assertion', code: `\\${letter}` };
    }
    if (letter === 'A' || letter === 'z') {
      this.at += 1;
      return { kind: 'assertion', code: letter === 'A' ? '^' : '$' };
    }
    const named = Object.hasOwn(classes, letter) ? classes[letter] : undefined;
    if (named !== undefined) {
      this.at += 1;
      return { kind: 'set', units: named };
    }
    return { kind: 'set', units: this.folded([this.escapedUnit()].flatMap((one) => [one, one])) };
  }

  /** A single character after a backslash. */
  private escapedUnit(): number {
    const hex = this.match(/x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,4})\})/y);
    if (hex) return bmp(parseInt((hex[1] ?? hex[2]) as string, 16));
    const letter = this.peek;
    this.at += 1;
    const control = Object.hasOwn(controls, letter) ? controls[letter] : undefined;
    if (control !== undefined) return control;
    if (letter === '' || /[A-Za-z0-9]/.test(letter) || letter > '\x7f') throw new Unknown();
    return letter.charCodeAt(0);
  }

  private class(): Units {
    const [, not] = this.match(/\[(\^)?/y) ?? [];
    let [plain, named]: [Units, Units] = [[], []];
    for (let isFirst = true; isFirst || this.peek !== ']'; isFirst = false) {
      const posixName = this.match(/\[:(\^?\w*):\]/y);
      const escape = posixName ? undefined : this.match(/\\([dDwWsS])/y);
      if (posixName) named = joinUnits(named, this.posix(posixName[1] as string));
      else if (escape) named = joinUnits(named, classes[escape[1] as string] as Units);
      else {
        const first = this.classUnit();
        const isRange = this.peek === '-' && !']'.includes(this.text.charAt(this.at + 1));
        if (isRange) this.at += 1;
        plain = joinUnits(plain, [first, isRange ? this.classUnit() : first]);
      }
    }
    this.at += 1;
    const units = joinUnits(this.folded(plain), named);
    return not === undefined ? units : otherUnits(units);
  }

  private posix(name: string): Units {
    const units = Object.hasOwn(posix, name) ? posix[name] : undefined;
    if (units === undefined || this.ignoresCase) throw new Unknown();
    return units;
  }

  private classUnit(): number {
    const char = this.peek;
    if (char === '' || char === '[') throw new Unknown();
    this.at += 1;
    return char === '\\' ? this.escapedUnit() : (unitOf(char)[0] as number);
  }

  private folded(units: Units): Units {
    if (!this.ignoresCase) return units;
    const folded = foldUnits(units);
    if (folded === undefined) throw new Unknown();
    return folded;
  }

  private get peek(): string {
    return this.text.charAt(this.at);
  }

  private takes(char: string): boolean {
    if (this.peek !== char) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.at += found[0].length;
    return found;
  }
}

function unitOf(char: string): Units {
  const unit = bmp(char.charCodeAt(0));
  return [unit, unit];
}

/** Halves of surrogate pairs are no characters to RE2. */
function bmp(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) throw new Unknown();
  return unit;
}
