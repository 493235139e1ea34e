import { ApiError, type Caller, type ManagementSchemas } from '#contract';
import { mayUpdateCredentials } from '#management/credentials';
import type { ProviderDescription } from '#provider-document';
import {
  type Account,
  authorizationQueries,
  type Integration,
  integrationQueries,
  type Transaction,
} from '#store';
import { storedCredentials } from './credential-slots.js';
import type { ProviderCatalog } from './provider-catalog.js';

type Config = Record<string, unknown>;

/** A provider, as needed to find out where it sends credentials. */
interface Sender {
  provider: ProviderDescription | undefined;
  /** True for providers of this installation; false for documents of the organization. */
  isBuiltIn: boolean;
}

type Selector = ManagementSchemas['BridgeSelector'] | null;

/** An integration as its author wants it. */
interface Wanted {
  account: Account;
  domain: string;
  config: Config;
  bridgeSelector: Selector;
  /** Credentials that the request itself creates. */
  made: readonly { id: string }[];
}

/**
 * Refuses to send a stored credential to a new origin, or to a known one by another road, where whoever chooses the address or runs the
 * agent of the bridge could read it. Callers who may update credentials may, because they could replace the credential. Origins that a
 * built-in document names are always allowed without a bridge.
 * @throws ApiError 403
 */
export async function checkOrigins(
  tx: Transaction,
  catalog: ProviderCatalog,
  caller: Caller,
  { account, domain, config, bridgeSelector, made }: Wanted,
): Promise<void> {
  const stored = storedCredentials(config).filter((id) => made.every((one) => one.id !== id));
  if (stored.length === 0) return;
  const wanted = originsOf(await catalog.sender(tx, String(config['type'])), config);
  for (const id of stored) {
    const users = await usersOf(tx, account.id, id);
    const domains = users.map((one) => one.category);
    if (mayUpdateCredentials(caller, account, [domain, ...domains])) continue;
    const known = new Set<string>();
    for (const one of users)
      for (const origin of originsOf(await catalog.sender(tx, one.providerType), one.providerConfig)
        .all)
        known.add(byRoad(origin, one.bridgeSelector as Selector));
    // The origin that issued a credential which a person granted knows the credential anyway.
    const issuers = await authorizationQueries.listIssuers(tx, account.id, id);
    for (const origin of issuers) known.add(origin);
    refuseOthers(id, wanted, known, bridgeSelector);
  }
}

/** An origin with the road to it. */
function byRoad(origin: string, selector: Selector): string {
  if (selector === null) return origin;
  const { type, value } = selector;
  return `${origin} through the bridge with the ${type} ${[value].flat().toSorted().join(', ')}`;
}

/**
 * Refuses a provider document that sends the stored credentials of its integrations to other origins than the previous
 * version.
 * @param type id of the provider
 * @throws ApiError 403
 */
export async function checkDocumentOrigins(
  tx: Transaction,
  caller: Caller,
  type: string,
  { before, after }: { before: ProviderDescription | undefined; after: ProviderDescription },
): Promise<void> {
  const rows = await integrationQueries.listSendersOfProvider(tx, type);
  const accounts = new Map<string, boolean>();
  for (const { account_id: accountId, category: domain, provider_config: config } of rows) {
    const [id] = storedCredentials(config);
    if (id === undefined) continue;
    const place = `${accountId} ${domain}`;
    const may = accounts.get(place) ?? (await mayUpdateIn(tx, caller, accountId, domain));
    accounts.set(place, may);
    if (may) continue;
    const known = originsOf({ provider: before, isBuiltIn: false }, config).all;
    refuseOthers(id, originsOf({ provider: after, isBuiltIn: false }, config), known);
  }
}

async function mayUpdateIn(
  tx: Transaction,
  caller: Caller,
  accountId: string,
  domain: string,
): Promise<boolean> {
  const [account] = await tx.accounts.byIds([accountId]);
  return account !== undefined && mayUpdateCredentials(caller, account, [domain]);
}

/** Lists the integrations of an account that use a credential. */
async function usersOf(
  tx: Transaction,
  accountId: string,
  credentialId: string,
): Promise<Pick<Integration, 'category' | 'providerType' | 'providerConfig' | 'bridgeSelector'>[]> {
  const rows = await integrationQueries.listSendersOfCredential(tx, accountId, credentialId);
  return rows
    .map((row) => ({
      category: row.category,
      bridgeSelector: row.bridge_selector,
      providerType: row.provider_type,
      providerConfig: row.provider_config,
    }))
    .filter(({ providerConfig }) => storedCredentials(providerConfig).includes(credentialId));
}

interface Origins {
  all: Set<string>;
  /** Origins that are always allowed. */
  trusted: Set<string>;
}

function originsOf({ provider, isBuiltIn }: Sender, config: Config): Origins {
  if (provider === undefined) {
    // Without a document nothing is sent, and the addresses follow from the configuration.
    const urls = Object.values(config).filter((one) => typeof one === 'string');
    return { all: new Set(urls.flatMap(originOf)), trusted: new Set() };
  }
  const addresses = provider.addresses?.(config);
  if (addresses === undefined) return { all: new Set(), trusted: new Set() };
  const { urls, fixed, isComplete } = addresses;
  const all = new Set([...urls.flatMap(originOf), ...fixed]);
  if (!isComplete) all.add(`an address derived from ${JSON.stringify(config)}`);
  return { all, trusted: new Set(isBuiltIn ? fixed : []) };
}

function originOf(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).origin] : [];
}

function refuseOthers(
  id: string,
  wanted: Origins,
  known: ReadonlySet<string>,
  selector: Selector = null,
): void {
  for (const origin of wanted.all)
    if (!(selector === null && wanted.trusted.has(origin)) && !known.has(byRoad(origin, selector)))
      throw new ApiError(
        403,
        `the stored credential ${id} would be sent to ${byRoad(origin, selector)}, which is not a configured origin of it`,
        {
          remediation:
            'Send the secret itself instead, or use a token that may update credentials.',
          context: { resources: [{ type: 'credential', id, rel: 'cause' }] },
        },
      );
}
