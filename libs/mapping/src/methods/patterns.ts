import { RE2JS } from 're2js';
import { RunError } from '../language/run-error.js';
import { kept } from './kept.js';

const longest = 4_096;

/** RE2 syntax on an engine that takes linear time, whatever the pattern. @throws RunError */
export const patternOf = kept((text: string): RE2JS => {
  if (text.length > longest)
    throw new RunError(`the regular expression is longer than ${longest} characters`);
  try {
    return RE2JS.compile(text);
  } catch (error) {
    throw new RunError(`the regular expression does not compile: ${(error as Error).message}`);
  }
});

/** Whether a pattern matches all of a text. */
export function matchesWhole(pattern: string, text: string): boolean {
  return patternOf(pattern).matcher(text).matches();
}
