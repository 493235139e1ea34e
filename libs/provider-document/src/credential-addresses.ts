import type { Value } from '@onefold/mapping';
import { ApiError } from '#contract';
import type { CompiledProvider } from './compiled-provider.js';
import { evaluate, textOf } from './evaluate.js';

/** Addresses to which a provider sends the credentials of an integration. */
export interface CredentialAddresses {
  /** Addresses that follow from the configuration. */
  urls: string[];
  /** Origins that the document names, whatever the configuration says. */
  fixed: string[];
  /** False if an address could not be computed without the credential. */
  isComplete: boolean;
}

/** Computes the addresses to which credentials are sent: the provider's API, and the token endpoint. */
export function credentialAddresses(
  compiled: CompiledProvider,
  config: Record<string, unknown>,
): CredentialAddresses {
  const { origins = [] } = compiled.source.http;
  const { urls, isComplete } = addresses(compiled, config);
  const byDefault = addresses(compiled, {}).urls.flatMap(originOf);
  const constant = origins.filter(isOrigin).flatMap(originOf);
  return { urls, isComplete, fixed: [...constant, ...byDefault] };
}

/** True for an entry of `http.origins` that is an origin itself, not a query for one. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function addresses(
  { baseUrl, addresses: others, credentials }: CompiledProvider,
  config: Record<string, unknown>,
): { urls: string[]; isComplete: boolean } {
  // A token address that is part of the credential can only change with the credential.
  const input: Value = { config: config as Value, credential: {} };
  const queries = [
    baseUrl,
    ...others,
    ...credentials.flatMap(({ kinds }) =>
      [...kinds.values()].flatMap(({ queries: all }) => all.get('token_url') ?? []),
    ),
  ];
  let isComplete = true;
  const urls = queries.flatMap((query) => {
    try {
      // An optional address that the configuration does not have may be an empty text.
      return textOf(evaluate(query, input, 'an address', undefined)) || [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      isComplete = false;
      return [];
    }
  });
  return { urls, isComplete };
}

function originOf(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).origin] : [];
}
