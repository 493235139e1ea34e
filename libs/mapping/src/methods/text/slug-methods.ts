import type * as transliteration from 'transliteration';
import { optionalPackage } from '../../language/optional-package.js';
import type { Method } from '../../language/specification.js';
import { asString } from '../../language/values.js';
import { textOf } from '../text.js';
import { flat } from '../costs.js';

const library = optionalPackage<typeof transliteration>('transliteration', 2);

/** Letters and what stands for them, in every language: quotes go, dashes are dashes, Cyrillic as Unidecode spells it. */
const everywhere = `" ' ’ ‒- –- —- ―- хkh ХKh цts ЦTs ъ- Ъ- ь- Ь-`;

/** The words that a language adds to that, and to the ASCII letters of all other languages. */
const languages: Readonly<Record<string, string>> = {
  bg: 'хh ХH щsht ъa ЪA ьy ЬY',
  cs: '&a @zavinac',
  de: '&und @an äae ÄAe öoe ÖOe üue ÜUe',
  el: '&kai βv ΒV ηi ΗI ήi ΉI φf ΦF χch ΧCh υy ΥY ύy ΎY ϋy ΰy ωo ΩO ώo ΏO',
  en: '&and @at',
  es: '&y @en',
  fi: '&ja @at',
  fr: '&et @arobase',
  hu: '',
  id: '&dan',
  it: '&e @chiocciola',
  kk: '&jane әa ӘA ғg ҒG қq ҚQ ңn ҢN өo ӨO ұu ҰU',
  nb: '&og @at øoe ØOe åaa ÅAa',
  nl: '&en @at',
  pl: '&i @na',
  pt: '&e',
  ro: '&si',
  sl: '&in đdz ĐDZ',
  sv: '&och @snabel-a',
  tr: '&ve @et',
};

/** Other codes of the same languages. */
const synonyms = new Map(
  (
    'bgr=bg ces=cs deu=de eng=en spa=es fin=fi fra=fr gr=el ell=el hun=hu idn=id ind=id ita=it kz=kk kaz=kk ' +
    'nob=nb nn=nb nno=nb nld=nl pol=pl prt=pt br=pt bra=pt rou=ro slv=sl swe=sv tur=tr'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

const substitutions = new Map(
  Object.entries(languages).map(([language, own]) => [
    language,
    new Map(
      `${everywhere} ${own}`.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
    ),
  ]),
);

/** Lower-case words of ASCII with dashes between; a language that is not known is read as English. */
function slug(text: string, language: string): string {
  const code = language.toLowerCase();
  const table = substitutions.get(code) ?? substitutions.get(synonyms.get(code) ?? 'en');
  const replaced = Array.from(text.trim(), (letter) => table?.get(letter) ?? letter).join('');
  return library
    .load()
    .transliterate(replaced)
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, '');
}

export const slugMethods: readonly Method[] = [
  {
    name: 'slug',
    category: 'string',
    purity: 'pure',
    cost: { ...flat, nanoseconds: 300, steps: 90, own: 'size' },
    description:
      'Lower-case words of ASCII with dashes between, by the spelling of a language (its ISO 639 code).',
    needs: library,
    parameters: [{ name: 'lang', type: 'string', default: 'en' }],
    examples: [
      ['root = this.slug()', '"Gopher & Benthos"', '"gopher-and-benthos"'],
      [
        'root = this.slug("fr")',
        '"Gaufre & Poisson d\'Eau Profonde"',
        '"gaufre-et-poisson-deau-profonde"',
      ],
    ],
    run: (target, [language], run) => {
      const text = asString(target);
      run.string(text.length * 4);
      return slug(text, textOf(language));
    },
  },
];
