import { formatJson } from '../../language/json.js';
import type { Run } from '../../language/run.js';
import { RunError } from '../../language/run-error.js';
import { isNumber, typeName, type Value } from '../../language/values.js';
import { wholeOf } from '../../language/whole-number.js';
import { textOf } from '../text.js';

// Zeros are flags, and no beginning of a width: what two parts could take would be tried in every way.
const verb = /%([-+# 0]*)([1-9]\d*|\*)?(?:\.(\d*))?([a-zA-Z%])/g;
const widest = 1_000;

/** A place in a form for a value. */
interface Verb {
  letter: string;
  flags: string;
  width: number;
  digits: number | undefined;
  /** Whether it is `%s`, `%v` or `%d`, without more. */
  isPlain: boolean;
  offset: number;
}

/** A form as the texts and verbs that it is made of. */
export type Form = readonly (string | Verb)[];

export function readForm(text: string): Form {
  const form: (string | Verb)[] = [];
  let last = 0;
  for (const found of text.matchAll(verb)) {
    const [all, flags = '', width = 0, precision = 0, letter = ''] = found;
    if (found.index > last) form.push(text.slice(last, found.index));
    last = found.index + all.length;
    if (letter === '%') form.push('%');
    else
      form.push({
        letter,
        flags,
        width: Number(width),
        digits: all.includes('.') ? Number(precision) : undefined,
        isPlain: all === `%${letter}` && 'svd'.includes(letter),
        offset: found.index,
      });
  }
  if (last < text.length) form.push(text.slice(last));
  return form;
}

/** Go's Sprintf for the verbs that mappings use; a wrong verb prints `%!d(type=value)`, as there. */
export function formatValues(form: Form, args: readonly Value[], run: Run): string {
  let next = 0;
  let text = '';
  for (const part of form) {
    if (typeof part === 'string') text += part;
    else if (next >= args.length) text += `%!${part.letter}(MISSING)`;
    else {
      const value = args[next++];
      run.spend(1);
      text +=
        part.isPlain && part.letter !== 'd' && typeof value === 'string'
          ? value
          : formatVerb(part, value);
    }
  }
  run.string(text.length);
  if (next < args.length)
    return `${text}%!(EXTRA ${args
      .slice(next)
      .map((one) => `${typeName(one)}=${textOf(one)}`)
      .join(', ')})`;
  return text;
}

function formatVerb({ letter, flags, width, digits, offset }: Verb, value: Value): string {
  if (width > widest || (digits ?? 0) > widest)
    throw new RunError(
      `format: width and precision are at most ${widest} (character ${offset + 1})`,
    );
  return pad(show(letter, value, flags, digits), width, flags, isNumber(value));
}

function show(letter: string, value: Value, flags: string, digits: number | undefined): string {
  const plus = flags.includes('+') && isNumber(value) && value >= 0 ? '+' : '';
  switch (letter) {
    case 'v':
    case 's':
      if (letter === 's' && isNumber(value)) return wrong(letter, value);
      return plus + cut(textOf(value), digits);
    case 'q':
      return JSON.stringify(textOf(value));
    case 'd':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
        ? plus + String(value)
        : wrong(letter, value);
    case 'f':
    case 'F':
      return isNumber(value) ? plus + fixed(Number(value), digits ?? 6) : wrong(letter, value);
    case 'e':
      return isNumber(value)
        ? plus +
            Number(value)
              .toExponential(digits ?? 6)
              .replace(/e([+-])(\d)$/, 'e$10$2')
        : wrong(letter, value);
    case 'g':
      return isNumber(value)
        ? plus +
            String(
              digits === undefined
                ? Number(value)
                : Number(Number(value).toPrecision(Math.max(1, digits))),
            )
        : wrong(letter, value);
    case 'x':
    case 'X': {
      const hex = isNumber(value)
        ? wholeOf(Number(value)).toString(16)
        : Buffer.from(textOf(value)).toString('hex');
      return letter === 'X' ? hex.toUpperCase() : hex;
    }
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong(letter, value);
    case 'T':
      return typeName(value);
    default:
      return wrong(letter, value);
  }
}

/** So many digits behind the point; what lies exactly between two goes to the even one, as in Go. */
function fixed(value: number, digits: number): string {
  const exactDigits = digits + 26;
  const rounded = value.toFixed(Math.min(digits, 100)) + '0'.repeat(Math.max(0, digits - 100));
  if (exactDigits > 100) return rounded;
  // No double is that near to the middle without being it.
  const exact = value.toFixed(exactDigits);
  const isTie = /^50+$/.test(exact.slice(-26));
  const below = exact.slice(0, -26).replace(/\.$/, '');
  return isTie && /[02468]$/.test(below) ? below : rounded;
}

function wrong(letter: string, value: Value): string {
  const shown = typeof value === 'object' && value !== null ? formatJson(value) : textOf(value);
  return `%!${letter}(${isNumber(value) ? 'float64' : typeName(value)}=${shown})`;
}

function cut(text: string, digits: number | undefined): string {
  return digits === undefined ? text : [...text].slice(0, digits).join('');
}

function pad(text: string, width: number, flags: string, isNumeric: boolean): string {
  if (text.length >= width) return text;
  if (flags.includes('-')) return text.padEnd(width);
  if (flags.includes('0') && isNumeric) {
    const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) as string[];
    return sign + digits.padStart(width - sign.length, '0');
  }
  return text.padStart(width);
}
