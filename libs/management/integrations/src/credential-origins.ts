import { ApiError, type Caller } from '#contract';
import { mayUpdateCredentials } from '#management/credentials';
import type { ProviderDescription } from '#provider-document';
import type { Account, Integration, Transaction } from '#store';
import { storedCredentials } from './credential-slots.js';
import type { ProviderCatalog } from './provider-catalog.js';

type Config = Record<string, unknown>;

/** A provider, as needed to find out where it sends credentials. */
interface Sender {
  provider: ProviderDescription | undefined;
  /** True for providers of this installation; false for documents of the organization. */
  isBuiltIn: boolean;
}

/**
 * Refuses to send a stored credential to a new origin, where whoever chooses the address could read it. Callers who may
 * update credentials may, because they could replace the credential. Origins that a built-in document names are always
 * allowed.
 * @param made credentials that the request itself creates
 * @throws ApiError 403
 */
export async function checkOrigins(
  tx: Transaction,
  catalog: ProviderCatalog,
  caller: Caller,
  { account, config, made }: { account: Account; config: Config; made: readonly { id: string }[] },
): Promise<void> {
  const stored = storedCredentials(config).filter((id) => made.every((one) => one.id !== id));
  if (stored.length === 0 || mayUpdateCredentials(caller, account)) return;
  const wanted = originsOf(await catalog.sender(tx, String(config['type'])), config);
  for (const id of stored) {
    const known = new Set<string>();
    for (const one of await usersOf(tx, account.id, id))
      for (const origin of originsOf(await catalog.sender(tx, one.providerType), one.providerConfig)
        .all)
        known.add(origin);
    for (const origin of await issuersOf(tx, account.id, id)) known.add(origin);
    refuseOthers(id, wanted, known);
  }
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
  const rows = await tx.query<UserRow & { account_id: string }>(
    'select account_id, provider_type, provider_config from integrations where organization_id = $1 and provider_type = $2',
    [tx.scope.organizationId, type],
  );
  const accounts = new Map<string, boolean>();
  for (const { account_id: accountId, provider_config: config } of rows) {
    const [id] = storedCredentials(config);
    if (id === undefined) continue;
    const may = accounts.get(accountId) ?? (await mayUpdateIn(tx, caller, accountId));
    accounts.set(accountId, may);
    if (may) continue;
    const known = originsOf({ provider: before, isBuiltIn: false }, config).all;
    refuseOthers(id, originsOf({ provider: after, isBuiltIn: false }, config), known);
  }
}

async function mayUpdateIn(tx: Transaction, caller: Caller, accountId: string): Promise<boolean> {
  const [account] = await tx.accounts.byIds([accountId]);
  return account !== undefined && mayUpdateCredentials(caller, account);
}

interface UserRow {
  provider_type: string;
  provider_config: Config;
}

/** Lists the integrations of an account that use a credential. */
async function usersOf(
  tx: Transaction,
  accountId: string,
  credentialId: string,
): Promise<Pick<Integration, 'providerType' | 'providerConfig'>[]> {
  const rows = await tx.query<UserRow>(
    `select provider_type, provider_config from integrations
     where organization_id = $1 and account_id = $2 and position($3 in provider_config::text) > 0`,
    [tx.scope.organizationId, accountId, credentialId],
  );
  return rows
    .map((row) => ({ providerType: row.provider_type, providerConfig: row.provider_config }))
    .filter(({ providerConfig }) => storedCredentials(providerConfig).includes(credentialId));
}

/** The origin that issued a credential which a person granted: it knows the credential anyway. */
async function issuersOf(
  tx: Transaction,
  accountId: string,
  credentialId: string,
): Promise<string[]> {
  const rows = await tx.query<{ token_origin: string }>(
    `select token_origin from connect_authorizations
     where organization_id = $1 and account_id = $2 and credential_id = $3`,
    [tx.scope.organizationId, accountId, credentialId],
  );
  return rows.map((row) => row.token_origin);
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

function refuseOthers(id: string, wanted: Origins, known: ReadonlySet<string>): void {
  for (const origin of wanted.all)
    if (!wanted.trusted.has(origin) && !known.has(origin))
      throw new ApiError(
        403,
        `the stored credential ${id} would be sent to ${origin}, which is not a configured origin of it`,
        {
          remediation:
            'Send the secret itself instead, or use a token that may update credentials.',
          context: { resources: [{ type: 'credential', id, rel: 'cause' }] },
        },
      );
}
