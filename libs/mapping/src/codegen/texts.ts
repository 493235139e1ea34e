import { maxSmallText, type Run } from '../language/run.js';
import type { Value } from '../language/values.js';
import { textSteps } from '../methods/charges.js';
import { formatNanoseconds, replaceNanoseconds } from '../methods/costs.js';
import { readForm } from '../methods/text/format.js';
import { payForText } from '../methods/in-place.js';

/** A text with parts replaced. What it spends, and the others here, the method spends too. */
export function fastReplace(run: Run, text: string, old: string, fresh: string): string {
  payForText(run, text, replaceNanoseconds);
  return text.replaceAll(old, fresh);
}

/** A form of `format` that has verbs without flags alone: the texts around them, and what writing it spends beside its values. */
export interface PlainForm {
  texts: readonly string[];
  letters: readonly string[];
  steps: number;
}

/** Reads a form; undefined for one with other verbs. */
export function plainForm(text: string, count: number): PlainForm | undefined {
  const texts = [''];
  const letters: string[] = [];
  for (const part of readForm(text)) {
    if (typeof part === 'string') texts.push(`${texts.pop() ?? ''}${part}`);
    else if (!part.isPlain) return undefined;
    else {
      letters.push(part.letter);
      texts.push('');
    }
  }
  if (letters.length !== count) return undefined;
  return { texts, letters, steps: textSteps(text.length, formatNanoseconds) + count };
}

/** Puts texts and whole numbers into a form; undefined, with nothing spent, for other values and for long texts. */
export function fastFormat(
  run: Run,
  { texts, letters, steps }: PlainForm,
  values: readonly Value[],
): string | undefined {
  let text = texts[0] as string;
  let spent = steps;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value === 'string' && letters[at] !== 'd') {
      text += value;
      spent += textSteps(value.length, formatNanoseconds);
    } else if (Number.isSafeInteger(value) && letters[at] !== 's') text += String(value);
    else return undefined;
    text += texts[at + 1] as string;
  }
  if (text.length > maxSmallText || text.length > run.limits.stringLength) return undefined;
  run.spend(spent + (text.length >> 4));
  return text;
}
