import { consoleFolder } from './built-folders.js';
import { Pages } from './pages.js';
import { policyHeaders } from './policy-headers.js';
import type { ProviderImages } from './provider-images.js';

/** The path that the addresses in the built console begin with. */
export const consolePrefix = '/console/';

interface Place {
  /** Where the console finds the API, if that is not where it is served itself. */
  apiOrigin?: string | undefined;
  /** Further origins that it may send requests to. */
  origins?: readonly string[];
  /** True if browsers reach it by HTTPS only. */
  isHttps?: boolean | undefined;
  images?: ProviderImages | undefined;
}

/** Reads the built console, with a `config.json` that tells it where the API is. @throws Error if it was not built */
export function readConsole({ apiOrigin, origins = [], isHttps, images }: Place): Pages {
  const allowed = apiOrigin === undefined ? origins : [...origins, apiOrigin];
  const configuration = apiOrigin === undefined ? {} : { api_url: apiOrigin };
  return Pages.read(consoleFolder, policyHeaders({ origins: allowed, isHttps }), {
    written: { 'config.json': JSON.stringify(configuration) },
    images,
  });
}
