import { readFileSync } from 'node:fs';
import { type Locale, locales } from '#contract';

/** A sentence for somebody who comes back from a provider, with its values. */
export type AnswerText =
  | { name: 'expired' | 'notOffered' | 'goOn' }
  | { name: 'asked'; host: string }
  | { name: 'connected' | 'declined' | 'late' | 'notAllowed' | 'unexpected'; provider: string }
  | { name: 'refused' | 'application'; provider: string; code: string };

type Words = Readonly<Record<AnswerText['name'], string>>;

const words = Object.fromEntries(
  locales.map((language) => {
    const text = readFileSync(new URL(`./answer-words/${language}.json`, import.meta.url), 'utf8');
    return [language, JSON.parse(text) as Words];
  }),
) as Record<Locale, Words>;

/** Returns a sentence in a language. */
export function say(language: Locale, { name, ...rest }: AnswerText): string {
  const values: Readonly<Record<string, string>> = rest;
  return words[language][name].replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');
}
