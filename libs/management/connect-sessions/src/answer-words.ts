import { readFileSync } from 'node:fs';

/** A sentence for somebody who comes back from a provider, with its values. */
export type AnswerText =
  | { name: 'expired' | 'notOffered' }
  | { name: 'connected' | 'declined' | 'late' | 'notAllowed' | 'unexpected'; provider: string }
  | { name: 'refused' | 'application'; provider: string; code: string };

type Words = Readonly<Record<AnswerText['name'], string>>;

/** Languages of the Connect UI, which the page speaks too. */
const languages = ['en', 'de', 'es', 'fr', 'ja'];
const words = new Map<string, Words>(
  languages.map((language) => {
    const text = readFileSync(new URL(`./answer-words/${language}.json`, import.meta.url), 'utf8');
    return [language, JSON.parse(text) as Words];
  }),
);

/** Returns the language of the session, or else the first of the browser's that there is; English if there is none. */
export function languageOf(locale: string | null | undefined, acceptLanguage: string): string {
  const wanted = [locale ?? '', ...acceptLanguage.split(',')].map((one) =>
    one.trim().slice(0, 2).toLowerCase(),
  );
  return wanted.find((one) => words.has(one)) ?? 'en';
}

/** Returns a sentence in a language of `languageOf`. */
export function say(language: string, { name, ...rest }: AnswerText): string {
  const values: Readonly<Record<string, string>> = rest;
  const text = (words.get(language) ?? words.get('en'))?.[name] ?? '';
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
}
