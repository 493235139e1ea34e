import type { Method } from '../../language/specification.js';
import { isAscii } from '../text.js';
import { flat } from '../costs.js';
import { isShortAscii, payForText } from '../in-place.js';
import { textMethod } from '../text-method.js';

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

/** The price of texts whose letters change their case. */
const caseNanoseconds = 10;
const cost = { ...flat, nanoseconds: caseNanoseconds };

export const caseMethods: readonly Method[] = [
  textMethod(
    'uppercase',
    'In upper case.',
    {
      cost,
      returns: 'part',
      inPlace: {
        form: 'text',
        change: (run, text) => {
          if (!isShortAscii(text)) return undefined;
          payForText(run, text, caseNanoseconds);
          return text.toUpperCase();
        },
      },
      examples: [['root = this.uppercase()', '"abc"', '"ABC"']],
    },
    upper,
  ),
  textMethod(
    'lowercase',
    'In lower case.',
    {
      cost,
      returns: 'part',
      inPlace: {
        form: 'text',
        change: (run, text) => {
          if (!isShortAscii(text)) return undefined;
          payForText(run, text, caseNanoseconds);
          return text.toLowerCase();
        },
      },
      examples: [['root = this.lowercase()', '"ABC"', '"abc"']],
    },
    lower,
  ),
  textMethod(
    'capitalize',
    'The first letter of each word in upper case, the others in lower.',
    {
      cost: { ...flat, nanoseconds: 100 },
      returns: 'part',
      examples: [['root = this.capitalize()', '"the BIG day"', '"The Big Day"']],
    },
    (value) =>
      value
        .toLowerCase()
        .replace(
          /(^|[^\p{L}\p{M}\p{N}'’])(\p{L})/gu,
          (_all, before: string, letter: string) => before + letter.toUpperCase(),
        ),
  ),
];
