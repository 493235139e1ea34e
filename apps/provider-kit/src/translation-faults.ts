import { describeFault, MappingError } from '@onefold/mapping';
import {
  checkTranslationFile,
  type CompiledProvider,
  missingTranslations,
  readTranslations,
  type Translation,
} from '#provider-document';
import { compiledOf } from './compiled-folder.js';
import type { ProviderFolder } from './folders.js';
import { compiledIfValid } from './lost-fields.js';

export const translationsFile = 'translations.yaml';

/**
 * Finds the texts for customers of a built-in document that are not translated into each language of the Connect UI, and translations of texts that
 * it does not have. A customer's document has its translations in itself, where compiling checks them, and need not have any.
 */
export function translationFaults(folder: ProviderFolder): string[] {
  if (!folder.isBuiltIn) return [];
  const { compiled } = compiledOf(folder);
  const shown = folder.shown(translationsFile);
  if (!folder.has(translationsFile))
    return missingFrom([], compiled).map((text) => `${shown}: the file does not exist; ${text}`);
  const text = folder.read(translationsFile);
  try {
    const list = readTranslations(text);
    const missing = missingFrom(list, compiled).map((one) => `${shown}: ${one}`);
    return [...leftOver(text, compiled, shown), ...missing];
  } catch (error) {
    return faultsOf(error, text, shown);
  }
}

/** Warns of texts of a customer's document that a language lacks which others of its texts have. */
export function warnOfMissingTranslations(folder: ProviderFolder): string[] {
  if (folder.isBuiltIn) return [];
  const compiled = compiledIfValid(folder);
  const list = compiled[0]?.source.translations ?? [];
  const shown = folder.shown(folder.document);
  return missingTranslations(list, compiled).flatMap(({ text, languages }) => {
    const used = languages.filter((language) => list.some((one) => one[language] !== undefined));
    return used.length === 0
      ? []
      : [`warning: ${shown}: "${text}" has no translation into ${used.join(', ')}`];
  });
}

function missingFrom(
  list: readonly Translation[],
  compiled: readonly CompiledProvider[],
): string[] {
  return missingTranslations(list, compiled).map(
    ({ text, languages }) => `"${text}" has no translation into ${languages.join(', ')}`,
  );
}

function leftOver(text: string, compiled: readonly CompiledProvider[], shown: string): string[] {
  try {
    checkTranslationFile(text, compiled);
    return [];
  } catch (error) {
    return faultsOf(error, text, shown);
  }
}

function faultsOf(error: unknown, text: string, shown: string): string[] {
  if (!(error instanceof MappingError)) throw error;
  return error.faults.map((fault) => `${shown}: ${describeFault(fault, text)}`);
}
