import type { ManagementSchemas } from './schemas.js';

export type Locale = ManagementSchemas['ConnectLocale'];

/** Languages of the pages that customers of the host see: those of `locale` of a Connect session. */
export const locales: readonly Locale[] = ['en', 'de', 'es', 'fr', 'ja'];

/** Returns the language of the session, or else the first of the browser's that there is; English if there is none. */
export function localeOf(session: string | null | undefined, acceptLanguage: string): Locale {
  const wanted = [session ?? '', ...acceptLanguage.split(',')].map((one) =>
    one.trim().slice(0, 2).toLowerCase(),
  );
  const known = wanted.flatMap((one) => locales.find((locale) => locale === one) ?? []);
  return known[0] ?? 'en';
}
