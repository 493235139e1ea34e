import type { Run } from '../language/run.js';
import { textSteps } from './charges.js';

/** Longer texts are left to the methods: a walk in JavaScript pays for short ones only. */
const maxAsciiLength = 64;

export function isShortAscii(text: string): boolean {
  if (text.length > maxAsciiLength) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Pays for walking a text as its method does. @param nanoseconds those of its cost */
export function payForText(run: Run, text: string, nanoseconds: number): void {
  const steps = textSteps(text.length, nanoseconds);
  if (steps > 0 && (run.fuel -= steps) < 0) run.refuel();
}
