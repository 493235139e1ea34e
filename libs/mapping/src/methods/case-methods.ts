import type { Method } from '../language/specification.js';
import { isAscii } from './text.js';
import { textMethod } from './text-method.js';

// A letter whose other case needs two letters stays as it is, as in Go; a sigma is one wherever it stands.
const withoutUpper = /[^\xdfŉǰΐΰևẖ-ẚὐὒὔὖᾀ-ᾯᾲ-ᾴᾶᾷᾼῂ-ῄῆῇῌῒΐῖῗῢ-ῤῦῧῲ-ῴῶῷῼﬀ-ﬆﬓ-ﬗ]+/g;
const withoutLower = /[^İΣ]+/g;

const upper = (value: string): string =>
  isAscii(value)
    ? value.toUpperCase()
    : value.replace(withoutUpper, (letters) => letters.toUpperCase());
const lower = (value: string): string =>
  isAscii(value)
    ? value.toLowerCase()
    : value.replace(withoutLower, (letters) => letters.toLowerCase()).replaceAll('Σ', 'σ');

export const caseMethods: readonly Method[] = [
  textMethod('uppercase', 'In upper case.', upper, [['root = this.uppercase()', '"abc"', '"ABC"']]),
  textMethod('lowercase', 'In lower case.', lower, [['root = this.lowercase()', '"ABC"', '"abc"']]),
  textMethod(
    'capitalize',
    'The first letter of each word in upper case, the others in lower.',
    (value) =>
      value
        .toLowerCase()
        .replace(
          /(^|[^\p{L}\p{M}\p{N}'’])(\p{L})/gu,
          (_all, before: string, letter: string) => before + letter.toUpperCase(),
        ),
    [['root = this.capitalize()', '"the BIG day"', '"The Big Day"']],
  ),
];
