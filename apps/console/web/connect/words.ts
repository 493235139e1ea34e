import { computed, signal } from '@preact/signals';
import { credentialLabel } from '../forms/fields.js';
import type { FormWords, ProviderText } from '../parts/form-words.js';
import en from './words/en.json';

export type Words = typeof en;

/** Loaded when they are needed: most customers read one language. The compiler refuses a file without one of the keys of English. */
const others: Readonly<Record<string, () => Promise<{ default: Words }>>> = {
  de: () => import('./words/de.json'),
  es: () => import('./words/es.json'),
  fr: () => import('./words/fr.json'),
  ja: () => import('./words/ja.json'),
};

export const locale = signal('en');
export const words = signal<Words>(en);

/** Shows the page in the first of the wanted languages (`de`, `de-AT`) that it has; in English if it has none of them. */
export async function speak(wanted: readonly (string | null | undefined)[]): Promise<void> {
  const names = wanted.map((one) => one?.toLowerCase().split('-')[0] ?? '');
  const name = names.find((one) => one === 'en' || Object.hasOwn(others, one)) ?? 'en';
  if (name === locale.peek()) return;
  // A file that cannot be loaded leaves the page in its language of before, which is better than no page.
  const loaded = await (others[name]?.() ?? Promise.resolve({ default: en })).catch(
    () => undefined,
  );
  if (loaded === undefined) return;
  words.value = loaded.default;
  locale.value = name;
  document.documentElement.lang = name;
}

/** Puts values into a text. Each is isolated, so that a name in another direction of writing does not turn the sentence around. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\u2068${values[name] ?? ''}\u2069`);
}

/** The words of forms in the language of the page. */
export const formWords = computed<FormWords>(() => {
  const { optional, choose, kind, credential, onePerLine, asJson, show, hide, labels } =
    words.value;
  const { needed, notJson, address, anyOf, yes, no } = words.value;
  const known: Readonly<Record<string, string>> = labels;
  return {
    choose,
    kind,
    credential,
    onePerLine,
    asJson,
    yes,
    no,
    needed,
    notJson,
    address,
    optional: (count) => fill(optional, { count }),
    secrets: { show, hide },
    anyOf: (values) => fill(anyOf, { values: values.join(', ') }),
    hint: ownText,
    // Labels that a provider document gives are in the words of the provider.
    label: (name, given) => (isOurs(name, given) ? (known[name] ?? given) : given),
  };
});

/** A text of ours, such as the description of a field of every mock, in the language of the page; another one as it is, in English. */
export function ownText(text: string): ProviderText {
  const own: Readonly<Record<string, string>> = en.hints;
  const known: Readonly<Record<string, string>> = words.value.hints;
  const [name] = Object.entries(own).find(([, one]) => one === text) ?? [];
  const found = name === undefined ? undefined : known[name];
  return found === undefined ? { text, language: 'en' } : { text: found, language: locale.value };
}

/** Whether a label was made of a name: `Client ID` of `client_id`, or that of a kind of credential. */
function isOurs(name: string, given: string): boolean {
  const own: Readonly<Record<string, string>> = en.labels;
  const plain = name.replaceAll('_', ' ');
  return given.toLowerCase() === plain || given === credentialLabel(name) || own[name] === given;
}

/** A number of seconds in the language of the page. */
export function seconds(count: number): string {
  return new Intl.NumberFormat(locale.value, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'narrow',
  }).format(count);
}
