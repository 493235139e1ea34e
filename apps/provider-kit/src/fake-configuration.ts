import type { FakeEngine } from '#fakes';
import { mockCredentials } from '#mocks';
import { compiledOf } from './compiled-folder.js';
import type { ProviderFolder } from './folders.js';

/** `provider_config` of an integration. */
export type FakeConfiguration = { type: string } & Record<string, unknown>;

/**
 * Makes the configuration of an integration of a folder's first provider with its fake: what the fake names for mocks, its address in place
 * of the vendor's, and the credentials of a principal.
 * @param url where the fake listens
 * @param principal the one of mocks when absent
 */
export function configurationOver(
  folder: ProviderFolder,
  { url, engine }: { url: string; engine: FakeEngine },
  principal?: string,
): FakeConfiguration {
  const { compiled, providers } = compiledOf(folder);
  const [provider] = compiled;
  const { document } = engine;
  if (provider === undefined) throw new Error(`${folder.name} has no provider`);
  const properties = (providers[0]?.configuration as { properties?: object } | undefined) ?? {};
  const { mock } = document;
  const named = Object.entries(mock.configuration).map(([name, value]) => [
    name,
    typeof value === 'string' && URL.canParse(value) ? url : value,
  ]);
  const by = principal === undefined ? document : { ...document, mock: { ...mock, principal } };
  const opened = mockCredentials(provider, by, engine.credentials(), 'int_1');
  const credentials = [...opened].map(([slot, { config }]) => [
    slot,
    Object.fromEntries(
      Object.entries(config as object).map(([name, value]: [string, unknown]) => [
        name,
        name === 'token_url' ? `${url}${new URL(String(value)).pathname}` : value,
      ]),
    ),
  ]);
  return {
    type: provider.source.provider,
    ...('url' in (properties.properties ?? {}) ? { url } : {}),
    ...Object.fromEntries(named),
    ...Object.fromEntries(credentials),
  } as FakeConfiguration;
}

/** The callers of a fake beside the one of mocks, who may do less. */
export function otherPrincipals({ document }: FakeEngine): string[] {
  const names = [...(document.auth?.principals.keys() ?? [])];
  const own = document.mock.principal ?? names[0];
  return names.filter((name) => name !== own);
}
