import { Integration, Member, Organization, Role, type Store, Token, tokenQueries } from '#store';

/** The records of a secret. */
export interface KnownSecret {
  hash: string;
  tokenId: string;
  kind: 'access' | 'refresh';
  lastUsedAt: Date | null;
  /** Undefined if it was deleted. */
  token: Token | undefined;
  member: Member | undefined;
  integration: Integration | undefined;
  /** Roles of token and member that are not built in. */
  roles: readonly Role[];
  organization: Organization;
}

/** Finds the records of a secret; undefined if the organization never had it. */
export async function findSecret(
  store: Store,
  organizationId: string,
  hash: string,
): Promise<KnownSecret | undefined> {
  const row = await tokenQueries.findSecret(store, organizationId, hash);
  if (row === undefined) return undefined;
  const lastUsed = row.token?.['last_used_at'];
  return {
    hash,
    tokenId: row.token_id,
    kind: row.kind,
    lastUsedAt: typeof lastUsed === 'string' ? new Date(lastUsed) : null,
    token: row.token === null ? undefined : store.entity(Token, row.token),
    member: row.member === null ? undefined : store.entity(Member, row.member),
    integration: row.integration === null ? undefined : store.entity(Integration, row.integration),
    roles: (row.roles ?? []).map((one) => store.entity(Role, one)),
    organization: store.entity(Organization, row.organization),
  };
}
