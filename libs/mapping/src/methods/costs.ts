import type { Cost } from '../language/specification.js';

/** Nanoseconds for each character of a text that is walked, unless a method says otherwise. */
const nanoseconds = 2;

/** Walks nothing: what leads only where its arguments do, calls queries or reads patterns pays as it goes. */
export const free: Cost = {
  target: 'none',
  arguments: 'none',
  result: 'none',
  steps: 0,
  nanoseconds,
};
/** Without even the step of a call: the compiler makes something else of it. */
export const compiled: Cost = { ...free, steps: -1 };
/** Texts, arrays and keys are walked once, and the result is not deeper than that. */
export const flat: Cost = {
  target: 'flat',
  arguments: 'flat',
  result: 'flat',
  steps: 0,
  nanoseconds,
};
/** As much as any method can need. */
export const deep: Cost = {
  target: 'deep',
  arguments: 'deep',
  result: 'deep',
  steps: 0,
  nanoseconds,
};

/** Nanoseconds for each character of a text that is replaced. */
export const replaceNanoseconds = 10;
/** The same for what is put into a form. */
export const formatNanoseconds = 60;
