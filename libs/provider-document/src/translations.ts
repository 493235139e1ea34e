import { LocatedDocument, type Path } from '#document';
import type { CompiledProvider } from './compiled-provider.js';
import { validateTranslations } from './generated/validators.js';
import type { TranslationSource } from './source.js';

/** The languages besides English that texts for customers are translated into: those of the Connect UI. */
export const translatedLanguages = ['de', 'es', 'fr', 'ja'] as const;
export type TranslatedLanguage = (typeof translatedLanguages)[number];

/** A text of a document in English and in other languages. */
export type Translation = TranslationSource;

/** Texts in another language, by the English ones. */
export interface Translations {
  language: TranslatedLanguage;
  texts: Record<string, string>;
}

/** The texts of a provider that customers read when they connect it, in English. */
export interface CustomerTexts {
  /** The steps of the setup, the titles and descriptions of the fields that a form shows, and their values in words. */
  shown: ReadonlySet<string>;
  /** Those, the permissions, and the texts within values of which a form shows no parts, such as the items of a list. */
  known: ReadonlySet<string>;
}

/** Reads the `translations.yaml` of a folder. @throws MappingError with every error of its shape */
export function readTranslations(text: string): readonly Translation[] {
  return openTranslations(text).value as Translation[];
}

/**
 * Checks the `translations.yaml` of a folder against its document.
 * @throws MappingError with every entry whose text the document does not have, and every one that is there twice
 */
export function checkTranslationFile(text: string, providers: readonly CompiledProvider[]): void {
  const located = openTranslations(text);
  checkTranslations(located, [], located.value as Translation[], providers);
  located.finish();
}

function openTranslations(text: string): LocatedDocument {
  return new LocatedDocument(text, { validate: validateTranslations, standIns: {} });
}

/** Reports entries whose text the document does not have, and those that are there twice. @param place that of the list */
export function checkTranslations(
  document: LocatedDocument,
  place: Path,
  list: readonly Translation[],
  providers: readonly CompiledProvider[],
): void {
  const known = new Set(providers.flatMap((one) => [...customerTexts(one).known]));
  const seen = new Set<string>();
  for (const [index, { en }] of list.entries()) {
    const at = [...place, index, 'en'];
    if (!known.has(en))
      document.fault(
        at,
        `customers read no text "${en}" of the document`,
        'It must be exactly a step of setup, a title, description or text of x-enum-labels of configuration, or a permission under needs.',
      );
    if (seen.has(en)) document.fault(at, `"${en}" is translated twice`);
    seen.add(en);
  }
}

/** Lists the texts of providers that a form shows and a language lacks, each with its languages. */
export function missingTranslations(
  list: readonly Translation[],
  providers: readonly CompiledProvider[],
): { text: string; languages: TranslatedLanguage[] }[] {
  const byText = new Map(list.map((one) => [one.en, one]));
  const shown = new Set(providers.flatMap((one) => [...customerTexts(one).shown]));
  return [...shown]
    .map((text) => ({
      text,
      languages: translatedLanguages.filter((one) => byText.get(text)?.[one] === undefined),
    }))
    .filter(({ languages }) => languages.length > 0);
}

/** Collects the texts of a provider that customers read. */
export function customerTexts({ source, verify }: CompiledProvider): CustomerTexts {
  const steps = source.setup?.steps ?? [];
  const needs = [
    ...Object.values(source.operations).flatMap((one) => one.needs ?? []),
    ...verify.map((one) => one.needs),
  ];
  const { configuration } = source;
  return {
    shown: new Set([...steps, ...schemaTexts(configuration, isShown)]),
    known: new Set([...steps, ...schemaTexts(configuration, isSchema), ...needs]),
  };
}

/**
 * Finds the translations of a provider's texts. Those of a built-in document are read by the first call.
 * @param wanted a language tag such as `de` or `de-AT`
 * @returns undefined for English, a language that none is translated into, and a provider without any in the language
 */
export function translationsOf(
  compiled: CompiledProvider,
  wanted: string,
): Translations | undefined {
  const [name] = wanted.toLowerCase().split('-');
  const language = translatedLanguages.find((one) => one === name);
  if (language === undefined) return undefined;
  const list = [...(compiled.source.translations ?? []), ...(compiled.readTranslations?.() ?? [])];
  if (list.length === 0) return undefined;
  const { known } = customerTexts(compiled);
  const texts = list.flatMap(({ en, [language]: text }) =>
    text === undefined || !known.has(en) ? [] : [[en, text] as const],
  );
  return texts.length === 0 ? undefined : { language, texts: Object.fromEntries(texts) };
}

/** The keyword for the values of an `enum` in words, by the values. */
const enumLabels = 'x-enum-labels';
/** Keywords whose values are schemas that a form shows as fields. */
const isShown = (keyword: string) =>
  ['oneOf', 'anyOf', 'allOf', 'properties', enumLabels].includes(keyword);
/** Keywords whose values contain schemas, and no values of a configuration. */
const isSchema = (keyword: string) => !['const', 'default', 'enum', 'examples'].includes(keyword);
/** Keywords whose values are schemas by names of the configuration's own. */
const byName = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas']);

function* schemaTexts(
  schema: unknown,
  isEntered: (keyword: string) => boolean,
): Generator<string, void, undefined> {
  if (Array.isArray(schema)) for (const one of schema) yield* schemaTexts(one, isEntered);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value === 'string' && (keyword === 'title' || keyword === 'description'))
      yield value;
    if (typeof value !== 'object' || value === null || !isEntered(keyword)) continue;
    if (keyword === enumLabels)
      yield* Object.values(value as Record<string, unknown>).filter(
        (one) => typeof one === 'string',
      );
    const parts = byName.has(keyword) ? Object.values(value as object) : [value];
    for (const part of parts) yield* schemaTexts(part, isEntered);
  }
}
