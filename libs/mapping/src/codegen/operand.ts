import { type Js, js } from './javascript.js';

/** The type of a value, as far as it is known when code is generated. */
export type Known = 'any' | 'null' | 'string' | 'number' | 'bool' | 'array' | 'object';

/** Whether a value may be one of the two marks, `deleted()` and `nothing()`. */
export type Marked = 'never' | 'perhaps' | 'likely';

/** A value in generated code: reading it has no effect and costs nothing. */
export interface Operand {
  code: Js;
  known: Known;
  marked: Marked;
  /** For literals. */
  constant?: { value: unknown };
}

export const nullOperand: Operand = {
  code: js`null`,
  known: 'null',
  marked: 'never',
  constant: { value: null },
};

export function operand(code: Js, known: Known = 'any', marked: Marked = 'never'): Operand {
  return { code, known, marked };
}

/** The value of `nothing()`. */
export const nothingOperand: Operand = operand(js`Nothing`, 'any', 'likely');

const degrees = { never: 0, perhaps: 1, likely: 2 };

export function moreMarked(a: Marked, b: Marked): Marked {
  return degrees[a] >= degrees[b] ? a : b;
}

/** Returns the type that two ways to one value have in common. */
export function eitherKnown(a: Known, b: Known): Known {
  return a === b ? a : 'any';
}
