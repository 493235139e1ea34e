import type { Run } from '../language/run.js';
import {
  caseNanoseconds,
  defaultNanoseconds,
  replaceNanoseconds,
  textSteps,
} from '../methods/charges.js';

/** Longer texts are left to the methods: a walk in JavaScript pays for short ones only. */
const maxLength = 64;

function isShortAscii(text: string): boolean {
  if (text.length > maxLength) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function pay(run: Run, text: string, nanoseconds: number): void {
  const steps = textSteps(text.length, nanoseconds);
  if (steps > 0 && (run.fuel -= steps) < 0) run.refuel();
}

/** In lower case; undefined for texts that take more thought. What it spends, and the others here, the method spends too. */
export function fastLower(run: Run, text: string): string | undefined {
  if (!isShortAscii(text)) return undefined;
  pay(run, text, caseNanoseconds);
  return text.toLowerCase();
}

export function fastUpper(run: Run, text: string): string | undefined {
  if (!isShortAscii(text)) return undefined;
  pay(run, text, caseNanoseconds);
  return text.toUpperCase();
}

export function fastTrim(run: Run, text: string): string {
  pay(run, text, defaultNanoseconds);
  return text.trim();
}

export function fastReplace(run: Run, text: string, old: string, fresh: string): string {
  pay(run, text, replaceNanoseconds);
  return text.replaceAll(old, fresh);
}
